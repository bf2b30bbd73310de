/** Entry point of a thread in which the loader unpacks a large file. */
import { answerTasks } from '../src/answering-thread.ts';
import { memoryOfUnpacked, unpackThread } from '../src/loader/threads/unpack.ts';

declare const self: Worker;

answerTasks(self, unpackThread(), memoryOfUnpacked);
