/**
 * Answers matchCompany: finds the company that a name, an address, a registration number or an LEI refers to, and says
 * how certain that is.
 */
import type { KnownOfCompany, MatchQuestion } from '../protocol/ext-questions.ts';
import type { Answer } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { TimeIsUp } from '../store/search/time-limit.ts';
import { atOnce, type Steps } from '../store/steps.ts';
import { found, out } from './answers.ts';
import { candidatesOf, remoteCandidatesOf } from './matching/candidates.ts';
import { bestNameOf, type Features, featuresOf } from './matching/features.ts';
import { matchLimits } from './matching/limits.ts';
import { type Profile, profileOf } from './matching/profile.ts';
import { type AskedCompany, askedCompany } from './matching/question.ts';
import { scoreOf } from './matching/score.ts';
import { invalidCountry } from './search.ts';

/** `match`: the first candidate is the company; `ambiguous`: it may be one of them; `none`: it is not among them. */
export type Verdict = 'match' | 'ambiguous' | 'none';

interface Candidate {
  readonly lei: string;
  /** The legal name. */
  readonly name: string;
  /** Of the legal address. */
  readonly country: string | null;
  /** The probability that this is the company, 0 to 1, in steps of a thousandth. */
  readonly score: number;
  readonly features: Features;
}

export interface Match {
  readonly verdict: Verdict;
  /** Best first. */
  readonly candidates: readonly Candidate[];
}

/** @throws TimeIsUp if the publication's searches have a time limit */
export function matchCompany(publication: PublicationReader, question: KnownOfCompany): Match {
  return atOnce(matchInSteps(publication, question));
}

/** A step is one search, or one company that is compared. */
function* matchInSteps(publication: PublicationReader, question: KnownOfCompany): Steps<Match> {
  const asked = askedCompany(question);
  let candidates = yield* compared(publication, asked, yield* candidatesOf(publication, asked));
  if (asked.name !== null && (candidates[0]?.score ?? 0) < matchLimits.matchScoreMin) {
    const known = new Set(candidates.map(({ lei }) => lei));
    const remote = yield* compared(publication, asked, yield* remoteCandidatesOf(publication, asked));
    candidates = [...candidates, ...remote.filter(({ lei }) => !known.has(lei))].sort(bestFirst);
  }
  return {
    verdict: verdictOf(candidates),
    candidates: candidates.slice(0, matchLimits.candidatesMax).map(rounded),
  };
}

/** Those that have anything in common with the question, best first. */
function* compared(
  publication: PublicationReader,
  asked: AskedCompany,
  entities: ReadonlySet<number>,
): Steps<readonly Candidate[]> {
  const candidates: Candidate[] = [];
  for (const entity of entities) {
    yield;
    const profile = profileOf(publication, entity);
    if (profile !== null) candidates.push(candidateOf(asked, profile, publication.search));
  }
  return candidates.filter(({ score }) => score >= matchLimits.shownScoreMin).sort(bestFirst);
}

function candidateOf(
  asked: AskedCompany,
  profile: Profile,
  { weightOf, shareIn }: PublicationReader['search'],
): Candidate {
  const best = bestNameOf(asked, profile, weightOf);
  const features = featuresOf(asked, profile, best, shareIn);
  const { lei, name, country } = profile;
  const score = asked.lei === lei ? scoreWithLei(features) : scoreOf(features, best, profile);
  return { lei, name, country, score, features };
}

/** An LEI decides the company, unless the name next to it contradicts. */
function scoreWithLei({ name }: Features): number {
  return name !== null && name < matchLimits.contradictingLikeness ? matchLimits.contradictedScore : 1;
}

function bestFirst(a: Candidate, b: Candidate): number {
  return b.score - a.score || (a.lei < b.lei ? -1 : 1);
}

function verdictOf([best, second]: readonly Candidate[]): Verdict {
  if (best === undefined || best.score < matchLimits.possibleScoreMin) return 'none';
  const lead = best.score - (second?.score ?? 0);
  return best.score >= matchLimits.matchScoreMin && lead >= matchLimits.leadMin ? 'match' : 'ambiguous';
}

function rounded(candidate: Candidate): Candidate {
  const { name, legalForm, country, city, registrationNumber } = candidate.features;
  return {
    ...candidate,
    score: thousandths(candidate.score),
    features: {
      name: shareOrNull(name),
      legalForm: shareOrNull(legalForm),
      country: shareOrNull(country),
      city: shareOrNull(city),
      registrationNumber: shareOrNull(registrationNumber),
    },
  };
}

function shareOrNull(share: number | null): number | null {
  return share === null ? null : thousandths(share);
}

function thousandths(share: number): number {
  return Math.round(share * 1000) / 1000;
}

export function* answerMatch(publication: PublicationReader, question: MatchQuestion): Steps<Answer> {
  const match = yield* matchedIn(publication, question);
  if ('outcome' in match) return match;
  out.begin();
  out.text(JSON.stringify(match));
  return found(out);
}

type NoMatch = Extract<Answer, { outcome: 'invalid' | 'unavailable' }>;

/** The match, or why there is no answer. */
export function* matchedIn(publication: PublicationReader, question: KnownOfCompany): Steps<Match | NoMatch> {
  const refused = invalidCountry(publication, question.country);
  if (refused !== null) return refused;
  try {
    return yield* matchInSteps(publication, question);
  } catch (error) {
    if (error instanceof TimeIsUp) return { outcome: 'unavailable', reason: 'timeout' };
    throw error;
  }
}
