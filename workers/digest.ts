/** Entry point of a thread that digests stretches of large files, and copies them, beside the loader's own thread. */
import { type DigestTasks, digestStretch } from '../src/loader/digest/digest-files.ts';
import { doTasks } from '../src/threads/tasks.ts';

declare const self: Worker;

doTasks<DigestTasks>(self, () => ({ digest: digestStretch }));
