/** Entry point of the thread that changes the search index of a delta beside the rest of the load. */
import { type ChangeTasks, changeInPlace } from '../src/loader/search/change-index.ts';
import { doTasks } from '../src/threads/tasks.ts';

declare const self: Worker;

doTasks<ChangeTasks>(self, () => ({ change: changeInPlace }));
