/**
 * Calls the C library through Bun's foreign functions, for system calls that the runtime lacks. On a system whose C
 * library has another name, every function reports that it can do nothing.
 */
import { dlopen, type Pointer, ptr, read, toArrayBuffer } from 'bun:ffi';
import { closeSync, fstatSync, openSync } from 'node:fs';

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
    listen: { args: ['int', 'int'], returns: 'int' },
  }).symbols;
}
type Library = ReturnType<typeof open>;

/** Undefined before the first use; null if the C library can't be opened. */
let known: Library | null | undefined;

function library(): Library | null {
  if (known === undefined) known = firstThatOpens(open);
  return known;
}

function firstThatOpens<Opened>(openOne: (name: string) => Opened): Opened | null {
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

/**
 * Reads a file through a memory mapping: many scattered small reads of a large file at the cost of reading memory.
 * Threads and processes that map the same file share one copy of it in memory.
 */
export class MappedFile {
  readonly path: string;
  /** In bytes. */
  readonly length: number;
  readonly #library = library();
  /** Null for an empty file, every read of which is out of bounds, and once it is closed. */
  #base: Pointer | null;
  /** Unmaps the file when it is collected, or when its thread ends. */
  readonly guard: ArrayBuffer | null;

  /**
   * @param scattered whether reads are scattered, so that reading ahead would waste the disk's time
   * @throws the system's error if the file can't be opened, and an Error if it can't be mapped
   */
  constructor(path: string, scattered: boolean) {
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
    if (this.#base !== null && scattered) c?.madvise(this.#base, this.length, adviceRandom);
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

/** `RLIMIT_NOFILE`, as Linux and macOS have it. */
const limitOfFiles = process.platform === 'darwin' ? 8 : 7;

/** How many descriptors this process may have open; null if the system does not say. */
export function descriptorLimit(): number | null {
  const limits = new BigUint64Array(2);
  const told = library()?.getrlimit(limitOfFiles, ptr(limits)) === 0;
  return told ? Number(limits[0]) : null;
}

/** A TCP connection, as reported by the Linux kernel. */
interface TcpConnection {
  readonly localPort: number;
  /** The bytes of the other end's address, as hexadecimal digits. */
  readonly peer: string;
  /** Since anything was sent or received. */
  readonly idleMs: number;
}

/** `AF_INET` and `AF_INET6`, with offset and length of the address in their structures. */
const addressPlaces = new Map([
  [2, [4, 8]],
  [10, [8, 24]],
]);
const tcpLevel = 6;
const tcpInfo = 11;
/** Offsets in `struct tcp_info`: milliseconds since data was last sent and received. */
const lastSent = 44;
const lastReceived = 52;
const tcpInfoBytes = 104;

/** Reused by every call, because thousands of descriptors are checked in a row. */
const value = Buffer.alloc(128);
const valueLength = new Uint32Array(1);

/** @returns what the call wrote, valid until the next one; null if it failed */
function answerOf(call: (value: Pointer, length: Pointer) => number, size = value.length): Buffer | null {
  valueLength[0] = size;
  return call(ptr(value), ptr(valueLength)) === 0 ? value : null;
}

/**
 * The TCP connection of a descriptor of this process; null for any other descriptor, and on systems other than Linux.
 */
export function tcpConnection(file: number): TcpConnection | null {
  const c = library();
  if (c === null || process.platform !== 'linux') return null;
  const address = answerOf((to, length) => c.getpeername(file, to, length));
  const place = addressPlaces.get(address?.readUInt16LE(0) ?? 0);
  if (address === null || place === undefined) return null;
  const peer = address.toString('hex', ...place);
  const localPort = portOf(file, c);
  const info = answerOf((to, length) => c.getsockopt(file, tcpLevel, tcpInfo, to, length), tcpInfoBytes);
  if (localPort === null || info === null) return null;
  const idleMs = Math.min(info.readUInt32LE(lastSent), info.readUInt32LE(lastReceived));
  return { localPort, peer, idleMs };
}

/** The port that a socket of this process is bound to; null for any other descriptor. */
function portOf(file: number, c: Library): number | null {
  const own = answerOf((to, length) => c.getsockname(file, to, length));
  return own !== null && addressPlaces.has(own.readUInt16LE(0)) ? own.readUInt16BE(2) : null;
}

/** `SOL_SOCKET`, `SO_ACCEPTCONN`, `TCP_USER_TIMEOUT` and `TCP_NOTSENT_LOWAT` of Linux. */
const socketLevel = 1;
const acceptsConnections = 30;
const tcpUserTimeout = 18;
const tcpNotSentLowWater = 25;

/** Whether a descriptor of this process listens on a TCP port. False on other systems than Linux. */
export function listensOn(file: number, port: number): boolean {
  const c = library();
  if (c === null || process.platform !== 'linux' || portOf(file, c) !== port) return false;
  const answer = answerOf((to, length) => c.getsockopt(file, socketLevel, acceptsConnections, to, length), 4);
  return answer?.readInt32LE(0) === 1;
}

/**
 * Limits what the kernel keeps for every connection that is accepted from now on.
 * @param untakenMs a connection ends if its other end accepts no data for this long
 * @param unsentBytes the most that the kernel buffers beyond what it can send at once
 */
export function boundConnections(listener: number, untakenMs: number, unsentBytes: number): void {
  const set = (name: number, number: number) =>
    library()?.setsockopt(listener, tcpLevel, name, ptr(new Int32Array([number])), 4);
  set(tcpUserTimeout, untakenMs);
  set(tcpNotSentLowWater, unsentBytes);
}

/** Sets how many new connections wait until they are accepted; the kernel makes others try again. */
export function setBacklog(listener: number, connections: number): void {
  library()?.listen(listener, connections);
}

/** Separate from the other functions, because only Linux has it. */
function openEpoll(name: string) {
  return dlopen(name, { epoll_ctl: { args: ['int', 'int', 'int', 'ptr'], returns: 'int' } }).symbols;
}
let knownEpoll: ReturnType<typeof openEpoll> | null | undefined;

const changeEvents = 3;
/** `struct epoll_event` is packed only on x86. */
const dataPlace = process.arch === 'x64' ? 4 : 8;

/** Changes the events that an epoll instance waits for at a descriptor. @param data as it was given before */
export function changeEpoll(epoll: number, file: number, events: number, data: bigint): boolean {
  if (knownEpoll === undefined) knownEpoll = firstThatOpens(openEpoll);
  const event = Buffer.alloc(16);
  event.writeUInt32LE(events, 0);
  event.writeBigUInt64LE(data, dataPlace);
  return knownEpoll?.epoll_ctl(epoll, changeEvents, file, ptr(event)) === 0;
}

/** `SO_ATTACH_REUSEPORT_CBPF` of Linux. */
const attachReusePortProgram = 51;

/** An instruction of classic BPF: `code`, two jumps, a number. */
export type BpfInstruction = readonly [code: number, whereTrue: number, whereFalse: number, number: number];

/**
 * Attaches a program to the sockets that listen on one port: it chooses, by index in their group, which one gets a new
 * connection.
 * @param listener any of them
 * @returns whether the kernel accepted it
 */
export function chooseListener(listener: number, program: readonly BpfInstruction[]): boolean {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, whereTrue, whereFalse, number]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(whereTrue, index * 8 + 2);
    bytes.writeUInt8(whereFalse, index * 8 + 3);
    bytes.writeUInt32LE(number, index * 8 + 4);
  }
  const description = Buffer.alloc(16);
  description.writeUInt16LE(program.length, 0);
  description.writeBigUInt64LE(BigInt(ptr(bytes)), 8);
  const set = library()?.setsockopt(listener, socketLevel, attachReusePortProgram, ptr(description), 16);
  return process.platform === 'linux' && set === 0;
}

/** Ends both directions of a connection: the owner of the descriptor reads its end and closes it. */
export function endConnection(file: number): void {
  library()?.shutdown(file, 2);
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
