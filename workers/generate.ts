/** Entry point of a thread that makes the text of a synthetic data set's files, or writes them. */
import { type WritingNews, type WritingTasks, writingTasks } from '../src/generate/threads/writing-thread.ts';
import { doTasks } from '../src/threads/tasks.ts';

declare const self: Worker;

doTasks<WritingTasks, WritingNews>(self, writingTasks);
