/**
 * Reads a file through a memory mapping: many scattered small reads of a large file at the cost of reading memory.
 * Threads and processes that map the same file share one copy of it in memory.
 */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { type Mapping, mapFile } from './c-library.ts';

export class MappedFile {
  readonly path: string;
  /** In bytes. */
  readonly length: number;
  #mapping: Mapping | null;

  /**
   * @param scattered whether reads are scattered, so that the kernel should not read ahead
   * @throws the system's error if the file can't be opened, and an Error if it can't be mapped
   */
  constructor(path: string, scattered: boolean) {
    this.path = path;
    const file = openSync(path, 'r');
    try {
      this.length = fstatSync(file).size;
      // Null for an empty file too; every read of it is out of bounds.
      this.#mapping = mapFile(file, this.length, scattered);
    } finally {
      closeSync(file);
    }
    if (this.#mapping === null && this.length > 0)
      throw new Error(`${path} can't be mapped into memory on this system.`);
  }

  /** Reads a little-endian number. @throws RangeError outside the file */
  uint32At(offset: number): number {
    return this.#within(offset, 4).uint32At(offset);
  }

  /** Copies bytes to the beginning of `target`. @throws RangeError outside the file or past the end of `target` */
  copy(offset: number, length: number, target: Buffer): void {
    if (length > target.length) throw new RangeError(`${length} bytes do not fit into ${target.length}.`);
    this.#within(offset, length).copy(offset, length, target);
  }

  /** Unmaps the file; later reads throw. */
  close(): void {
    this.#mapping?.unmap();
    this.#mapping = null;
  }

  /** Checks bounds: the kernel ends a process that reads outside a mapping. */
  #within(offset: number, length: number): Mapping {
    if (this.#mapping !== null && offset >= 0 && offset + length <= this.length) return this.#mapping;
    throw new RangeError(
      `${this.path} is damaged or closed: bytes ${offset} to ${offset + length} of ${this.length} were asked for.`,
    );
  }
}
