/** Entry point of a thread that digests stretches of large files, and copies them, beside the loader's own thread. */

import { reasonOf } from '../src/errors.ts';
import { digestStretch, type Stretch } from '../src/loader/digest/stretch.ts';

declare const self: Worker;

/** Answers with null, or with why it failed: an Error would lose the system's own message. */
self.onmessage = ({ data: stretch }: MessageEvent<Stretch>) => {
  try {
    digestStretch(stretch);
    self.postMessage(null);
  } catch (error) {
    self.postMessage(reasonOf(error));
  }
};
