/** Reads the one member of an archive with a reader that is not ours. */
import { type Entry, openPromise } from 'yauzl';

/** The text of the first member; the reader checks sizes and signatures on the way. */
export async function readFirstMember(path: string): Promise<string> {
  const archive = await openPromise(path);
  for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
    const stream = await archive.openReadStreamPromise(entry);
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString('utf8');
  }
  throw new Error(`${path} holds no member`);
}
