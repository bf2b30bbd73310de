/** Writes bytes into an open file. */
import { writeSync } from 'node:fs';

/** Writes all bytes: a full disk takes the first part of a write and refuses the rest. @throws the system's error */
export function writeAll(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(file, bytes, done, bytes.length - done, position + done);
  }
}
