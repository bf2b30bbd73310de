/** Entry point of the loader's search thread, which makes the search index during the rest of a load. */
import { type SearchNews, type SearchTask, searchThread } from '../src/loader/search/search-thread.ts';

declare const self: Worker;

const receive = searchThread((news: SearchNews) => self.postMessage(news));
self.onmessage = (event: MessageEvent<SearchTask>) => receive(event.data);
