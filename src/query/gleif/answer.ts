/** Answers a question of GLEIF's API: one exhaustive switch over what it asks for. */
import type { GleifQuestion } from '../../protocol/gleif-questions.ts';
import type { Answer } from '../../protocol/questions.ts';
import type { PublicationReader } from '../../store/publication-reader.ts';
import type { Steps } from '../../store/steps.ts';
import { answerCode, answerCodes, answerIssuerJurisdictions } from './code-lists.ts';
import { answerCompletions } from './completions.ts';
import { textsFor } from './document.ts';
import { answerIsins, answerIssuer } from './issuers-and-isins.ts';
import { answerModifications } from './modifications.ts';
import {
  answerLinked,
  answerRecords,
  answerRelated,
  answerRelatives,
  answerSuccessors,
  recordAnswer,
} from './records.ts';
import { answerException, answerRelationship, answerRelationshipList } from './relationships.ts';

export function answerGleif(
  publication: PublicationReader,
  { asks, base }: GleifQuestion,
): Answer | Steps<Answer> {
  const texts = textsFor(publication, base);
  switch (asks.for) {
    case 'record':
      return recordAnswer(publication, texts, publication.find(asks.lei)?.entity ?? null, asks);
    case 'linked':
      return answerLinked(publication, texts, asks);
    case 'related':
      return answerRelated(publication, texts, asks);
    case 'relationship':
      return answerRelationship(publication, texts, asks);
    case 'exception':
      return answerException(publication, texts, asks);
    case 'issuer':
      return answerIssuer(publication, texts, asks);
    case 'successors':
      return answerSuccessors(publication, texts, asks);
    case 'relatives':
      return answerRelatives(publication, texts, asks);
    case 'relationships':
      return answerRelationshipList(publication, texts, asks);
    case 'isins':
      return answerIsins(publication, texts, asks);
    case 'modifications':
      return answerModifications(publication, texts, asks);
    case 'records':
      return answerRecords(publication, texts, asks);
    case 'completions':
      return answerCompletions(publication, texts, asks);
    case 'code':
      return answerCode(publication, texts, asks);
    case 'codes':
      return answerCodes(publication, texts, asks);
    case 'issuer-jurisdictions':
      return answerIssuerJurisdictions(publication, texts, asks);
  }
}
