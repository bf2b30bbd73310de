/** Entry point of the loader's search thread, which makes the search index during the rest of a load. */
import { searchThread } from '../src/loader/search/search-thread.ts';
import { answerTasks } from '../src/threads/answering-thread.ts';

declare const self: Worker;

answerTasks(self, searchThread());
