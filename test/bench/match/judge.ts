/** Asks the questions of the match bench and judges the answers. */
import { type Match, matchCompany } from '../../../src/query/match.ts';
import type { PublicationReader } from '../../../src/store/publication-reader.ts';
import type { AskedName } from './questions.ts';

export interface Answered {
  readonly asked: AskedName;
  readonly match: Match;
}

export interface Judged {
  readonly questions: number;
  /** How many got a company with certainty. */
  readonly matched: number;
  /** The share of these whose company is the right one. */
  readonly rightOfMatched: number;
  /** The share of existing companies that were found with certainty. */
  readonly found: number;
}

export function answerAll(publication: PublicationReader, asked: readonly AskedName[]): readonly Answered[] {
  return asked.map((each) => ({ asked: each, match: matchCompany(publication, each.question) }));
}

export function judge(answered: readonly Answered[]): Judged {
  return judged(
    answered.map(({ asked, match }) => ({
      meant: asked.meant,
      given: match.verdict === 'match' ? (match.candidates[0]?.lei ?? null) : null,
    })),
  );
}

/** The result of taking the first hit of a search, in the country if one is given. */
export function judgeFirstHits(publication: PublicationReader, answered: readonly Answered[]): Judged {
  return judged(
    answered.map(({ asked: { question, meant } }) => {
      const { name, country } = question;
      const outcome = publication.search.search({
        q: name ?? '',
        country,
        status: null,
        after: null,
        limit: 1,
      });
      const hit = outcome.outcome === 'hits' ? outcome.hits[0] : undefined;
      return { meant, given: hit === undefined ? null : publication.summary(hit.entity).lei };
    }),
  );
}

function judged(
  results: readonly { readonly meant: string | null; readonly given: string | null }[],
): Judged {
  const matched = results.filter(({ given }) => given !== null);
  const right = matched.filter(({ meant, given }) => meant === given).length;
  const present = results.filter(({ meant }) => meant !== null).length;
  return {
    questions: results.length,
    matched: matched.length,
    rightOfMatched: right / Math.max(1, matched.length),
    found: right / Math.max(1, present),
  };
}
