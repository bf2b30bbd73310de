/** Answers matchCompany. */
import type { MatchQuestion } from '../protocol/ext-questions.ts';
import { JsonBytes } from '../protocol/json-bytes.ts';
import type { Answer } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { found } from './answers.ts';
import { matchCompany } from './match.ts';
import { SearchTimeout } from './matching/candidates.ts';
import { refusedCountry } from './search.ts';

/** Shared by all answers: each leaves the thread before the next is made. */
const out = new JsonBytes();

export function answerMatch(publication: PublicationReader, question: MatchQuestion): Answer {
  const refused = refusedCountry(publication, question.country);
  if (refused !== null) return refused;
  try {
    const match = matchCompany(publication, question);
    out.begin();
    out.text(JSON.stringify(match));
    return found(out);
  } catch (error) {
    if (error instanceof SearchTimeout) return { outcome: 'unavailable', reason: 'timeout' };
    throw error;
  }
}
