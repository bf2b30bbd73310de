/** Entry point of a thread in which the loader unpacks a large file. */
import { type UnpackingTasks, unpackingTasks } from '../src/loader/threads/unpack.ts';
import { doTasks } from '../src/threads/tasks.ts';

declare const self: Worker;

doTasks<UnpackingTasks>(self, unpackingTasks);
