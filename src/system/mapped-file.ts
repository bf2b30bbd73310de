import { type Pointer, ptr, read, toArrayBuffer } from 'bun:ffi';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { type Library, library } from './library.ts';

/**
 * Reads a file through a memory mapping: many scattered small reads of a large file at the cost of reading memory.
 * Threads and processes that map the same file share one copy of it in memory.
 */
export class MappedFile {
  readonly path: string;
  /** In bytes. */
  readonly length: number;
  readonly #library = library();
  /** Null once the file is closed, and for an empty file, where every read is out of bounds. */
  #base: Pointer | null;
  /** Unmaps the file when it is collected, or when its thread ends. */
  readonly guard: ArrayBuffer | null;

  /**
   * @param pattern `scattered`: reading ahead would waste the disk's time; `through`: all is read in turn
   * @throws the system's error if the file can't be opened, and an Error if it can't be mapped
   */
  constructor(path: string, pattern: 'scattered' | 'through') {
    this.path = path;
    const c = this.#library;
    const file = openSync(path, 'r');
    try {
      this.length = fstatSync(file).size;
      this.#base = c === null ? null : mapped(c, file, this.length);
    } finally {
      closeSync(file);
    }
    if (this.#base === null && this.length > 0)
      throw new Error(`${path} can't be mapped into memory on this system.`);
    if (this.#base !== null && pattern === 'scattered') c?.madvise(this.#base, this.length, adviceRandom);
    this.guard = c === null || this.#base === null ? null : guardOf(this.#base, this.length, c);
  }

  /** Reads a little-endian number. @throws RangeError outside the file */
  uint32At(offset: number): number {
    return read.u32(this.#within(offset, 4), offset);
  }

  /** Copies bytes to the beginning of `target`. @throws RangeError outside the file or past the end of `target` */
  copy(offset: number, length: number, target: Buffer): void {
    if (length > target.length) throw new RangeError(`${length} bytes do not fit into ${target.length}.`);
    const from = this.#within(offset, length) + offset;
    this.#library?.memcpy(ptr(target), from, length);
  }

  /**
   * Unmaps the file; later reads throw. The addresses stay reserved until the guard frees them. If they were freed
   * earlier, others could use them by then.
   */
  close(): void {
    const base = this.#base;
    this.#base = null;
    if (base !== null) this.#library?.mmap(base, this.length, protectionNone, mapNothing, -1, 0);
  }

  /** Checks bounds: the kernel ends a process that reads outside a mapping. @returns where the mapping begins */
  #within(offset: number, length: number): Pointer {
    if (this.#base !== null && offset >= 0 && offset + length <= this.length) return this.#base;
    throw new RangeError(
      `${this.path} is damaged or closed: bytes ${offset} to ${offset + length} of ${this.length} were asked for.`,
    );
  }
}

/** `PROT_NONE`, `PROT_READ`, `MAP_SHARED` and `MADV_RANDOM`, as Linux and macOS have them. */
const protectionNone = 0;
const protectionRead = 1;
const mapShared = 1;
const adviceRandom = 1;
/** `MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS`: replaces a mapping by addresses without memory. */
const mapNothing = 0x02 | 0x10 | (process.platform === 'darwin' ? 0x1000 : 0x20);
/** mmap(2) reports an error as the greatest address. */
const addressMax = 2 ** 52;

/** Maps the first `length` bytes of an open file, read-only. @returns null if the system refuses */
function mapped(c: Library, file: number, length: number): Pointer | null {
  const base = c.mmap(null, length, protectionRead, mapShared, file, 0);
  return typeof base !== 'number' || base > addressMax ? null : base;
}

/**
 * Unmaps the file of a thread that ends without closing it: a mapped file, even a deleted one, occupies the disk as
 * long as the process runs. Bun frees the buffers of an ended thread and calls the function given for each.
 */
function guardOf(base: Pointer, length: number, { munmap }: Library): ArrayBuffer {
  return toArrayBuffer(base, 0, 1, length, 'ptr' in munmap ? munmap.ptr : undefined);
}

declare module 'bun:ffi' {
  /** Bun's types lack the function that frees the bytes; it receives their address and `context`. */
  function toArrayBuffer(
    bytes: Pointer,
    offset: number,
    length: number,
    context: number,
    free: unknown,
  ): ArrayBuffer;
}
