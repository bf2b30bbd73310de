/** Entry point of a thread in which the loader parses pieces of large files. */
import { type ParseNews, type ParseTask, parseThread } from '../src/loader/threads/parse-thread.ts';

declare const self: Worker;

const receive = parseThread((news: ParseNews, transfer) => self.postMessage(news, transfer));
self.onmessage = (event: MessageEvent<ParseTask>) => receive(event.data);
