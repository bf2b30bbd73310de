/** Entry point of a thread in which the loader parses pieces of large files. */
import { memoryOfPiece, parseThread } from '../src/loader/threads/reading-threads.ts';
import { answerTasks } from '../src/threads/answering-thread.ts';

declare const self: Worker;

answerTasks(self, parseThread(), memoryOfPiece);
