/** Entry point of a thread in which the loader packs rows of tables. */
import { answerTasks } from '../src/answering-thread.ts';
import { memoryOfRows, packThread } from '../src/loader/threads/packing-threads.ts';

declare const self: Worker;

answerTasks(self, packThread(), memoryOfRows);
