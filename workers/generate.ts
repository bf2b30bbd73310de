/** Entry point of a thread that writes files of a synthetic data set. */
import { type WriteNews, type WriteTask, writingThread } from '../src/generate/threads/writing-thread.ts';

declare const self: Worker;

const receive = writingThread((news: WriteNews) => self.postMessage(news));
self.onmessage = (event: MessageEvent<WriteTask>) => void receive(event.data);
