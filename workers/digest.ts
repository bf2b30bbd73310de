/** Entry point of a thread that digests stretches of large files, and copies them, beside the loader's own thread. */
import { digestStretch, type Stretch } from '../src/loader/digest/digest-files.ts';
import { answerTasks } from '../src/threads/answering-thread.ts';

declare const self: Worker;

answerTasks(self, (stretch: Stretch) => {
  digestStretch(stretch);
  return null;
});
