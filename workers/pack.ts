/** Entry point of a thread in which the loader packs rows of tables. */
import { memoryOfRows, packThread } from '../src/loader/threads/packing-threads.ts';
import { answerTasks } from '../src/threads/answering-thread.ts';

declare const self: Worker;

answerTasks(self, packThread(), memoryOfRows);
