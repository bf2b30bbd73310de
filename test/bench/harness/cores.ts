/** Divides the cores of the machine between a server and the load generator. */
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Server } from './processes.ts';

/** With fewer cores, separated server and generator would both be cramped. */
const coresToSplitMin = 4;

/**
 * The cores that this process may use, threads of one core next to each other. There are fewer if a container has only
 * a part of their time.
 */
export function usableCores(): number[] {
  const allowed = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
  const cores = numbersIn(allowed);
  const firstThread = new Map(cores.map((core) => [core, firstThreadOf(core)]));
  const place = (core: number) => firstThread.get(core) ?? core;
  return cores
    .toSorted((one, other) => place(one) - place(other) || one - other)
    .slice(0, availableParallelism());
}

/** Parses a list in Linux notation, such as `0-3,8`. */
export function numbersIn(list: string): number[] {
  return list.split(',').flatMap((part) => {
    const [from = 0, to = from] = part.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

function firstThreadOf(core: number): number {
  const path = `/sys/devices/system/cpu/cpu${core}/topology/thread_siblings_list`;
  return existsSync(path) ? (numbersIn(readFileSync(path, 'utf8').trim())[0] ?? core) : core;
}

export interface CoreSplit {
  readonly server: readonly number[];
  readonly generator: readonly number[];
  /** Whether the two have no core in common. */
  readonly apart: boolean;
}

/**
 * Splits cores between a server and its load generator.
 * @param share of the generator, 0 to 1; it has one core at least
 */
export function splitCores(cores: readonly number[], share: number): CoreSplit {
  if (cores.length < coresToSplitMin || Bun.which('taskset') === null)
    return { server: cores, generator: cores, apart: false };
  const first = cores.length - Math.max(1, Math.round(cores.length * share));
  return { server: cores.slice(0, first), generator: cores.slice(first), apart: true };
}

/** The beginning of a command that runs on these cores; empty for no cores. */
export function onCores(cores: readonly number[]): string[] {
  return cores.length === 0 ? [] : ['taskset', '--cpu-list', cores.join(',')];
}

/** Moves all threads of a server to these cores. */
export function moveTo(cores: readonly number[], { pid, alsoPids = [] }: Server): void {
  for (const each of [pid, ...alsoPids])
    Bun.spawnSync(['taskset', '--all-tasks', '--cpu-list', '--pid', cores.join(','), String(each)]);
}
