/** Answers a query of the reconciliation service: the candidates of a match, as its clients read them. */
import { legalEntity } from '../lei/company-properties.ts';
import { countryName } from '../lei/country-names.ts';
import type { ReconcileQuestion } from '../protocol/ext-questions.ts';
import type { Answer } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import type { Steps } from '../store/steps.ts';
import { answerWith, type Match } from './match.ts';

export function answerReconcile(publication: PublicationReader, question: ReconcileQuestion): Steps<Answer> {
  return answerWith(publication, question, (match) =>
    JSON.stringify({ result: candidatesOf(match, question.limit) }),
  );
}

/** Scores go up to 100, as clients of the specification expect. */
function candidatesOf({ verdict, candidates }: Match, limit: number): readonly unknown[] {
  return candidates.slice(0, limit).map(({ lei, name, country, score, features }, place) => ({
    id: lei,
    name,
    ...(country === null ? {} : { description: countryName(country) }),
    type: [legalEntity],
    score: Math.round(score * 1000) / 10,
    match: verdict === 'match' && place === 0,
    features: Object.entries(features).flatMap(([id, value]) => (value === null ? [] : [{ id, value }])),
  }));
}
