/** Writes the publisher's containers, zip archives of one member, as streams: the one door to yazl. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

interface WrittenMember {
  readonly name: string;
  /** Seconds since 1970, UTC; even, because an archive counts in steps of two. */
  readonly time: number;
  /** Whether the member may exceed 4 GiB: its Zip64 sizes must then be announced at the start. */
  readonly large: boolean;
}

/** Bytes made in advance while zlib's thread compresses the ones before. */
const madeAheadBytes = 1024 * 1024;

/**
 * Writes an archive of one member. The same chunks, name and time give the same bytes on every machine.
 * @returns the size of the archive in bytes
 * @throws whatever `chunks` throws, and the system's error if the file can't be written
 */
export async function writeZip(
  path: string,
  member: WrittenMember,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<number> {
  const zip = new ZipFile();
  const content = Readable.from(chunks, { objectMode: false, highWaterMark: madeAheadBytes });
  const failed = new AbortController();
  // Pass errors on explicitly, because a pipe does not.
  content.once('error', (error) => failed.abort(error));
  zip.addReadStream(content, member.name, {
    mtime: clockReading(member.time),
    // The other timestamp of an archive would contain the shifted time as if it were UTC.
    forceDosTimestamp: true,
    mode: 0o100644,
    compressionLevel: 6,
    forceZip64Format: member.large,
  });
  zip.end();
  const file = createWriteStream(path);
  try {
    await pipeline(zip.outputStream, file, { signal: failed.signal });
  } catch (error) {
    content.destroy();
    throw failed.signal.aborted ? failed.signal.reason : error;
  }
  return file.bytesWritten;
}

/** yazl writes the local time of the machine's time zone: this is the date whose local time equals the UTC time. */
function clockReading(seconds: number): Date {
  const utc = new Date(seconds * 1000);
  return new Date(
    utc.getUTCFullYear(),
    utc.getUTCMonth(),
    utc.getUTCDate(),
    utc.getUTCHours(),
    utc.getUTCMinutes(),
    utc.getUTCSeconds(),
  );
}

const chunkCharacters = 256 * 1024;

/**
 * The strings as UTF-8 chunks, in order: a file becomes some thousand large pieces instead of millions of small ones.
 * Each chunk has its own memory.
 */
export function* textChunks(texts: Iterable<string>): Generator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  let pieces: string[] = [];
  let length = 0;
  for (const text of texts) {
    pieces.push(text);
    length += text.length;
    if (length < chunkCharacters) continue;
    yield encoder.encode(pieces.join(''));
    pieces = [];
    length = 0;
  }
  if (length > 0) yield encoder.encode(pieces.join(''));
}
