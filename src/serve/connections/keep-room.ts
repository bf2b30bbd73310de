/**
 * Keeps descriptors free for the control socket and for files. Bun's server accepts connections until the process may
 * open no more; then it spins, new clients get nothing, and no command reaches the service. So this file checks several
 * times a second how full the table of descriptors is. It ends connections beyond the caps, idle ones first, and
 * accepts new ones near the cap only if there is room (decision 065).
 */
import { closeSync, openSync, readdirSync } from 'node:fs';
import { bodyLimits } from '../../http/bodies/limits.ts';
import type { Log } from '../../log/log.ts';
import { descriptorLimit } from '../../system/library.ts';
import {
  boundConnections,
  endConnection,
  listensOn,
  setBacklog,
  tcpConnection,
} from '../../system/sockets.ts';
import { beyondCap, type OpenConnection, toEnd } from './choose.ts';
import { type ConnectionCaps, capsOf, connectionLimits } from './limits.ts';
import { Valve } from './valve.ts';

interface RoomParts {
  /** The port of the service, which already listens. */
  readonly port: number;
  readonly log: Pick<Log, 'warn'>;
  /** Whether an address, as the hexadecimal digits of its bytes, is a trusted proxy's. */
  readonly isProxy: (peer: string) => boolean;
}

interface KeptRoom {
  /** Includes a front that began to listen later. */
  listenerAdded(): void;
  stop(): void;
}

export function keepRoom(parts: RoomParts): KeptRoom {
  const limit = descriptorLimit();
  if (limit === null) return { listenerAdded: () => {}, stop: () => {} };
  if (limit < connectionLimits.descriptorsWanted) {
    parts.log.warn(
      `This process may open only ${limit} descriptors: about ${capsOf(limit).open} connections and files at once. Raise the limit with ulimit -n, or LimitNOFILE in a systemd unit.`,
    );
  }
  const room = new Room(parts, limit);
  const timer = setInterval(() => room.look(), connectionLimits.lookEveryMs);
  return {
    listenerAdded: () => room.boundListeners(),
    stop() {
      clearInterval(timer);
      room.leave();
    },
  };
}

class Room {
  readonly #parts: RoomParts;
  readonly #caps: ConnectionCaps;
  readonly #ended: (count: number) => void;
  /** A spare descriptor, so that the table can be read when no other can be opened. */
  #spare = tryOpen();
  /** Null while every new connection is accepted at once. */
  #valve: Valve | null = null;
  #looks = 0;

  constructor(parts: RoomParts, limit: number) {
    this.#parts = parts;
    this.#caps = capsOf(limit);
    this.#ended = reporter(parts.log, limit);
    this.boundListeners();
  }

  /** Sets the limits of the current listeners; together they have one backlog. */
  boundListeners(): void {
    const listeners = listenersOn(this.#parts.port);
    for (const listener of listeners) {
      boundConnections(listener, bodyLimits.untakenMsMax, bodyLimits.kernelBytesMax);
      setBacklog(listener, Math.ceil(this.#caps.backlog / listeners.length));
    }
    // A closed valve knows only the earlier listeners; the next check makes a new one.
    this.#valve?.open();
    this.#valve = null;
  }

  look(): void {
    const isDue = this.#looks++ % connectionLimits.looksBetweenCounts === 0;
    if (!isDue && this.#valve === null && !seemsFull(this.#caps.metered)) return;
    if (this.#spare !== null) closeSync(this.#spare);
    const open = descriptors();
    const ended = this.#end(open, isDue);
    this.#ended(ended);
    this.#meter(open, open.length - ended);
    this.#spare = tryOpen();
  }

  leave(): void {
    this.#valve?.open();
    if (this.#spare !== null) closeSync(this.#spare);
  }

  /** Ends connections beyond the caps. @returns how many */
  #end(open: readonly number[], isDue: boolean): number {
    const { port, isProxy } = this.#parts;
    const tooMany = open.length - this.#caps.open;
    const peersMayBeOver = isDue && open.length > this.#caps.ofPeer;
    if (tooMany <= 0 && !peersMayBeOver) return 0;
    const connections = connectionsAmong(open, port);
    const chosen = new Set(beyondCap(connections, this.#caps.ofPeer, isProxy));
    const others = connections.filter((connection) => !chosen.has(connection));
    for (const more of toEnd(others, Math.max(0, tooMany - chosen.size), connectionLimits.idleMs))
      chosen.add(more);
    for (const { descriptor } of chosen) endConnection(descriptor);
    return chosen.size;
  }

  /** Near the cap the valve is closed, and opened for a moment if there is room for all that wait. */
  #meter(open: readonly number[], count: number): void {
    if (count < this.#caps.metered) {
      this.#valve?.open();
      this.#valve = null;
      return;
    }
    this.#valve ??= new Valve(open, listenersAmong(open, this.#parts.port));
    const valve = this.#valve;
    if (count > this.#caps.open) valve.close();
    else {
      valve.open();
      // By now the server has accepted the waiting connections.
      setTimeout(() => this.#valve?.close(), 0);
    }
  }
}

/** A new descriptor gets the lowest free number, so at least this many are open. */
function seemsFull(usable: number): boolean {
  const next = tryOpen();
  if (next !== null) closeSync(next);
  return next === null || next >= usable;
}

function tryOpen(): number | null {
  try {
    return openSync('/dev/null', 'r');
  } catch {
    return null;
  }
}

function descriptors(): readonly number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return [];
  }
}

/** The descriptors of this process that listen on a port. */
export function listenersOn(port: number): readonly number[] {
  return listenersAmong(descriptors(), port);
}

function listenersAmong(open: readonly number[], port: number): readonly number[] {
  return open.filter((descriptor) => listensOn(descriptor, port));
}

function connectionsAmong(open: readonly number[], port: number): readonly OpenConnection[] {
  return open.flatMap((descriptor) => {
    const connection = tcpConnection(descriptor);
    if (connection === null || connection.localPort !== port) return [];
    return { descriptor, peer: connection.peer, idleMs: connection.idleMs };
  });
}

/** Counts the connections that were ended, and warns the operator from time to time. */
function reporter(log: Pick<Log, 'warn'>, limit: number): (count: number) => void {
  let untold = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  return (count) => {
    untold += count;
    if (untold === 0 || performance.now() - toldAt < connectionLimits.loggedEveryMs) return;
    log.warn('Too many connections: some are closed, idle ones first.', { connections: untold, limit });
    untold = 0;
    toldAt = performance.now();
  };
}
