/** Reads and changes sockets of this process by their descriptors. */
import { type Pointer, ptr } from 'bun:ffi';
import { type Library, library } from './library.ts';

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
export const socketLevel = 1;
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

/** Ends both directions of a connection: the owner of the descriptor reads its end and closes it. */
export function endConnection(file: number): void {
  library()?.shutdown(file, 2);
}
