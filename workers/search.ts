/** Entry point of the loader's search thread, which makes the search index during the rest of a load. */
import { type SearchNews, type SearchTasks, searchTasks } from '../src/loader/search/search-thread.ts';
import { doTasks } from '../src/threads/tasks.ts';

declare const self: Worker;

doTasks<SearchTasks, SearchNews>(self, searchTasks);
