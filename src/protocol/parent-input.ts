/**
 * The input of a process that works for another one: its first line is the order, and its end says that the other one
 * is gone, also if that was killed. Work that nobody waits for any more must not go on in the data folder.
 */
import type { Readable } from 'node:stream';
import { errorCode } from '../errors.ts';

/** @returns the first line. Whenever the input ends, this process ends too. */
export async function readOrder(input: Readable): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = '';
  input.setEncoding('utf8');
  input.on('data', (piece: string) => {
    text += piece;
    const end = text.indexOf('\n');
    if (end !== -1) resolve(text.slice(0, end));
  });
  input.on('end', endAbandoned);
  return await promise;
}

export function endAbandoned(): void {
  process.exit(3);
}

/**
 * Sends the order, one line. The input stays open, and the process with it.
 * A broken pipe means that the process has ended already; its exit says why.
 */
export async function giveOrder(order: string, input: Bun.FileSink): Promise<void> {
  try {
    input.write(`${order}\n`);
    await input.flush();
  } catch (error) {
    if (errorCode(error) !== 'EPIPE') throw error;
  }
}
