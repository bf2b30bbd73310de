/** Checks a publication, for both loads and `lei verify`. */
import { nameTerms } from '../lei/names/name-terms.ts';
import { rowCount } from '../lmdb.ts';
import { searchTextMax, searchTextMin } from '../protocol/questions.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import type { RawPublication } from '../store/raw-publication.ts';

/** Tables whose rows differ from the stated counts of the publication, each as a clause for the operator. */
export function countProblems({ tables, meta }: RawPublication): string[] {
  const expectations: readonly (readonly [string, number, number])[] = [
    ['relationships', rowCount(tables.relationships), meta.counts.relationships],
    ['changes and snapshots', rowCount(tables.changes), meta.counts.changes + meta.counts.snapshots],
  ];
  return expectations
    .filter(([, found, expected]) => found !== expected)
    .map(([what, found, expected]) => `there are ${found} ${what}, but ${expected} were expected`);
}

/**
 * Whether a search for a company's name finds it. Also true if there are more namesakes than a page holds, and if
 * nobody can search for the name: too short, or without a letter or digit.
 */
export function isFoundByName({ search }: PublicationReader, entity: number, name: string | null): boolean {
  const characters = [...(name ?? '').trim()].slice(0, searchTextMax);
  if (characters.length < searchTextMin) return true;
  const q = characters.join('');
  if (nameTerms(q).length === 0) return true;
  const outcome = search.search({ q, country: null, status: null, after: null, limit: 100 });
  if (outcome.outcome !== 'hits') return false;
  return outcome.total > outcome.hits.length || outcome.hits.some((hit) => hit.entity === entity);
}
