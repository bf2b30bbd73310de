/** Entry point of the loader's search thread, which makes the search index during the rest of a load. */
import { answerTasks } from '../src/answering-thread.ts';
import { searchThread } from '../src/loader/search/search-thread.ts';

declare const self: Worker;

answerTasks(self, searchThread());
