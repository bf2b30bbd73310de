/** Changes what an epoll instance waits for. Only Linux has it. */
import { dlopen, ptr } from 'bun:ffi';
import { firstThatOpens } from './library.ts';

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
