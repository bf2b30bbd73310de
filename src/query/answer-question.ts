/** Answers a question from one publication: one exhaustive switch over the kinds. */
import type { Answer, TextQuestion } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { atOnce, type Steps } from '../store/steps.ts';
import { answerBatch, type HandOn } from './batch.ts';
import { answerChildren, answerIsins } from './company-lists.ts';
import { answerChildrenPage, answerCompanyPage, answerHistoryPage } from './company-pages.ts';
import { answerGleif } from './gleif/answer.ts';
import { answerGleifRecord } from './gleif/records.ts';
import { answerGroup } from './group.ts';
import { answerAsOf, answerChanges, answerChangesSince } from './history.ts';
import { answerList } from './list.ts';
import { answerCompany, answerIdentifier } from './look-ups.ts';
import { answerMatch } from './match.ts';
import { answerOwnership } from './ownership.ts';
import { answerExtension, answerReconcile } from './reconcile.ts';
import { answerRelationships } from './relationships.ts';
import { answerSearch, answerSuggest } from './search.ts';

/** Throws only for a bug. */
export function answerQuestion(publication: PublicationReader, question: TextQuestion): Answer {
  const answer = beginAnswer(publication, question);
  return 'outcome' in answer ? answer : atOnce(answer);
}

/**
 * The answer, or the steps in which it is made if it may take milliseconds. Throws only for a bug, as each step does.
 * @param handOn takes parts of an answer as they are made; null if it must be in one piece
 */
export function beginAnswer(
  publication: PublicationReader,
  question: TextQuestion,
  handOn: HandOn | null = null,
): Answer | Steps<Answer> {
  switch (question.kind) {
    case 'company':
      return answerCompany(publication, question.lei);
    case 'gleif-record':
      return answerGleifRecord(publication, question.lei, question.base);
    case 'gleif':
      return answerGleif(publication, question);
    case 'relationships':
      return answerRelationships(publication, question.lei);
    case 'changes':
      return answerChanges(publication, question);
    case 'search':
      return answerSearch(publication, question);
    case 'as-of':
      return answerAsOf(publication, question);
    case 'batch':
      return answerBatch(publication, question, handOn);
    case 'match':
      return answerMatch(publication, question);
    case 'reconcile':
      return answerReconcile(publication, question);
    case 'extension':
      return answerExtension(publication, question);
    case 'changes-since':
      return answerChangesSince(publication, question);
    case 'children':
      return answerChildren(publication, question);
    case 'isins':
      return answerIsins(publication, question);
    case 'list':
      return answerList(publication, question);
    case 'ownership':
      return answerOwnership(publication, question);
    case 'group':
      return answerGroup(publication, question);
    case 'company-page':
      return answerCompanyPage(publication, question);
    case 'children-page':
      return answerChildrenPage(publication, question);
    case 'history-page':
      return answerHistoryPage(publication, question);
    case 'suggest':
      return answerSuggest(publication, question);
    default:
      return answerIdentifier(publication, question.kind, question.value);
  }
}
