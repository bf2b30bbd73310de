/** Entry point of a thread that matches the rows of a file. */
import { type MatchingTasks, matchingTasks } from '../src/match-file/match-thread.ts';
import { openEnvironment } from '../src/store/open-publication.ts';
import { doTasks } from '../src/threads/tasks.ts';

declare const self: Worker;

const [folder = '', id = ''] = process.argv.slice(2);
doTasks<MatchingTasks>(self, () => matchingTasks(openEnvironment(folder, id), () => process.exit(0)));
