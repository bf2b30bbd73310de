/** Finds the companies that may be the wanted one: by LEI, by registration number and by name. */
import { mayBeMistyped } from '../../lei/names/name-terms.ts';
import { inScriptsOf } from '../../lei/names/transliterate.ts';
import { otherSpellings } from '../../lei/registration-numbers.ts';
import { searchTextMin } from '../../protocol/questions.ts';
import type { PublicationReader } from '../../store/publication-reader.ts';
import { gradeInScore, grades } from '../../store/search/score/grades.ts';
import { TimeIsUp } from '../../store/search/time-limit.ts';
import type { Steps } from '../../store/steps.ts';
import { recordOf } from '../look-ups.ts';
import { matchLimits } from './limits.ts';
import type { AskedCompany } from './question.ts';

/** The rank of each found company (a grade of the index), by its entity number. */
type CandidateRanks = ReadonlyMap<number, number>;
type Finds = Map<number, number>;

/** By LEI, by number, and by the name as it stands, in the country if there is one. @throws TimeIsUp */
function* nearCandidatesOf(publication: PublicationReader, asked: AskedCompany): Steps<CandidateRanks> {
  const found: Finds = new Map();
  const entity = asked.lei === null ? null : recordOf(publication, asked.lei);
  if (entity !== null) found.set(entity, grades.live);
  if (asked.registration !== null) {
    const { registrationText, country } = asked;
    for (const text of [registrationText, ...otherSpellings(registrationText, country)]) {
      yield* search(publication, text, country, found);
    }
  }
  if (asked.acronym !== null) {
    const named = publication.search.withInitials(asked.acronym, matchLimits.hitsMax);
    for (const { entity, grade } of named) found.set(entity, grade);
  }
  const [text] = textsOf(asked);
  if (text !== undefined) yield* search(publication, text, asked.country, found);
  return found;
}

/**
 * In other countries, and by other readings of the name: a company may have moved, or the country may be that of its
 * headquarters. @throws TimeIsUp
 */
function* otherCandidatesOf(publication: PublicationReader, asked: AskedCompany): Steps<CandidateRanks> {
  const found: Finds = new Map();
  for (const [at, text] of textsOf(asked).entries()) {
    if (at > 0) yield* search(publication, text, asked.country, found);
    if (asked.country !== null) yield* search(publication, text, null, found);
  }
  return found;
}

/** The name as it stands, in Latin letters, and in its first readings. */
function textsOf({ readings }: AskedCompany): readonly string[] {
  const latin = readings.filter(({ compared }) => compared.transliteration !== null).slice(0, 1);
  const inOrder = [...readings.slice(0, 1), ...latin, ...readings.slice(1)];
  return [...new Set(inOrder.map(({ text }) => text))].slice(0, matchLimits.readingsSearchedMax);
}

/**
 * Companies that share one distinctive word with the name: for names for which the search, which requires most of the
 * words, finds nothing similar. @throws TimeIsUp
 */
function* remoteCandidatesOf(publication: PublicationReader, asked: AskedCompany): Steps<CandidateRanks> {
  const found: Finds = new Map();
  const words = (asked.readings.at(-1)?.compared.core ?? []).filter(mayBeMistyped);
  const telling = words.sort((a, b) => b.length - a.length).slice(0, matchLimits.tellingWordsMax);
  for (const word of telling) yield* search(publication, word, asked.country, found);
  return found;
}

/** Companies that may have the name in the script of their country. @throws TimeIsUp */
function* candidatesInScripts(publication: PublicationReader, asked: AskedCompany): Steps<CandidateRanks> {
  const found: Finds = new Map();
  const last = asked.readings.at(-1);
  const core = last?.compared.core ?? [];
  if (!core.every((word) => /^[a-z0-9&]+$/.test(word))) return found;
  // A branch is in another country than its company.
  const country = last?.isBranch === true ? null : asked.country;
  for (const text of inScriptsOf(country, core)) {
    if (country !== null) yield* search(publication, text, country, found);
    yield* search(publication, text, null, found);
  }
  return found;
}

/** The chance of the best company. */
function bestOf(chances: readonly number[]): number {
  return Math.max(0, ...chances);
}

/** The chance that the wanted company is any one of them. */
function allOf(chances: readonly number[]): number {
  return chances.reduce((sum, chance) => sum + chance, 0);
}

/**
 * Sources of candidates, in order. The next source is needed only if `chance` of the companies found so far is less than
 * `enough`.
 */
export const candidateSources = [
  { find: nearCandidatesOf, chance: bestOf, enough: matchLimits.sureScoreMin },
  { find: otherCandidatesOf, chance: allOf, enough: matchLimits.matchScoreMin },
  { find: remoteCandidatesOf, chance: bestOf, enough: matchLimits.possibleScoreMin },
  { find: candidatesInScripts, chance: bestOf, enough: 0 },
] as const;

/** A step before each search. */
function* search(
  publication: PublicationReader,
  text: string,
  country: string | null,
  found: Finds,
): Steps<void> {
  if ([...text].length < searchTextMin) return;
  yield;
  const limit = matchLimits.hitsMax;
  const outcome = publication.search.search({ q: text, country, status: null, after: null, limit });
  if (outcome.outcome === 'timeout') throw new TimeIsUp(outcome.detail);
  if (outcome.outcome !== 'hits') return;
  for (const { entity, score } of outcome.hits) found.set(entity, gradeInScore(score));
}
