/** Entry point of a thread that makes the text of a synthetic data set's files, or writes them. */
import { memoryOfChunks, writingThread } from '../src/generate/threads/writing-thread.ts';
import { answerTasks } from '../src/threads/answering-thread.ts';

declare const self: Worker;

answerTasks(self, writingThread(), memoryOfChunks);
