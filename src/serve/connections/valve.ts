/**
 * Lets the server accept new connections, or keeps them waiting in the kernel. Bun's server has no such switch, but the
 * kernel reports which events each of its event loops waits for at a listening socket, and lets them be changed.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { changeEpoll } from '../../system/linux-sockets.ts';

/** The registration of one listening socket in one event loop. */
interface Wait {
  readonly epoll: number;
  readonly listener: number;
  readonly events: number;
  readonly data: bigint;
}

export class Valve {
  readonly #waits: readonly Wait[];

  /** @param open all descriptors of this process @param listeners those that listen */
  constructor(open: readonly number[], listeners: readonly number[]) {
    this.#waits = open.filter(isEpoll).flatMap((epoll) => waitsOf(epoll, listeners));
  }

  /** New connections wait in the kernel. */
  close(): void {
    for (const { epoll, listener, data } of this.#waits) changeEpoll(epoll, listener, 0, data);
  }

  open(): void {
    for (const { epoll, listener, events, data } of this.#waits) changeEpoll(epoll, listener, events, data);
  }
}

function isEpoll(file: number): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${file}`) === 'anon_inode:[eventpoll]';
  } catch {
    return false;
  }
}

/** As `proc_pid_fdinfo(5)` describes them: `tfd: 5 events: 19 data: 47ffb1c4ce0`, all but the first hexadecimal. */
function waitsOf(epoll: number, listeners: readonly number[]): readonly Wait[] {
  const lines = readFileSync(`/proc/self/fdinfo/${epoll}`, 'utf8').matchAll(
    /^tfd: +(\d+) events: +([\da-f]+) data: +([\da-f]+)/gm,
  );
  return Array.from(lines, ([, file = '', events = '', data = '']) => ({
    epoll,
    listener: Number(file),
    events: Number.parseInt(events, 16),
    data: BigInt(`0x${data}`),
  })).filter(({ listener, events }) => listeners.includes(listener) && events !== 0);
}
