/** Entry point of a thread in which the loader parses pieces of large files. */
import { answerTasks } from '../src/answering-thread.ts';
import { memoryOfPiece, parseThread } from '../src/loader/threads/reading-threads.ts';

declare const self: Worker;

answerTasks(self, parseThread(), memoryOfPiece);
