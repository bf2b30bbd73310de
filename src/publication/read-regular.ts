/**
 * Reads a file that somebody else may have put in its place. A pipe or a device could block its reader, or give bytes
 * without end, so only regular files are read, up to a limit.
 */
import { constants, open } from 'node:fs/promises';
import { ExpectedFailure } from '../errors.ts';
import { unlessAborted } from '../waits.ts';

/** The path leads to something that can't be read as a file. The message continues its name: "… is a pipe". */
export class UnreadableFile extends ExpectedFailure<'unreadable-file'> {
  override readonly name = 'UnreadableFile';
  constructor(message: string) {
    super('unreadable-file', message);
  }
}

/** The most bytes that are read at once. */
const blockBytes = 1024 * 1024;

/**
 * @param bytesMax a longer file is refused
 * @param signal ends the wait, even for a disk that does not answer
 * @throws UnreadableFile, the system's error, or the signal's reason
 */
export function readRegular(
  path: string,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  return unlessAborted(readWhole(path, bytesMax, signal), signal);
}

async function readWhole(path: string, bytesMax: number, signal: AbortSignal) {
  // Without O_NONBLOCK the opening of a pipe waits for its writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw new UnreadableFile('is not a regular file');
    const parts: Buffer[] = [];
    let length = 0;
    for (;;) {
      signal.throwIfAborted();
      // Another process may make the file longer meanwhile.
      const left = Math.max(facts.size, length) - length;
      const room = Buffer.allocUnsafeSlow(Math.min(left + 1, blockBytes, bytesMax + 1 - length));
      const { bytesRead } = await file.read(room, 0, room.length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
      if (length > bytesMax || facts.size > bytesMax)
        throw new UnreadableFile(
          `has ${Math.max(length, facts.size)} bytes, more than the ${bytesMax} it may have`,
        );
      parts.push(room.subarray(0, bytesRead));
    }
    return new Uint8Array(Buffer.concat(parts, length));
  } finally {
    await file.close();
  }
}
