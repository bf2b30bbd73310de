/** Entry point of a query thread: wires the worker's port to {@link attend}. */
import { expectFreeing } from '../src/protocol/free-memory.ts';
import type { AnswerNews, ThreadCommand, ThreadReport } from '../src/protocol/thread-messages.ts';
import { layout } from '../src/publication/layout.ts';
import { attend } from '../src/query/attend.ts';
import { openPublication } from '../src/store/open-publication.ts';

declare const self: Worker;

expectFreeing();
const [dataDir = '', basePath = ''] = process.argv.slice(2);
const paths = layout(dataDir);
const receive = attend((id) => openPublication(paths, id, basePath), {
  post: (message: ThreadReport | AnswerNews, transfer = []) => self.postMessage(message, transfer),
  end: () => process.exit(0),
});

// Before any await, here or in an import: messages without a handler are dropped.
self.onmessage = (event: MessageEvent<ThreadCommand>) => receive(event.data);
self.postMessage({ report: 'ready' } satisfies ThreadReport);
