/**
 * A file read where the kernel holds it: for many small reads all over a large file. A read costs as much as touching
 * memory does, and what several threads and processes map is in memory once.
 */
import { closeSync, fstatSync, openSync } from 'node:fs';
import { type Mapping, mapFile } from './c-library.ts';

export class MappedFile {
  readonly path: string;
  /** In bytes. */
  readonly length: number;
  #mapping: Mapping | null;

  /**
   * @param scattered whether single places are asked for here and there, for which the kernel is not to read on ahead
   * @throws the system's error where the file can't be opened, and one of ours where it can't be mapped
   */
  constructor(path: string, scattered: boolean) {
    this.path = path;
    const file = openSync(path, 'r');
    try {
      this.length = fstatSync(file).size;
      // Null of an empty file, too; what is asked of that is outside of it in any case.
      this.#mapping = mapFile(file, this.length, scattered);
    } finally {
      closeSync(file);
    }
    if (this.#mapping === null && this.length > 0)
      throw new Error(`${path} can't be mapped into memory on this system.`);
  }

  /** A little-endian number. @throws where it does not lie within the file */
  uint32At(offset: number): number {
    return this.#within(offset, 4).uint32At(offset);
  }

  /** Copies bytes to the beginning of `target`. @throws where they do not lie within the file, or find no room */
  copy(offset: number, length: number, target: Buffer): void {
    if (length > target.length) throw new RangeError(`${length} bytes do not fit into ${target.length}.`);
    this.#within(offset, length).copy(offset, length, target);
  }

  /** Nothing can be read afterwards. */
  close(): void {
    this.#mapping?.unmap();
    this.#mapping = null;
  }

  /** The kernel ends a process that reads outside of what is mapped. */
  #within(offset: number, length: number): Mapping {
    if (this.#mapping !== null && offset >= 0 && offset + length <= this.length) return this.#mapping;
    throw new RangeError(
      `${this.path} is damaged or closed: bytes ${offset} to ${offset + length} of ${this.length} were asked for.`,
    );
  }
}
