/** Chooses among the sockets that listen on one port. Only Linux can. */
import { ptr } from 'bun:ffi';
import { library } from './library.ts';
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
