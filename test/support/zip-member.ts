/** Reads archives with yauzl itself, independently of the loader's reader. */
import { type Entry, openPromise } from 'yauzl';

/** The text of the first member. yauzl checks its size and the headers. */
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
