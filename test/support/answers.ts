/** Decodes answers of query threads in tests. */
import type { QueryPool } from '../../src/dispatch/query-threads.ts';
import type { Answer, AnswerPart, Question } from '../../src/protocol/questions.ts';

/** Copies the bytes of an answer, which are only valid for a moment. */
export function keep<Kept extends Answer | AnswerPart>(answer: Kept): Kept {
  return answer.outcome === 'found' || answer.outcome === 'part'
    ? { ...answer, data: new Uint8Array(answer.data) }
    : answer;
}

/** Asks a pool and waits for the answer, and copies it so that it stays valid. */
export function asking(
  pool: QueryPool,
): (publicationId: string, question: Question, clientId?: string) => Promise<Answer> {
  return (publicationId, question, clientId = '') =>
    new Promise((resolve) => {
      pool.ask({ publicationId, question, clientId, take: (answer) => resolve(keep(answer)) });
    });
}

/** UTF-8 bytes as text. */
function textIn(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

export function jsonIn(bytes: Uint8Array) {
  return JSON.parse(textIn(bytes));
}
