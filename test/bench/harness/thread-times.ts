/** The processor time of a server by what its threads do, from /proc. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

/** Who uses processor time, in one unit for all. */
export interface ThreadTimes {
  /** The threads that answer HTTP: the main thread, and the fronts where they have threads of their own. */
  readonly front: number;
  readonly query: number;
  /** The engine's collector and compiler, and whatever else the process runs. */
  readonly others: number;
}

/** Microseconds of each thread since its start, by thread id. */
export type Reading = ReadonlyMap<string, { readonly role: keyof ThreadTimes; readonly micros: number }>;

/** Reads all threads of a process. */
export function readThreads(pid: number): Reading {
  const tasks = `/proc/${pid}/task`;
  return new Map(
    readdirSync(tasks).flatMap((thread) => {
      try {
        const name = readFileSync(`${tasks}/${thread}/comm`, 'utf8');
        const [nanos] = readFileSync(`${tasks}/${thread}/schedstat`, 'utf8').split(' ');
        const role = thread === String(pid) ? 'front' : roleOf(name);
        return [[thread, { role, micros: Number(nanos) / 1_000 }] as const];
      } catch {
        // It has ended since it was listed.
        return [];
      }
    }),
  );
}

/** The service names its threads. */
function roleOf(name: string): keyof ThreadTimes {
  if (name.startsWith('query')) return 'query';
  return name.startsWith('front') ? 'front' : 'others';
}

/** Microseconds for each of `requests` between two readings. */
export function microsBetween(before: Reading, after: Reading, requests: number): ThreadTimes {
  const sums = { front: 0, query: 0, others: 0 };
  for (const [thread, { role, micros }] of after) sums[role] += micros - (before.get(thread)?.micros ?? 0);
  const each = (sum: number) => sum / Math.max(1, requests);
  return { front: each(sums.front), query: each(sums.query), others: each(sums.others) };
}
