/** Entry point of the thread that changes the search index of a delta beside the rest of the load. */
import { changeInPlace } from '../src/loader/search/change-index.ts';
import { answerTasks } from '../src/threads/answering-thread.ts';

declare const self: Worker;

answerTasks(self, changeInPlace);
