/**
 * Changes the search index of a copy, in a thread beside the rest of the load if much changes; if it can't be changed,
 * it is rebuilt.
 */
import { answeringThread } from '../../answering-thread.ts';
import { openTables } from '../../store/tables.ts';
import type { Built, Draft } from '../build/build.ts';
import { changeInPlace, type IndexOutcome, type IndexTask } from './change-in-place.ts';
import { allLinks } from './company-facts.ts';
import { startIndexing } from './indexing.ts';
import { complete, dropSearchIndex, indexStored, withEnvironment } from './search-feed.ts';

const threadUrl = new URL('../../../workers/change-index.ts', import.meta.url).href;

/** From so many changed entities on a thread is worth it: starting one costs as much as the changes of a thousand. */
const threadEntitiesMin = 2_000;

/** Once it has settled, the copy is not written any more. */
export async function changeIndex(task: IndexTask): Promise<IndexOutcome> {
  if (task.changed.entities.size < threadEntitiesMin) return changeInPlace(task);
  const worker = new Worker(threadUrl);
  const name = 'The thread that changes the search index';
  const thread = answeringThread<IndexTask, IndexOutcome>(worker, name);
  return thread.ask(task).finally(thread.terminate);
}

interface ChangedCopy {
  readonly folder: string;
  readonly draft: Draft;
  readonly index: IndexOutcome;
  readonly progress: (share: number) => void;
  /** Receives the reason for a rebuild. */
  readonly message: (text: string) => void;
}

/** Completes the publication: its environment can then be opened. */
export async function finishIndex({ folder, draft, index, progress, message }: ChangedCopy): Promise<Built> {
  if (!('due' in index))
    return withEnvironment(folder, async (environment) => complete(environment, draft, index));
  message(`The search index is built anew, because ${index.due}.`);
  await dropSearchIndex(folder);
  const indexing = startIndexing();
  try {
    const links = await withEnvironment(folder, async (environment) =>
      allLinks(openTables(environment), draft),
    );
    return await indexStored(indexing, links, folder, draft, progress);
  } finally {
    indexing.end();
  }
}
