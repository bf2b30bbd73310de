/** Runs the two threads that the dispatch bench compares: a bare echo, and the thread's half of the line. */
import { AnsweringEnd } from '../../../src/dispatch/line.ts';
import type { ToQueryThread } from '../../../src/dispatch/query-threads.ts';
import { noNotices } from '../../../src/lei/notices.ts';
import { decodeBatch } from '../../../src/protocol/questions.ts';

declare const self: Worker;

const body = JSON.stringify({ lei: '5493001KJTIIGC8Y1R12', filling: 'x'.repeat(1500) });
const data = Buffer.from(body);

/** Answers as a query thread does, without a look-up. */
function echo(end: AnsweringEnd): never {
  for (;;) {
    const { rung } = end;
    for (let batch = end.nextBatch(); batch !== null; batch = end.nextBatch()) {
      const questions = decodeBatch(batch);
      questions.questions.forEach((_, position) => {
        const answer = { outcome: 'found' as const, data, next: null, notices: noNotices };
        end.answer({ batch: questions.batch, position }, answer);
      });
      end.tell();
    }
    end.sleep(rung);
  }
}

self.onmessage = (event: MessageEvent<string | ToQueryThread>) => {
  if (typeof event.data === 'string') self.postMessage(body);
  else if (event.data.op === 'listen') {
    const { call, values } = event.data;
    self.postMessage({ call, result: null });
    echo(new AnsweringEnd(values[0], (news) => self.postMessage(news)));
  }
};
self.postMessage('loaded');
