/** The two ends that the dispatch bench compares: a bare echo, and the thread's half of the batched wire. */
import { decodeQuestions, encodeAnswer, joinPart, openAnswers } from '../../../src/protocol/batch.ts';

declare const self: Worker;

const notices = { bic: false, mic: false, gem: false };
const body = JSON.stringify({ lei: '5493001KJTIIGC8Y1R12', filling: 'x'.repeat(1500) });

self.onmessage = (event: MessageEvent<string>) => {
  if (process.argv[2] === 'bare') {
    self.postMessage(body);
    return;
  }
  const { batch, questions } = decodeQuestions(event.data);
  let run = openAnswers(batch, 0);
  for (const _ of questions) {
    run = joinPart(run, encodeAnswer({ outcome: 'found', data: body, next: null, notices }));
  }
  self.postMessage(run);
};
self.postMessage({ report: 'ready' });
