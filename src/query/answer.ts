/** What a query thread does with a question: one exhaustive switch. */
import type { Answer, TextQuestion } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { answerChanges } from './changes.ts';
import { answerCompany } from './company.ts';
import { answerIdentifier } from './identifiers.ts';
import { answerRelationships } from './relationships.ts';
import { answerSearch } from './search.ts';

/** Answers from one publication. Throws only for a bug. */
export function answer(publication: PublicationReader, question: TextQuestion): Answer {
  switch (question.kind) {
    case 'company':
      return answerCompany(publication, question.lei);
    case 'relationships':
      return answerRelationships(publication, question.lei);
    case 'changes':
      return answerChanges(publication, question);
    case 'search':
      return answerSearch(publication, question);
    default:
      return answerIdentifier(publication, question.kind, question.value);
  }
}
