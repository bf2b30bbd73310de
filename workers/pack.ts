/** Entry point of a thread in which the loader packs rows of tables. */
import { type PackingTasks, packingTasks } from '../src/loader/threads/packing-threads.ts';
import { doTasks } from '../src/threads/tasks.ts';

declare const self: Worker;

doTasks<PackingTasks>(self, packingTasks);
