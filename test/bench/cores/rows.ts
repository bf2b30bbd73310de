/**
 * Chooses what the `cores` part measures on a machine: how many fronts and query threads, and which cores each side
 * gets.
 */
import { threadsByDefault } from '../../../src/settings/rules.ts';
import type { Kind } from '../harness/questions.ts';

export interface Row {
  readonly fronts: number;
  readonly workers: number;
  /** Whether a service on this machine starts with these by default. */
  readonly byDefault: boolean;
}

/** What the caller chose. */
export interface Chosen {
  readonly fronts: number | undefined;
  readonly workers: number | undefined;
}

/** The load generator may need half of the cores; two fronts are measured on any machine, to show that they work. */
const frontsMeasuredMin = 2;

/**
 * As many fronts as query threads, 1, 2, 4, …, and at the end the machine's default.
 * @param only if given, there is one row
 */
export function rowsFor(cores: number, only: Chosen): Row[] {
  const own = threadsByDefault(cores);
  const { fronts = own.fronts, workers = own.workers } = only;
  if (isChosen(only)) return [marked({ fronts, workers }, own)];
  const rows: Row[] = [];
  for (let count = 1; count <= Math.max(frontsMeasuredMin, cores >> 1); count *= 2)
    rows.push(marked({ fronts: count, workers: count }, own));
  return rows.some(({ byDefault }) => byDefault) ? rows : [...rows, marked(own, own)];
}

export function isChosen({ fronts, workers }: Chosen): boolean {
  return fronts !== undefined || workers !== undefined;
}

type Counts = Omit<Row, 'byDefault'>;

function marked({ fronts, workers }: Counts, own: Counts): Row {
  return { fronts, workers, byDefault: fronts === own.fronts && workers === own.workers };
}

/** Numbers of query threads of one front, to measure what more of them cost; more than there are cores too. */
export const threadsOfOneFront = [1, 2, 4, 8] as const;

export const measuredKinds = ['look-up', 'search', 'mix'] as const satisfies readonly Kind[];
export type MeasuredKind = (typeof measuredKinds)[number];

/** The generator's share of the cores while it loads the service; a search makes it wait the longest. */
export const generatorShare: Readonly<Record<MeasuredKind, number>> = {
  'look-up': 1 / 2,
  search: 1 / 8,
  mix: 1 / 4,
};

/** The same for bare servers, which answer in about the time that a request takes to send. */
export const generatorShareBeside = 1 / 2;

export function nameOf({ fronts, workers, byDefault }: Row): string {
  return `${fronts} + ${workers}${byDefault ? ', the default' : ''}`;
}
