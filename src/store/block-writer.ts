/** Writes a file from some place on, in blocks of a few megabytes. */
import { writeAll } from '../publication/files.ts';

const blockBytes = 4 * 1024 * 1024;

export class BlockWriter {
  /** Where reserved bytes are filled in. */
  block = Buffer.allocUnsafeSlow(blockBytes);
  readonly #file: number;
  /** Offset of the block in the file, and how many of its bytes are reserved. */
  #blockAt: number;
  #filled = 0;

  /** @param file a descriptor @param at offset of the first byte */
  constructor(file: number, at: number) {
    this.#file = file;
    this.#blockAt = at;
  }

  /** The offset in the file of what is reserved next. */
  get end(): number {
    return this.#blockAt + this.#filled;
  }

  /** Reserves the next bytes, which must be filled in before the next call. @returns where they begin in the block */
  reserve(length: number): number {
    if (this.#filled + length > this.block.length) {
      this.flush();
      if (length > this.block.length) this.block = Buffer.allocUnsafeSlow(length);
    }
    this.#filled += length;
    return this.#filled - length;
  }

  /** Writes all that is reserved. */
  flush(): void {
    writeAll(this.#file, this.block.subarray(0, this.#filled), this.#blockAt);
    this.#blockAt += this.#filled;
    this.#filled = 0;
  }
}
