/** Entry point of the thread that makes a search index beside the rest of a load: wires the worker's port to it. */
import { type SearchNews, type SearchTask, searchThread } from '../src/loader/search/search-thread.ts';

declare const self: Worker;

const receive = searchThread((news: SearchNews) => self.postMessage(news));
self.onmessage = (event: MessageEvent<SearchTask>) => receive(event.data);
