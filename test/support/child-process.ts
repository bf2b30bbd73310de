/** Processes that others have started, found and ended as only the system can. */
import { readFileSync } from 'node:fs';

/**
 * The number of the process that another one, or this one, has started last.
 * @throws where it has none: a signal to process 0 would go to all of ours
 */
export function childOf(parent: number): number {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').match(/\d+/g);
  const last = children?.at(-1);
  if (last === undefined) throw new Error(`Process ${parent} has no child.`);
  return Number(last);
}

/** Ends a process of ours by a signal and returns when it has ended, so that nothing can happen in between. */
export function endNow(pid: number, signal: NodeJS.Signals): void {
  process.kill(pid, signal);
  // "Z" until it is waited for, which cannot be before this returns.
  while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')));
}
