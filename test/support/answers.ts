/** Reads answers of query threads in tests. */
import type { QueryPool } from '../../src/front/contracts.ts';
import type { Answer, Question } from '../../src/protocol/questions.ts';

/** Copies the bytes of an answer, which are only valid for a moment. */
export function keep(answer: Answer): Answer {
  return answer.outcome === 'found' ? { ...answer, data: new Uint8Array(answer.data) } : answer;
}

/** Asks a pool and resolves with a lasting copy of the answer. */
export function asking(pool: QueryPool): (publicationId: string, question: Question) => Promise<Answer> {
  return (publicationId, question) =>
    new Promise((resolve) => {
      pool.ask(publicationId, question, (answer) => resolve(keep(answer)));
    });
}

/** UTF-8 bytes as text. */
function textIn(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

export function jsonIn(bytes: Uint8Array) {
  return JSON.parse(textIn(bytes));
}
