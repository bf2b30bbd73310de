/**
 * Answers matchCompany: finds the company that a name, an address, a registration number or an LEI refers to, and says
 * how certain that is.
 */
import { countryNamesInSteps, ownCountryNamesInSteps, readCountry } from '../lei/countries.ts';
import { formMark } from '../lei/names/name-terms.ts';
import type { KnownOfCompany, MatchQuestion } from '../protocol/ext-questions.ts';
import type { Answer } from '../protocol/questions.ts';
import { remembered } from '../remembered.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { TimeIsUp } from '../store/search/time-limit.ts';
import { atOnce, type Steps } from '../store/steps.ts';
import { found, out } from './answers.ts';
import { candidateSources } from './matching/candidates.ts';
import { type ComparedNames, comparedNames, type Features, featuresOf } from './matching/features.ts';
import { matchLimits } from './matching/limits.ts';
import { type Profile, profileOf } from './matching/profile.ts';
import { type AskedCompany, askedCompany } from './matching/question.ts';
import {
  chancesOf,
  type Evidence,
  hasAllWords,
  isOneOfSeveral,
  oddsOf,
  oddsWithoutName,
  speaksAgainst,
} from './matching/score.ts';

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
  readonly features: Features & ReadFromName;
}

/** What was read out of the question's name for this candidate; null for nothing. */
interface ReadFromName {
  /** The legal forms, as the service names them, such as `ag`. */
  readonly form: string | null;
  /** The state of the company, as it was written: `in liquidation`. */
  readonly state: string | null;
  /** The place behind the name: a city, a country, or both. */
  readonly place: string | null;
  /** Whether the name means a branch. */
  readonly branch: boolean;
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
  const { shareIn, weightOf } = publication.search;
  // Each term is looked up once, however many pairs of names have it.
  const terms = { shareIn, weightOf: remembered(weightOf) };
  const weighed = new Map<number, WeighedCompany>();
  for (const { find, chance, enough } of candidateSources) {
    for (const [entity, grade] of yield* find(publication, asked)) {
      if (weighed.has(entity)) continue;
      yield;
      const profile = profileOf(publication, entity, grade);
      if (profile !== null) weighed.set(entity, weighedCompany(asked, profile, terms));
    }
    if (chance(chancesOf([...weighed.values()])) >= enough) break;
  }
  const scored = withScores([...weighed.values()]).filter(({ score }) => score >= matchLimits.shownScoreMin);
  return {
    verdict: verdictOf(asked, scored),
    candidates: scored.slice(0, matchLimits.candidatesMax).map(candidateOf),
  };
}

/** A company with the evidence for it. */
interface WeighedCompany extends Evidence {
  readonly profile: Profile;
}

interface ScoredCompany extends WeighedCompany {
  readonly score: number;
}

/** With the reading and the name of the company that have the best odds. */
function weighedCompany(
  asked: AskedCompany,
  profile: Profile,
  { weightOf, shareIn }: Pick<PublicationReader['search'], 'weightOf' | 'shareIn'>,
): WeighedCompany {
  const featuresBy = featuresOf(asked, profile, shareIn);
  let best: WeighedCompany | null = null;
  for (const names of comparedNames(asked, profile, weightOf)) {
    const features = featuresBy(names);
    const odds = oddsOf(features, names, profile);
    if (best === null || odds > best.odds) best = { profile, features, names, odds };
  }
  if (best === null) {
    const features = featuresBy(null);
    best = { profile, features, names: null, odds: oddsWithoutName(features, profile) };
  }
  return asked.lei === profile.lei ? { ...best, odds: oddsWithLei(best) } : best;
}

/** An LEI decides the company, unless the name next to it contradicts. */
function oddsWithLei({ features: { name }, odds }: WeighedCompany): number {
  return name !== null && name < matchLimits.contradictingLikeness ? 0 : Math.max(odds, oddsOfLei);
}
const oddsOfLei = 12;

function bestFirst(a: ScoredCompany, b: ScoredCompany): number {
  return b.score - a.score || (a.profile.lei < b.profile.lei ? -1 : 1);
}

/** The chances of all companies and of "none of them" add up to one. */
function withScores(weighed: readonly WeighedCompany[]): readonly ScoredCompany[] {
  const chances = chancesOf(weighed);
  return weighed.map((each, at) => ({ ...each, score: chances[at] ?? 0 })).sort(bestFirst);
}

function verdictOf(asked: AskedCompany, [best, ...others]: readonly ScoredCompany[]): Verdict {
  if (best === undefined || best.score < matchLimits.possibleScoreMin) return 'none';
  const isRivalled = best.names !== null && best.names.umbrella !== 'named' && others.some(hasAllWords);
  return best.score >= matchLimits.matchScoreMin && !isRivalled && !isContradicted(asked, best)
    ? 'match'
    : 'ambiguous';
}

/** Whether something in the question says that this is another company, whatever the rest says. */
function isContradicted(asked: AskedCompany, best: ScoredCompany): boolean {
  const isOther = asked.lei === null ? isOneOfSeveral(best) : asked.lei !== best.profile.lei;
  return isOther || speaksAgainst(best);
}

function candidateOf({ profile: { lei, name, country }, score, features, names }: ScoredCompany): Candidate {
  return {
    lei,
    name,
    country,
    score: thousandths(score),
    features: {
      name: shareOrNull(features.name),
      legalForm: shareOrNull(features.legalForm),
      country: shareOrNull(features.country),
      city: shareOrNull(features.city),
      registrationNumber: shareOrNull(features.registrationNumber),
      ...readFrom(names),
    },
  };
}

function readFrom(names: ComparedNames | null): ReadFromName {
  if (names === null) return { form: null, state: null, place: null, branch: false };
  const { compared, state, place, isBranch } = names.reading;
  const listed = (texts: readonly (string | null)[]) =>
    texts.filter((text) => text !== null && text !== '').join(', ') || null;
  return {
    form: listed(compared.forms.map((form) => form.slice(formMark.length))),
    state,
    place: place === null ? null : listed([place.city, place.country]),
    branch: isBranch,
  };
}

function shareOrNull(share: number | null): number | null {
  return share === null ? null : thousandths(share);
}

function thousandths(share: number): number {
  return Math.round(share * 1000) / 1000;
}

/** A publication may use codes of its own. */
function isUnknownCountry({ countries }: PublicationReader, country: string | null): boolean {
  return country !== null && readCountry(country) === null && !countries.has(country.toUpperCase());
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
  if (question.country !== null) yield* countryNamesInSteps(question.country);
  if (question.name !== null) yield* ownCountryNamesInSteps(question.name);
  if (isUnknownCountry(publication, question.country)) {
    const detail = `must be a country, by a code such as DE or DEU or by its name; ${JSON.stringify(question.country)} is none`;
    return { outcome: 'invalid', parameter: 'country', detail };
  }
  try {
    return yield* matchInSteps(publication, question);
  } catch (error) {
    if (error instanceof TimeIsUp) return { outcome: 'unavailable', reason: 'timeout' };
    throw error;
  }
}
