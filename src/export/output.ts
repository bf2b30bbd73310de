/** Writes the bytes of a result to a file or to standard output. */
import { createWriteStream, lstatSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

type OutputPieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * A file appears under its name only when it is complete; a device, a pipe or what a link leads to is written into.
 * @param path of the output; null for standard output
 * @throws the system's error if the output can't be written; the signal's reason if it is aborted
 */
export async function writeOutput(
  bytes: OutputPieces,
  path: string | null,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (path === null) await write(bytes, process.stdout, signal, false);
    else if (isOwnFile(path)) await writeFile(bytes, path, signal);
    else await write(bytes, createWriteStream(path), signal, true);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** Whether the path names a file, or nothing yet: anything else must not be replaced by a file. */
export function isOwnFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
}

async function writeFile(bytes: OutputPieces, path: string, signal: AbortSignal): Promise<void> {
  const unfinished = `${path}.unfinished`;
  try {
    await write(bytes, createWriteStream(unfinished), signal, true);
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

function write(bytes: OutputPieces, to: Writable, signal: AbortSignal, end: boolean): Promise<void> {
  return pipeline(Readable.from(bytes), to, { signal, end });
}
