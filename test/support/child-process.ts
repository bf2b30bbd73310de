/** Finds and ends processes that other processes have started. */
import { readFileSync } from 'node:fs';

/**
 * The id of the child that a process has started last.
 * @throws if it has none: a signal to process 0 would go to the whole process group
 */
export function childOf(parent: number): number {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').match(/\d+/g);
  const last = children?.at(-1);
  if (last === undefined) throw new Error(`Process ${parent} has no child.`);
  return Number(last);
}

/** Ends a child process by a signal and returns when it has ended, without a turn of the event loop in between. */
export function endNow(pid: number, signal: NodeJS.Signals): void {
  process.kill(pid, signal);
  // The state is "Z" until the event loop reaps the process, which is after this function returns.
  while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
}
