/** Entry point of the thread that changes the search index of a delta beside the rest of the load. */
import { answerTasks } from '../src/answering-thread.ts';
import { changeInPlace } from '../src/loader/search/change-index.ts';

declare const self: Worker;

answerTasks(self, changeInPlace);
