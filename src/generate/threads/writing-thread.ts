/** Runs in a thread that makes the text of a data set's files, or writes whole files. */
import { type CallHandlers, type CallingEnd, ResultWithMemory } from '../../threads/calls.ts';
import type { FilePlan } from '../plans.ts';
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

/** The tasks of a writing thread. Each names a file by its index among the plans. */
export interface WritingTasks {
  makePart(options: GenerateOptions, place: number, part: number): readonly Chunk[];
  writeFile(options: GenerateOptions, place: number): GeneratedFile;
}

/** From the thread while it writes a file. */
export interface WritingNews {
  /** The rows so far. */
  rows(file: string, count: number): void;
}

/** Runs in the thread. */
export function writingTasks(news: Pick<CallingEnd<WritingNews>, 'tell'>): CallHandlers<WritingTasks> {
  let plans: readonly FilePlan[] | null = null;
  const planAt = (options: GenerateOptions, place: number): FilePlan => {
    plans ??= plansOf(createWorld(options.seed, options.entities), options);
    const plan = plans[place];
    if (plan === undefined) throw new Error(`There is no file ${place} to write.`);
    return plan;
  };
  return {
    makePart(options, place, part) {
      const chunks = [...chunksOf(planAt(options, place), part)];
      return new ResultWithMemory(
        chunks,
        chunks.map(({ bytes }) => bytes.buffer),
      );
    },
    writeFile(options, place) {
      const plan = planAt(options, place);
      return writePlan(plan, allChunks(plan), options, (file, rows) => news.tell('rows', [file, rows]));
    },
  };
}
