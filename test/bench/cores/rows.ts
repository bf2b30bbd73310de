/** What the part `cores` measures on a machine: how many fronts and query threads, and who has which cores. */
import { threadsByDefault } from '../../../src/config.ts';
import type { Kind } from '../harness/questions.ts';

export interface Row {
  readonly fronts: number;
  readonly workers: number;
  /** Whether a service on this machine has these without any setting. */
  readonly byDefault: boolean;
}

/** What the caller chose. */
export interface Chosen {
  readonly fronts: number | undefined;
  readonly workers: number | undefined;
}

/** Half of the cores may be needed to ask; two fronts are measured on any machine, to show that they work. */
const frontsMeasuredMin = 2;

/**
 * As many fronts as query threads, 1, 2, 4, …, and at the end what the machine has by default.
 * @param only where anything is chosen, there is one row
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

/** Query threads of one front, for what more of them cost it; also where the cores are fewer. */
export const threadsOfOneFront = [1, 2, 4, 8] as const;

export const measuredKinds = ['look-up', 'search', 'mix'] as const satisfies readonly Kind[];
export type MeasuredKind = (typeof measuredKinds)[number];

/** The part of the cores that the generator has while it asks the service; a search keeps it waiting the longest. */
export const generatorShare: Readonly<Record<MeasuredKind, number>> = {
  'look-up': 1 / 2,
  search: 1 / 8,
  mix: 1 / 4,
};

/** The same for bare servers, which answer everything in about the time that asking takes. */
export const generatorShareBeside = 1 / 2;

export function nameOf({ fronts, workers, byDefault }: Row): string {
  return `${fronts} + ${workers}${byDefault ? ', the default' : ''}`;
}
