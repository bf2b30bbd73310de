/** Finds the companies that may be the wanted one: by LEI, by registration number and by name. */
import { mayBeMistyped } from '../../lei/names/name-terms.ts';
import { searchTextMin } from '../../protocol/questions.ts';
import type { PublicationReader } from '../../store/publication-reader.ts';
import { TimeIsUp } from '../../store/search/time-limit.ts';
import type { Steps } from '../../store/steps.ts';
import { matchLimits } from './limits.ts';
import type { AskedCompany } from './question.ts';

/** Entity numbers. @throws TimeIsUp */
export function* candidatesOf(
  publication: PublicationReader,
  asked: AskedCompany,
): Steps<ReadonlySet<number>> {
  const found = new Set<number>();
  const entry = asked.lei === null ? null : publication.find(asked.lei);
  if (entry?.hasRecord === true) found.add(entry.entity);
  if (asked.registration !== null) search(publication, asked.registration.number, asked.country, found);
  if (asked.name === null) return found;
  yield;
  if (asked.country !== null) search(publication, asked.name, asked.country, found);
  yield;
  // A company may have moved, or the country may be that of its headquarters.
  search(publication, asked.name, null, found);
  return found;
}

/**
 * Companies that share one distinctive word with the name: for names for which the search, which requires most of the
 * words, finds nothing similar. @throws TimeIsUp
 */
export function* remoteCandidatesOf(
  publication: PublicationReader,
  asked: AskedCompany,
): Steps<ReadonlySet<number>> {
  const found = new Set<number>();
  const words = [...(asked.compared?.core ?? [])].filter(mayBeMistyped);
  const telling = words.sort((a, b) => b.length - a.length).slice(0, matchLimits.tellingWordsMax);
  for (const word of telling) {
    yield;
    search(publication, word, asked.country, found);
  }
  return found;
}

function search(
  publication: PublicationReader,
  text: string,
  country: string | null,
  found: Set<number>,
): void {
  if ([...text].length < searchTextMin) return;
  const limit = matchLimits.hitsMax;
  const outcome = publication.search.search({ q: text, country, status: null, after: null, limit });
  if (outcome.outcome === 'timeout') throw new TimeIsUp(outcome.detail);
  if (outcome.outcome === 'hits') for (const { entity } of outcome.hits) found.add(entity);
}
