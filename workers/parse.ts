/** Entry point of a thread in which the loader parses pieces of large files. */
import { type ReadingTasks, readingTasks } from '../src/loader/threads/reading-threads.ts';
import { doTasks } from '../src/threads/tasks.ts';

declare const self: Worker;

doTasks<ReadingTasks>(self, readingTasks);
