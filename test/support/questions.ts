/** Questions that several tests use. */
import type { TextQuestion } from '../../src/protocol/questions.ts';

export const searchForBank: TextQuestion = {
  kind: 'search',
  q: 'bank',
  country: null,
  status: null,
  after: null,
  limit: 20,
};
