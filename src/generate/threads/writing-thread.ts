/** A thread that writes files of a data set, one after the other. */
import { errorCode, reasonOf } from '../../errors.ts';
import { createWorld } from '../world.ts';
import { type GeneratedFile, type GenerateOptions, plansOf, writePlan } from '../write-plan.ts';

/** To the thread: the file to write, by its place among the plans. */
export interface WriteTask {
  readonly options: GenerateOptions;
  readonly plan: number;
}

/** From the thread. */
export type WriteNews =
  | { readonly news: 'progress'; readonly file: string; readonly rows: number }
  | { readonly news: 'written'; readonly file: GeneratedFile }
  /** The system's error, by its parts. */
  | { readonly news: 'failed'; readonly message: string; readonly code: string };

/** @returns the function to call with each task, once the one before is done */
export function writingThread(tell: (news: WriteNews) => void): (task: WriteTask) => Promise<void> {
  return async ({ options, plan: place }) => {
    try {
      const plan = plansOf(createWorld(options.seed, options.entities), options)[place];
      if (plan === undefined) throw new Error(`There is no file ${place} to write.`);
      const file = await writePlan(plan, options, (name, rows) =>
        tell({ news: 'progress', file: name, rows }),
      );
      tell({ news: 'written', file });
    } catch (error) {
      tell({ news: 'failed', message: reasonOf(error), code: errorCode(error) });
    }
  };
}
