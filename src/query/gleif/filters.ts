/** Turns the filters of GLEIF's API into conditions of the list engine and sets of companies. */

import { parentNames, relationNames, relations } from '../../lei/gleif-relations.ts';
import { isMappingKind, mappingTable } from '../../lei/identifier-kinds.ts';
import type { OrderText, TimeField, ValueField } from '../../lei/list-fields.ts';
import type { GleifFilter, GleifSort } from '../../protocol/gleif-questions.ts';
import type { FieldCondition, ListOrder } from '../../protocol/list-questions.ts';
import { isCodeBoundary } from '../../store/columns/layout.ts';
import type { EntityCondition } from '../../store/columns/list-query.ts';
import type { EntityNumber, PublicationReader } from '../../store/publication-reader.ts';
import { withoutSigns, wordsOf } from '../../store/record-words.ts';
import type { TimedOut } from '../../store/search/search-reader.ts';
import { soughtWords } from '../../store/sought-words.ts';
import type { Steps } from '../../store/steps.ts';
import type { TextPart } from '../../store/text-parts.ts';
import { nameCondition, searchedFields } from './name-filters.ts';
import { type Condition, type Conditions, entitiesWhere, entitiesWithWords } from './reading.ts';
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
    const condition =
      columnCondition(yield* withSubdivisions(publication, filter)) ??
      (yield* entityCondition(publication, filter));
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

/** The jurisdiction of a country holds for its subdivisions too: a company of Delaware (`US-DE`) is one of `US`. */
function* withSubdivisions(publication: PublicationReader, filter: GleifFilter): Steps<GleifFilter> {
  if (filter.is !== 'values' || filter.field !== 'entity.jurisdiction') return filter;
  const known = [...(yield* publication.lists.values('jurisdiction'))];
  const within = filter.values.map((value) => known.filter((each) => each.startsWith(`${value}-`)));
  return { ...filter, values: [...filter.values, ...within.flat()] };
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
  if (isMappingKind(field)) {
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
      return parentNames.flatMap((name) => parentOf(publication, entity, name)?.end ?? []);
    case 'ownedBy': {
      const direct = yield* currentEnds(publication, entity, 'direct-children');
      return direct.union(yield* currentEnds(publication, entity, 'ultimate-children'));
    }
    default:
      return [];
  }
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

/**
 * Words of which all must be in one text. Numbers may also be written without the signs that group them, and several are separated
 * by commas: clients send the spellings of a number so.
 */
function alternativesOf(
  filter: Exclude<GleifFilter, { is: 'range' }>,
  part: TextPart,
): readonly (readonly string[])[] {
  if (filter.is === 'values') return filter.values.map(wordsOf);
  const written = numberParts.includes(part)
    ? filter.text.split(',').flatMap((number) => [wordsOf(number), [withoutSigns(number)]])
    : [wordsOf(filter.text)];
  return written.filter((each) => each.length > 0 && !each.includes(''));
}

/** The order that is asked for. */
export function readOrder(sort: readonly GleifSort[]): readonly ListOrder[] {
  return sort.flatMap(({ field, isDescending }) => {
    const column = valueColumns[field] ?? timeColumns[field] ?? orderTexts[field];
    return column === undefined ? [] : { field: column, isDescending };
  });
}
