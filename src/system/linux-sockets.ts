/** Chooses among the sockets that listen on one port, and changes the events of epoll. Only Linux can. */
import { dlopen, ptr } from 'bun:ffi';
import { firstThatOpens, library } from './library.ts';
import { socketLevel } from './sockets.ts';

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
