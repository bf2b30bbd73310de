/** Entry point of the thread that changes the search index of a delta beside the rest of the load. */
import { placeOf } from '../src/errors.ts';
import { changeInPlace, type IndexTask } from '../src/loader/search/change-in-place.ts';
import type { IndexNews } from '../src/loader/search/change-index.ts';

declare const self: Worker;

const tell = (news: IndexNews) => self.postMessage(news);
self.onmessage = ({ data: task }: MessageEvent<IndexTask>) =>
  void changeInPlace(task).then(tell, (error: unknown) => tell(placeOf(error)));
