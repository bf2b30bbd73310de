/** Runs a thread whose tasks turn out as their names say. */
import { doTasks } from '../../src/threads/tasks.ts';
import { type TestedNews, type TestedTasks, workingTasks } from './working-tasks.ts';

declare const self: Worker;

doTasks<TestedTasks, TestedNews>(self, workingTasks);
