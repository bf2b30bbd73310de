/** Turns the filters of GLEIF's API into conditions of the list engine and sets of companies. */

import { relationNames, relations } from '../../lei/gleif-relations.ts';
import { type MappingKind, mappingTable } from '../../lei/identifier-kinds.ts';
import type { OrderText, TimeField, ValueField } from '../../lei/list-fields.ts';
import { isLight, nameTerms } from '../../lei/names/name-terms.ts';
import type { GleifFilter, GleifSort } from '../../protocol/gleif-questions.ts';
import type { FieldCondition, ListOrder } from '../../protocol/list-questions.ts';
import { isCodeBoundary } from '../../store/columns/layout.ts';
import type { ColumnsQuery, EntityCondition } from '../../store/columns/list-query.ts';
import type { EntityNumber, PublicationReader } from '../../store/publication-reader.ts';
import { withoutSigns, wordsOf } from '../../store/record-words.ts';
import type { TimedOut } from '../../store/search/search-reader.ts';
import { isFormWord } from '../../store/search/text/form-words.ts';
import { type SoughtWords, soughtWords } from '../../store/sought-words.ts';
import type { Steps } from '../../store/steps.ts';
import { isSearched, type TextPart } from '../../store/text-parts.ts';
import { currentEnds, parentOf } from './relationships.ts';

/** The columns that fields are. */
const valueColumns: Readonly<Record<string, ValueField>> = {
  'entity.addresses.country': 'anyCountry',
  'entity.addresses.region': 'anyRegion',
  'entity.legalAddress.country': 'country',
  'entity.legalAddress.region': 'region',
  'entity.jurisdiction': 'jurisdiction',
  'entity.category': 'category',
  'entity.subCategory': 'subCategory',
  'entity.status': 'entityStatus',
  'entity.legalForm': 'legalForm',
  'entity.expiration.reason': 'expirationReason',
  'entity.registeredAt': 'registeredAt',
  'registration.status': 'registrationStatus',
  'registration.managingLou': 'managingLou',
  'registration.corroborationLevel': 'corroborationLevel',
  'registration.validatedAt': 'validatedAt',
  conformityFlag: 'conformityFlag',
};
const timeColumns: Readonly<Record<string, TimeField>> = {
  'entity.creationDate': 'created',
  'entity.expiration.date': 'expired',
  'registration.initialRegistrationDate': 'registered',
  'registration.lastUpdateDate': 'updated',
  'registration.nextRenewalDate': 'renewal',
};
/** The times whose columns tell the minute only. */
const roughTimes: Readonly<Record<string, TextPart>> = {
  'entity.creationDate': 'creationDate',
  'entity.expiration.date': 'expirationDate',
};
/** The texts that lists are ordered by. */
const orderTexts: Readonly<Record<string, OrderText>> = {
  'entity.legalName': 'name',
  'entity.legalAddress.city': 'city',
  // Of the addresses of a company, that by which it is known.
  'entity.addresses.city': 'city',
};
/** The parts of a record that fields are, whose words are read company by company. */
const parts: Readonly<Record<string, TextPart>> = {
  'entity.addresses': 'addresses',
  'entity.addresses.city': 'cities',
  'entity.addresses.postalCode': 'postalCodes',
  'entity.registeredAs': 'registeredAs',
  'entity.registeredAt.other': 'registeredAtOther',
  'entity.legalForm.other': 'otherLegalForm',
  'entity.associatedEntity': 'associatedEntity',
  'entity.successorEntities': 'successorEntities',
  'entity.successorEntities.lei': 'successorLeis',
  'entity.successorEntities.name': 'successorNames',
  'entity.successorEntities.lang': 'successorLanguages',
  'registration.validatedAs': 'validatedAs',
  'registration.otherValidationAuthorities.validatedAt.id': 'otherAuthorityIds',
  'registration.otherValidationAuthorities.validatedAt.other': 'otherAuthorityTexts',
  'registration.otherValidationAuthorities.validatedAs': 'otherAuthorityNumbers',
};
/** Their values are also found without the signs that group them. */
const numberParts: readonly TextPart[] = ['registeredAs', 'validatedAs', 'otherAuthorityNumbers'];

type Conditions = ColumnsQuery['conditions'];
type Condition = Conditions[number];

/** What a list asks the engine. */
export interface ReadFilters {
  readonly conditions: Conditions;
  /** The companies that come first, best first: those that a text means; null without a text. */
  readonly first: Uint32Array | null;
}

/** The conditions of all filters. Those that read company by company come last, and read only the companies that the others leave. */
export function* readConditions(
  publication: PublicationReader,
  filters: readonly GleifFilter[],
): Steps<ReadFilters | TimedOut> {
  const conditions: Condition[] = [];
  for (const filter of filters) {
    const condition = columnCondition(filter) ?? (yield* entityCondition(publication, filter));
    if (condition !== null) conditions.push(condition);
    if (filter.is === 'range' && !filter.isExcluded) {
      conditions.push(...(yield* conditionsOnTimes(publication, filter)));
    }
  }
  const first = yield* addNames(publication, filters, conditions);
  if (first !== null && 'outcome' in first) return first;
  for (const filter of filters) {
    const part = parts[filter.field];
    if (part !== undefined) conditions.push(yield* partCondition(publication, filter, part, conditions));
  }
  return { conditions, first };
}

/** Adds the conditions on names and on all texts. @returns the companies that the first of the texts means */
function* addNames(
  publication: PublicationReader,
  filters: readonly GleifFilter[],
  conditions: Condition[],
): Steps<Uint32Array | TimedOut | null> {
  let first: Uint32Array | null = null;
  for (const filter of filters) {
    const found = filter.is === 'text' ? yield* nameCondition(publication, filter, conditions) : null;
    if (found === null) continue;
    if ('outcome' in found) return found;
    conditions.push(found.condition);
    first ??= found.first;
  }
  return first;
}

/** A condition on a column; null for another one. */
function columnCondition(filter: GleifFilter): FieldCondition | null {
  const { field, isExcluded } = filter;
  const column = valueColumns[field];
  if (filter.is === 'values' && column !== undefined) {
    return { is: 'value', field: column, values: filter.values, isExcluded };
  }
  const time = timeColumns[field];
  if (filter.is !== 'range' || time === undefined || isExcluded) return null;
  return { is: 'time', field: time, from: filter.from, to: filter.to };
}

/** The fields that names, or all texts of a company, are searched by. */
const searchedFields: ReadonlySet<string> = new Set(['fulltext', 'entity.names', 'entity.legalName']);

/** Companies that an identifier, a relation or a number of relations tells; null for another condition. */
function* entityCondition(
  publication: PublicationReader,
  filter: GleifFilter,
): Steps<EntityCondition | null> {
  const { field, isExcluded } = filter;
  if (parts[field] !== undefined || searchedFields.has(field)) return null;
  if (filter.is === 'text') throw new Error(`No part of a record has the words of ${field}.`);
  const entities =
    filter.is === 'range'
      ? yield* entitiesInRange(publication, filter)
      : yield* entitiesOfIdentifiers(publication, field, filter.values);
  return { is: 'entity', entities, isExcluded };
}

type RangeOfField = Pick<Extract<GleifFilter, { is: 'range' }>, 'field' | 'from' | 'to'>;

/** Leaves out the companies that stand outside of a range although the codes of their times stand inside. */
function* conditionsOnTimes(
  publication: PublicationReader,
  { field, from, to }: RangeOfField,
): Steps<Conditions> {
  const [time, part] = [timeColumns[field], roughTimes[field]];
  if (time === undefined || part === undefined) return [];
  const ends = [
    from === null || isCodeBoundary(time, from) ? [] : from,
    to === null || isCodeBoundary(time, to + 1) ? [] : to,
  ];
  const isOutside = (text: string) => {
    const at = Math.floor(Date.parse(text) / 1000);
    return (from !== null && at < from) || (to !== null && at > to);
  };
  const test = (entity: EntityNumber) => publication.gleif.values(entity, part).some(isOutside);
  const conditions: Condition[] = [];
  for (const at of new Set(ends.flat())) {
    const cut: Condition = { is: 'time', field: time, from: at, to: at };
    const entities = yield* entitiesWhere(publication, [cut], test);
    conditions.push({ is: 'entity', entities, isExcluded: true });
  }
  return conditions;
}

function* entitiesInRange(
  publication: PublicationReader,
  { field, from, to }: RangeOfField,
): Steps<Uint32Array> {
  const time = timeColumns[field];
  if (time !== undefined) {
    const within: Condition = { is: 'time', field: time, from, to };
    const exact = yield* conditionsOnTimes(publication, { field, from, to });
    return yield* publication.lists.matching([within, ...exact]);
  }
  const relation = relationNames.find((name) => relations[name].count === field);
  if (relation === undefined) return new Uint32Array(0);
  const counts = yield* publication.gleif.relationCounts(relation);
  const isIn = (count: number) => (from === null || count >= from) && (to === null || count <= to);
  if (!isIn(0))
    return Uint32Array.from([...counts].filter(([, count]) => isIn(count)).map(([entity]) => entity));
  const all = yield* publication.lists.matching([]);
  return all.filter((entity) => isIn(counts.get(entity) ?? 0));
}

function* entitiesOfIdentifiers(
  publication: PublicationReader,
  field: string,
  values: readonly string[],
): Steps<Uint32Array> {
  const found = new Set<EntityNumber>();
  for (const value of values) {
    yield;
    for (const entity of yield* entitiesOf(publication, field, value)) found.add(entity);
  }
  return Uint32Array.from(found);
}

function* entitiesOf(
  publication: PublicationReader,
  field: string,
  value: string,
): Steps<Iterable<EntityNumber>> {
  if (isMapped(field)) {
    const { check, canonical } = mappingTable[field];
    const checked = check(value);
    return checked.ok ? publication.entitiesOf(field, canonical(checked.value)) : [];
  }
  const entity = publication.find(value)?.entity;
  if (entity === undefined) return [];
  switch (field) {
    case 'lei':
      return [entity];
    case 'owns':
      return (['direct-parent', 'ultimate-parent'] as const).flatMap(
        (name) => parentOf(publication, entity, name)?.end ?? [],
      );
    case 'ownedBy': {
      const direct = yield* currentEnds(publication, entity, 'direct-children');
      return direct.union(yield* currentEnds(publication, entity, 'ultimate-children'));
    }
    default:
      return [];
  }
}

function isMapped(field: string): field is MappingKind {
  return Object.hasOwn(mappingTable, field);
}

interface NamesFound {
  readonly condition: EntityCondition;
  readonly first: Uint32Array | null;
}

/**
 * Companies with all words of a text in their names, or anywhere; where none has them, those that a search finds. Null
 * for a filter on something else.
 */
function* nameCondition(
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
    entities.length > 0 || conditions.length === 0
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
  if (!nameTerms(text).some((term) => isFormWord(term) && !isLight(term))) return found;
  // The search knows a form of several words, such as "sociedad anonima", only as a whole: the names tell its words.
  const others: Conditions = [...conditions, { is: 'entity', entities: found, isExcluded: true }];
  const inForms = yield* entitiesWithWords(publication, others, part, [soughtWords(wordsOf(text))]);
  return joined([found, inForms]);
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

/** Companies with all words in their texts, and those of an identifier. Some may be there several times. */
function* entitiesAnywhere(
  publication: PublicationReader,
  text: string,
  conditions: Conditions,
): Steps<Uint32Array | TimedOut> {
  const ofCodes = (['bic', 'isin', 'mic', 'ocid', 'qcc', 'gem'] as const).flatMap((kind) => {
    const checked = mappingTable[kind].check(text.toUpperCase());
    return checked.ok ? publication.entitiesOf(kind, mappingTable[kind].canonical(checked.value)) : [];
  });
  const words = wordsOf(text);
  if (words.length === 0) return Uint32Array.from(ofCodes);
  // Names are found by their legal form in any writing, as by the filters on names.
  const inNames = (yield* publication.search.withWords(text, 'names')) ?? new Uint32Array(0);
  if ('outcome' in inNames) return inNames;
  const sought = soughtWords(words);
  const ofLeis = words
    .flatMap((word) => publication.find(word.toUpperCase())?.entity ?? [])
    .filter((entity) => publication.gleif.hasWords(entity, 'everything', sought));
  const inTexts = yield* entitiesWithWords(publication, conditions, 'everything', [sought]);
  return joined([ofCodes, ofLeis, inNames, inTexts]);
}

/** Companies with all words in one text of a part, or with a value. */
function* partCondition(
  publication: PublicationReader,
  filter: GleifFilter,
  part: TextPart,
  conditions: Conditions,
): Steps<EntityCondition> {
  const alternatives = filter.is === 'range' ? [] : alternativesOf(filter, part).map(soughtWords);
  const entities = yield* entitiesWithWords(publication, conditions, part, alternatives);
  return { is: 'entity', entities, isExcluded: filter.isExcluded };
}

/** Words of which all must be in one text. Numbers may also be written without the signs that group them. */
function alternativesOf(
  filter: Exclude<GleifFilter, { is: 'range' }>,
  part: TextPart,
): readonly (readonly string[])[] {
  if (filter.is === 'values') return filter.values.map(wordsOf);
  const words = wordsOf(filter.text);
  const whole = numberParts.includes(part) ? [[withoutSigns(filter.text)]] : [];
  return [words, ...whole].filter((each) => each.length > 0 && !each.includes(''));
}

/**
 * Companies that have all words of an alternative in a part. Where the columns do not decide it exactly, the records of
 * the possible companies do.
 */
function* entitiesWithWords(
  { gleif, lists }: PublicationReader,
  conditions: Conditions,
  part: TextPart,
  alternatives: readonly SoughtWords[],
): Steps<Uint32Array> {
  if (alternatives.length === 0) return new Uint32Array(0);
  const words = alternatives.map((sought) => sought.words);
  const mayHave: Condition = { is: 'words', alternatives: words, isSearched: isSearched(part) };
  if (part === 'everything' && words.flat().every(lists.isExact))
    return yield* lists.matching([...conditions, mayHave]);
  return yield* entitiesWhere({ lists }, [...conditions, mayHave], (entity) =>
    alternatives.some((sought) => gleif.hasWords(entity, part, sought)),
  );
}

/** Reads the companies that meet conditions one by one. */
function* entitiesWhere(
  { lists }: Pick<PublicationReader, 'lists'>,
  conditions: Conditions,
  test: (entity: EntityNumber) => boolean,
): Steps<Uint32Array> {
  const candidates = yield* lists.matching(conditions);
  let count = 0;
  for (const [place, entity] of candidates.entries()) {
    if (place % companiesPerStep === companiesPerStep - 1) yield;
    if (test(entity)) candidates[count++] = entity;
  }
  return candidates.subarray(0, count);
}
/** Some 100 microseconds of reading. */
const companiesPerStep = 50;

/** The order that is asked for. */
export function readOrder(sort: readonly GleifSort[]): readonly ListOrder[] {
  return sort.flatMap(({ field, isDescending }) => {
    const column = valueColumns[field] ?? timeColumns[field] ?? orderTexts[field];
    return column === undefined ? [] : { field: column, isDescending };
  });
}
