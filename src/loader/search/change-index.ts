/**
 * Changes the search index of a copy, in a thread beside the rest of the load if much changes; if it can't be changed,
 * it is rebuilt.
 */
import { answeringThread } from '../../answering-thread.ts';
import { openTables } from '../../store/tables.ts';
import type { Built, Draft } from '../build/build.ts';
import { changeInPlace, type IndexOutcome, type IndexTask } from './change-in-place.ts';
import { allLinks } from './company-facts.ts';
import { complete, createSearchFeed, dropSearchIndex, withEnvironment } from './search-feed.ts';

const threadUrl = new URL('../../../workers/change-index.ts', import.meta.url).href;

/** From the thread: the outcome, or the reason of its failure as a text. */
export type IndexNews = IndexOutcome | string;

/** From so many changed entities on a thread is worth it: starting one costs as much as the changes of a thousand. */
const threadEntitiesMin = 2_000;

/** Once it has settled, the copy is not written any more. */
export async function changeIndex(task: IndexTask): Promise<IndexOutcome> {
  if (task.changed.entities.size < threadEntitiesMin) return changeInPlace(task);
  const thread = answeringThread(
    new Worker(threadUrl),
    'The thread that changes the search index',
    (news: IndexNews) => (typeof news === 'string' ? { failure: new Error(news) } : { answer: news }),
  );
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
  const feed = createSearchFeed(false);
  try {
    const links = await withEnvironment(folder, async (environment) =>
      allLinks(openTables(environment), draft),
    );
    return await feed.finishWith(links, folder, draft, progress);
  } finally {
    feed.end();
  }
}
