/** Entry point of a thread in which the loader unpacks a large file. */
import { type UnpackNews, type UnpackTask, unpackThread } from '../src/loader/threads/unpack-thread.ts';

declare const self: Worker;

const receive = unpackThread((news: UnpackNews, transfer) => self.postMessage(news, transfer));
self.onmessage = (event: MessageEvent<UnpackTask>) => receive(event.data);
