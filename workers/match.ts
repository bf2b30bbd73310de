/** Entry point of a thread that matches the rows of a file. */
import { matchThread } from '../src/match-file/match-thread.ts';
import { openEnvironment } from '../src/store/open-publication.ts';
import { answerTasks } from '../src/threads/answering-thread.ts';

declare const self: Worker;

const [folder = '', id = ''] = process.argv.slice(2);
answerTasks(
  self,
  matchThread(openEnvironment(folder, id), () => process.exit(0)),
);
