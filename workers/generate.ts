/** Entry point of a thread that makes the text of a synthetic data set's files, or writes them. */
import { type WriteNews, type WriteTask, writingThread } from '../src/generate/threads/writing-thread.ts';

declare const self: Worker;

const receive = writingThread((news: WriteNews, transfer = []) => self.postMessage(news, transfer));
let done = Promise.resolve();
self.onmessage = (event: MessageEvent<WriteTask>) => {
  done = done.then(() => receive(event.data));
};
