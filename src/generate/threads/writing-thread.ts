/** Runs in a thread that makes the text of a data set's files, or writes whole files. */
import type { Plan } from '../plans.ts';
import { createWorld } from '../world.ts';
import {
  allChunks,
  type Chunk,
  chunksOf,
  type GeneratedFile,
  type GenerateOptions,
  plansOf,
  writePlan,
} from '../write-plan.ts';

/** To the thread: the file by its index among the plans, and which part of it to make; null to write the file. */
export interface WriteTask {
  readonly options: GenerateOptions;
  readonly plan: number;
  readonly part: number | null;
}

export type Written =
  | { readonly is: 'file'; readonly file: GeneratedFile }
  | { readonly is: 'part'; readonly chunks: readonly Chunk[] };

/** From the thread while it writes a file: its rows so far. */
export interface RowsWritten {
  readonly file: string;
  readonly rows: number;
}

/** @returns the function to call with each task, once the previous one is done */
export function writingThread(): (task: WriteTask, tell: (news: RowsWritten) => void) => Promise<Written> {
  let plans: readonly Plan[] | null = null;
  return async ({ options, plan: place, part }, tell) => {
    plans ??= plansOf(createWorld(options.seed, options.entities), options);
    const plan = plans[place];
    if (plan === undefined) throw new Error(`There is no file ${place} to write.`);
    if (part !== null) return { is: 'part', chunks: [...chunksOf(plan, part)] };
    const progress = (file: string, rows: number) => tell({ file, rows });
    return { is: 'file', file: await writePlan(plan, allChunks(plan), options, progress) };
  };
}

export function memoryOfChunks(written: Written): ArrayBuffer[] {
  return written.is === 'part' ? written.chunks.map(({ bytes }) => bytes.buffer) : [];
}
