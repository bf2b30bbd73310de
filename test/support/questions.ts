/** Questions that several tests use. */
import { joinQuestion, openBatch, type TextQuestion } from '../../src/protocol/questions.ts';

export const searchForBank: TextQuestion = {
  kind: 'search',
  q: 'bank',
  country: null,
  status: null,
  after: null,
  limit: 20,
};

/** A batch as a front sends it. */
export function batchText(batch: number, publicationId: string, questions: readonly TextQuestion[]): string {
  const join = (text: string, question: TextQuestion) => joinQuestion(text, question);
  return questions.reduce(join, openBatch(batch, publicationId));
}
