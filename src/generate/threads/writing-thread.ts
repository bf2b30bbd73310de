/** Runs in a thread that makes the text of a data set's files, or writes whole files. */
import { errorCode, reasonOf } from '../../errors.ts';
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

/** From the thread. */
export type WriteNews =
  | { readonly news: 'progress'; readonly file: string; readonly rows: number }
  | { readonly news: 'written'; readonly written: Written }
  /** The parts of the system's error. */
  | { readonly news: 'failed'; readonly message: string; readonly code: string };

type Tell = (news: WriteNews, transfer?: ArrayBuffer[]) => void;

/** @returns the function to call with each task, once the previous one is done */
export function writingThread(tell: Tell): (task: WriteTask) => Promise<void> {
  let plans: readonly Plan[] | null = null;
  return async ({ options, plan: place, part }) => {
    try {
      plans ??= plansOf(createWorld(options.seed, options.entities), options);
      const plan = plans[place];
      if (plan === undefined) throw new Error(`There is no file ${place} to write.`);
      if (part === null) await writeWhole(plan, options, tell);
      else makePart(plan, part, tell);
    } catch (error) {
      tell({ news: 'failed', message: reasonOf(error), code: errorCode(error) });
    }
  };
}

async function writeWhole(plan: Plan, options: GenerateOptions, tell: Tell): Promise<void> {
  const progress = (file: string, rows: number) => tell({ news: 'progress', file, rows });
  const file = await writePlan(plan, allChunks(plan), options, progress);
  tell({ news: 'written', written: { is: 'file', file } });
}

function makePart(plan: Plan, part: number, tell: Tell): void {
  const chunks = [...chunksOf(plan, part)];
  const transfer = chunks.map(({ bytes }) => bytes.buffer);
  tell({ news: 'written', written: { is: 'part', chunks } }, transfer);
}
