/** Entry point of a thread that matches the rows of a file. */
import { type MatchNews, type MatchTask, matchThread } from '../src/match-file/match-thread.ts';
import { openEnvironment } from '../src/store/open-publication.ts';

declare const self: Worker;

const [folder = '', id = ''] = process.argv.slice(2);
const receive = matchThread(
  openEnvironment(folder, id),
  (news: MatchNews) => self.postMessage(news),
  () => process.exit(0),
);
self.onmessage = (event: MessageEvent<MatchTask>) => void receive(event.data);
