/** Answers of query threads, as tests look at them. */
import type { Answer } from '../../src/protocol/questions.ts';

/** The answer with bytes of its own: what a thread hands out is only valid for a moment. */
export function keep(answer: Answer): Answer {
  return answer.outcome === 'found' ? { ...answer, data: new Uint8Array(answer.data) } : answer;
}

/** UTF-8 bytes as text. */
export function textIn(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString();
}

export function jsonIn(bytes: Uint8Array) {
  return JSON.parse(textIn(bytes));
}
