/** The filters on names and on all texts of a company. */
import { mappingKinds, mappingTable } from '../../lei/identifier-kinds.ts';
import { isForm, isLight, nameTerms } from '../../lei/names/name-terms.ts';
import type { GleifFilter } from '../../protocol/gleif-questions.ts';
import type { EntityCondition } from '../../store/columns/list-query.ts';
import type { EntityNumber, PublicationReader } from '../../store/publication-reader.ts';
import { wordsOf } from '../../store/record-words.ts';
import type { TimedOut } from '../../store/search/search-reader.ts';
import { isFormWord } from '../../store/search/text/form-words.ts';
import { soughtWords } from '../../store/sought-words.ts';
import type { Steps } from '../../store/steps.ts';
import { type Condition, type Conditions, entitiesWithWords } from './reading.ts';

/** The fields that names, or all texts of a company, are searched by. */
export const searchedFields: ReadonlySet<string> = new Set(['fulltext', 'entity.names', 'entity.legalName']);

interface NamesFound {
  readonly condition: EntityCondition;
  readonly first: Uint32Array | null;
}

/**
 * Companies with all words of a text in their names, or anywhere; where none has them, those that a search finds. Null
 * for a filter on something else.
 */
export function* nameCondition(
  publication: PublicationReader,
  filter: Extract<GleifFilter, { is: 'text' }>,
  conditions: Conditions,
): Steps<NamesFound | TimedOut | null> {
  const { field, text, isExcluded } = filter;
  if (!searchedFields.has(field)) return null;
  const entities = yield* entitiesWithText(publication, field, text, conditions);
  if ('outcome' in entities) return entities;
  if (isExcluded) return { condition: { is: 'entity', entities, isExcluded }, first: null };
  const hits = yield* publication.search.all(text);
  if (hits.outcome === 'timeout') return hits;
  // The other filters may have left out all that have the words: nothing like them is meant then.
  const anywhere =
    entities.length > 0 || conditions.length === 0 || !readsTexts(field, text)
      ? entities
      : yield* entitiesWithText(publication, field, text, []);
  if ('outcome' in anywhere) return anywhere;
  const chosen = anywhere.length === 0 ? hits.entities : entities;
  return { condition: { is: 'entity', entities: chosen, isExcluded }, first: hits.entities };
}

/** Companies with all words in their names, or anywhere. */
function* entitiesWithText(
  publication: PublicationReader,
  field: string,
  text: string,
  conditions: Conditions,
): Steps<Uint32Array | TimedOut> {
  if (field === 'fulltext') return yield* entitiesAnywhere(publication, text, conditions);
  const part = field === 'entity.names' ? 'names' : 'legalName';
  const found = (yield* publication.search.withWords(text, part)) ?? new Uint32Array(0);
  if ('outcome' in found) return found;
  if (!readsTexts(field, text)) return found;
  const words = wordsOf(text);
  const others: Condition[] = [...conditions, { is: 'entity', entities: found, isExcluded: true }];
  // The search knows words of no form, which leave few names to read.
  const known = wordsOfNoForm(words).join(' ');
  const withKnown = yield* publication.search.withWords(known, 'names');
  if (withKnown !== null && 'outcome' in withKnown) return withKnown;
  if (withKnown !== null) others.push({ is: 'entity', entities: withKnown, isExcluded: false });
  const inForms = yield* entitiesWithWords(publication, others, part, [soughtWords(words)]);
  return joined([found, inForms]);
}

/** A word that is never joined to those beside it, as initials are. */
const isPlainWord = /^[a-z0-9]{2,}$/;

function wordsOfNoForm(words: readonly string[]): readonly string[] {
  return words.filter((word) => isPlainWord.test(word) && !isFormWord(word));
}

/**
 * Whether a filter reads texts of the companies that the other filters leave. A filter on names does so if a word of its text
 * may be inside a legal form: the search knows a form of several words, such as "sociedad anonima", only as a whole. Half a
 * million addresses have a light word such as "de", so with such ones of forms there must be a word that leaves few names.
 */
function readsTexts(field: string, text: string): boolean {
  if (field === 'fulltext') return true;
  const leavesFew = wordsOfNoForm(wordsOf(text)).some((word) => !isLight(word));
  return nameTerms(text).some((term) => isForm(term) || (isFormWord(term) && (leavesFew || !isLight(term))));
}

/** Some companies may be there several times. */
function joined(lists: readonly (Uint32Array | readonly EntityNumber[])[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((length, list) => length + list.length, 0));
  let filled = 0;
  for (const list of lists) {
    all.set(list, filled);
    filled += list.length;
  }
  return all;
}

/** Companies with all words in their texts and identifiers. Some may be there several times. */
function* entitiesAnywhere(
  publication: PublicationReader,
  text: string,
  conditions: Conditions,
): Steps<Uint32Array | TimedOut> {
  const ofIdentifiers = yield* entitiesOfIdentifiers(publication, text);
  const words = wordsOf(text);
  if (words.length === 0) return Uint32Array.from(ofIdentifiers);
  // Names are found by their legal form in any writing, as by the filters on names.
  const inNames = (yield* publication.search.withWords(text, 'names')) ?? new Uint32Array(0);
  if ('outcome' in inNames) return inNames;
  const sought = soughtWords(words);
  const ofLeis = words
    .flatMap((word) => publication.find(word.toUpperCase())?.entity ?? [])
    .filter((entity) => publication.gleif.hasWords(entity, 'everything', sought));
  const inTexts = yield* entitiesWithWords(publication, conditions, 'everything', [sought]);
  return joined([ofIdentifiers, ofLeis, inNames, inTexts]);
}

/** Companies that some of the words are identifiers of, and that have all other words in their texts. */
function* entitiesOfIdentifiers(
  publication: PublicationReader,
  text: string,
): Steps<readonly EntityNumber[]> {
  const parts = text.split(/\s+/).filter((part) => part !== '');
  const owners: ReadonlySet<EntityNumber>[] = [];
  for (const part of parts) {
    owners.push(new Set(ownersOf(publication, part)));
    yield;
  }
  const found: EntityNumber[] = [];
  for (const entity of new Set(owners.flatMap((each) => [...each]))) {
    const others = parts.filter((_, index) => owners[index]?.has(entity) !== true);
    const words = wordsOf(others.join(' '));
    if (words.length === 0 || publication.gleif.hasWords(entity, 'everything', soughtWords(words)))
      found.push(entity);
    yield;
  }
  return found;
}

function ownersOf(publication: PublicationReader, identifier: string): readonly EntityNumber[] {
  return mappingKinds.flatMap((kind) => {
    const checked = mappingTable[kind].check(identifier.toUpperCase());
    return checked.ok ? publication.entitiesOf(kind, mappingTable[kind].canonical(checked.value)) : [];
  });
}
