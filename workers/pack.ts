/** Entry point of a thread in which the loader packs rows of tables. */
import type { PackTask } from '../src/loader/build/packer.ts';
import { type PackNews, packThread } from '../src/loader/threads/pack-thread.ts';

declare const self: Worker;

const receive = packThread((news: PackNews, transfer) => self.postMessage(news, transfer));
self.onmessage = (event: MessageEvent<PackTask>) => receive(event.data);
