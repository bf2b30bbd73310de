/**
 * Opens the C library, for system calls that the runtime lacks, and makes those about this process. On a system whose C
 * library has another name, every function of this folder reports that it can do nothing.
 */
import { dlopen, ptr } from 'bun:ffi';

const machine = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
const names = ['libc.so.6', `libc.musl-${machine}.so.1`, 'libSystem.B.dylib'];

function open(name: string) {
  return dlopen(name, {
    flock: { args: ['int', 'int'], returns: 'int' },
    mmap: { args: ['ptr', 'usize', 'int', 'int', 'int', 'i64'], returns: 'ptr' },
    munmap: { args: ['ptr', 'usize'], returns: 'int' },
    madvise: { args: ['ptr', 'usize', 'int'], returns: 'int' },
    // The source is a number: any address in a mapping.
    memcpy: { args: ['ptr', 'usize', 'usize'], returns: 'void' },
    getrlimit: { args: ['int', 'ptr'], returns: 'int' },
    getpeername: { args: ['int', 'ptr', 'ptr'], returns: 'int' },
    getsockname: { args: ['int', 'ptr', 'ptr'], returns: 'int' },
    getsockopt: { args: ['int', 'int', 'int', 'ptr', 'ptr'], returns: 'int' },
    setsockopt: { args: ['int', 'int', 'int', 'ptr', 'u32'], returns: 'int' },
    shutdown: { args: ['int', 'int'], returns: 'int' },
    dup: { args: ['int'], returns: 'int' },
    dup2: { args: ['int', 'int'], returns: 'int' },
    listen: { args: ['int', 'int'], returns: 'int' },
  }).symbols;
}
export type Library = ReturnType<typeof open>;

/** Undefined before the first use; null if the C library can't be opened. */
let known: Library | null | undefined;

export function library(): Library | null {
  if (known === undefined) known = firstThatOpens(open);
  return known;
}

export function firstThatOpens<Opened>(openOne: (name: string) => Opened): Opened | null {
  for (const name of names) {
    try {
      return openOne(name);
    } catch {
      // Try the next name: this system has another library, or a library without the function.
    }
  }
  return null;
}

/** flock(2). @returns whether this process now holds the lock; null without a C library */
export function flock(file: number, operation: number): boolean | null {
  const c = library();
  return c === null ? null : c.flock(file, operation) === 0;
}

/** `RLIMIT_NOFILE`, as Linux and macOS have it. */
const limitOfFiles = process.platform === 'darwin' ? 8 : 7;

/** How many descriptors this process may have open; null if the system does not say. */
export function descriptorLimit(): number | null {
  const limits = new BigUint64Array(2);
  const told = library()?.getrlimit(limitOfFiles, ptr(limits)) === 0;
  return told ? Number(limits[0]) : null;
}
