/**
 * Keeps descriptors free for the control socket and for files. Bun's server accepts connections until the process may
 * open no more; then it spins, new clients get nothing, and no command reaches the service. So this looks several times
 * a second how full the table of descriptors is, and ends connections past its cap, idle ones first.
 */
import { closeSync, openSync, readdirSync } from 'node:fs';
import { descriptorLimit, endConnection, tcpConnection } from '../../c-library.ts';
import type { Log } from '../log.ts';
import { type OpenConnection, toEnd } from './choose.ts';

const limits = {
  /** Fewer than this are worth a warning at start. */
  descriptorsWanted: 1_024,
  /** Kept free: this share of the limit, within these bounds. */
  keptShare: 1 / 8,
  keptMin: 16,
  keptMax: 256,
  /** A connection that was silent this long is idle, once descriptors run out. */
  idleMs: 1_000,
  lookEveryMs: 100,
  /** Looks between two counts where the limit is large: a count reads the whole table. */
  looksBetweenCounts: 10,
  /** While connections are ended, it is logged this often. */
  loggedEveryMs: 60_000,
} as const;

interface Parts {
  /** The port of the service. */
  readonly port: number;
  readonly log: Pick<Log, 'warn'>;
}

/** @returns stops it */
export function keepRoom({ port, log }: Parts): () => void {
  const limit = descriptorLimit();
  if (limit === null) return () => {};
  if (limit < limits.descriptorsWanted) {
    log.warn(
      `This process may open only ${limit} descriptors: about ${usableOf(limit)} connections and files at once. Raise it with ulimit -n, or LimitNOFILE in a systemd unit.`,
    );
  }
  const ended = reporter(log, limit);
  // With one in hand the table can be read when nothing else can be opened.
  let spare = tryOpen();
  let looks = 0;
  const timer = setInterval(() => {
    const counts = limit < limits.descriptorsWanted || looks++ % limits.looksBetweenCounts === 0;
    if (!counts && !seemsFull(usableOf(limit))) return;
    if (spare !== null) closeSync(spare);
    ended(endConnections(port, usableOf(limit)));
    spare = tryOpen();
  }, limits.lookEveryMs);
  return () => {
    clearInterval(timer);
    if (spare !== null) closeSync(spare);
  };
}

/** A new descriptor has the lowest free number: so many are open at least. */
function seemsFull(usable: number): boolean {
  const next = tryOpen();
  if (next !== null) closeSync(next);
  return next === null || next >= usable;
}

/** Descriptors that connections may take together with everything else. */
function usableOf(limit: number): number {
  const kept = Math.min(Math.max(limit * limits.keptShare, limits.keptMin), limits.keptMax);
  return Math.max(1, Math.floor(limit - kept));
}

function tryOpen(): number | null {
  try {
    return openSync('/dev/null', 'r');
  } catch {
    return null;
  }
}

/** Ends as many connections of the service as there are descriptors too many. @returns how many */
function endConnections(port: number, usable: number): number {
  const open = descriptors();
  const tooMany = open.length - usable;
  if (tooMany <= 0) return 0;
  const chosen = toEnd(connectionsAmong(open, port), tooMany, limits.idleMs);
  for (const { descriptor } of chosen) endConnection(descriptor);
  return chosen.length;
}

function descriptors(): readonly number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return [];
  }
}

function connectionsAmong(open: readonly number[], port: number): readonly OpenConnection[] {
  return open.flatMap((descriptor) => {
    const connection = tcpConnection(descriptor);
    if (connection === null || connection.localPort !== port) return [];
    return { descriptor, peer: connection.peer, idleMs: connection.idleMs };
  });
}

/** Adds up the connections that were ended, and tells the operator now and then. */
function reporter(log: Pick<Log, 'warn'>, limit: number): (count: number) => void {
  let untold = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  return (count) => {
    untold += count;
    if (untold === 0 || performance.now() - toldAt < limits.loggedEveryMs) return;
    log.warn('Descriptors run out: connections are ended, idle ones first.', { connections: untold, limit });
    untold = 0;
    toldAt = performance.now();
  };
}
