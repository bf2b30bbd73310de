/** Measures how busy the threads of a process are, by role. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { median } from './median.ts';
import { figure } from './report.ts';

export const roles = ['fronts', 'query threads', 'main', 'collector', 'compiler', 'others'] as const;
type Role = (typeof roles)[number];

/** Processor seconds of each thread since it started, by its number. */
export type ThreadTimes = ReadonlyMap<number, { readonly role: Role; readonly cpuSeconds: number }>;

/** Roles by the names that the service and its engine give to threads; Linux keeps 15 letters of a name. */
const names: readonly (readonly [RegExp, Role])[] = [
  [/^front-\d+$/, 'fronts'],
  [/^query$/, 'query threads'],
  [/ollector|HeapHelper|scavenger/, 'collector'],
  [/JIT|JSCWarmUp/, 'compiler'],
];

export function threadTimes(pid: number): ThreadTimes {
  const folder = `/proc/${pid}/task`;
  const times = new Map<number, { role: Role; cpuSeconds: number }>();
  for (const entry of existsSync(folder) ? readdirSync(folder) : []) {
    const thread = Number(entry);
    try {
      const name = readFileSync(`${folder}/${entry}/comm`, 'utf8').trim();
      const nanoseconds = Number(readFileSync(`${folder}/${entry}/schedstat`, 'utf8').split(' ')[0]);
      const role = thread === pid ? 'main' : (names.find(([pattern]) => pattern.test(name))?.[1] ?? 'others');
      times.set(thread, { role, cpuSeconds: nanoseconds / 1e9 });
    } catch {
      // The thread has ended since it was listed.
    }
  }
  return times;
}

/** How busy each thread of a role was, 1 for always; the busiest first. */
export type Busy = Readonly<Record<Role, readonly number[]>>;

export function busyBetween(before: ThreadTimes, after: ThreadTimes, seconds: number): Busy {
  return ofEachRole((role) =>
    [...after]
      .filter(([, thread]) => thread.role === role)
      .map(([thread, { cpuSeconds }]) => (cpuSeconds - (before.get(thread)?.cpuSeconds ?? 0)) / seconds)
      .toSorted((one, other) => other - one),
  );
}

/** The median of the busiest, of the second busiest, … thread of each role. */
export function typicalBusy(all: readonly Busy[]): Busy {
  return ofEachRole((role) => {
    const threads = Math.max(0, ...all.map((busy) => busy[role].length));
    return Array.from({ length: threads }, (_, place) => median(all.map((busy) => busy[role][place] ?? 0)));
  });
}

function ofEachRole<Value>(of: (role: Role) => Value): Record<Role, Value> {
  return {
    fronts: of('fronts'),
    'query threads': of('query threads'),
    main: of('main'),
    collector: of('collector'),
    compiler: of('compiler'),
    others: of('others'),
  };
}

/** Cells of a table for each role: the cores in use, in brackets the busiest thread of several. */
export function busyCells(busy: Busy): string[] {
  return roles.map((role) => {
    const threads = busy[role];
    const sum = figure(threads.reduce((total, each) => total + each, 0));
    return threads.length > 1 ? `${sum} (${figure(threads[0] ?? 0)})` : sum;
  });
}

/** The explanation of tables of busy threads. */
export const busyAre =
  'Cores in use by the threads of the service, in brackets the busiest of several: 1.00 is a thread that never waits. With one front, the main thread is the front.';
