/** Entry point of a thread in which the loader unpacks a large file. */
import { memoryOfUnpacked, unpackThread } from '../src/loader/threads/unpack.ts';
import { answerTasks } from '../src/threads/answering-thread.ts';

declare const self: Worker;

answerTasks(self, unpackThread(), memoryOfUnpacked);
