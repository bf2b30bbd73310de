/** Follows a publication: keeps its records, and updates them with the changes since. */
import type { ChangeKind } from '../../src/lei/change-kinds.ts';
import { exceptionCategories } from '../../src/lei/relationship-codes.ts';
import type { ChangesSinceQuery } from '../../src/protocol/ext-questions.ts';
import { answerQuestion } from '../../src/query/answer-question.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { jsonIn } from '../support/answers.ts';

type Members = Record<string, unknown>;

/** What a publication shows about its companies: by LEI and, for relationships, by both ends and type. */
export interface Records {
  readonly companies: Map<string, Members>;
  readonly relationships: Map<string, Members>;
  /** By LEI and category. */
  readonly exceptions: Map<string, Members>;
}

interface FieldChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

export interface FeedItem {
  readonly lei: string;
  readonly kind: ChangeKind;
  readonly at: string;
  readonly datasetVersion: string;
  readonly changes?: readonly FieldChange[];
  readonly relationship?: { readonly start: string; readonly end: string | null; readonly type: string };
}

/** The published members of a company; null if it has no record. */
export function recordOf(reader: PublicationReader, lei: string): Members | null {
  const entry = reader.find(lei);
  const text = entry === null ? null : reader.company(entry.entity);
  if (text === null) return null;
  const { entity, registration, validation, mappings } = jsonIn(text.json);
  return { entity, registration, validation, mappings: { ...mappings, isin: mappings.isin.first } };
}

export function recordsOf(reader: PublicationReader): Records {
  const records: Records = { companies: new Map(), relationships: new Map(), exceptions: new Map() };
  for (let entity = 1; entity <= reader.lastEntity; entity++) {
    const { lei } = reader.summary(entity);
    fetchCompany(records, reader, lei);
  }
  return records;
}

/** Reads a company as the service shows it: its record, its relationships and its exceptions. */
function fetchCompany(
  { companies, relationships, exceptions }: Records,
  reader: PublicationReader,
  lei: string,
) {
  const record = recordOf(reader, lei);
  if (record === null) companies.delete(lei);
  else companies.set(lei, record);
  for (const key of [...relationships.keys(), ...exceptions.keys()]) {
    if (!key.split(' ').includes(lei)) continue;
    relationships.delete(key);
    exceptions.delete(key);
  }
  const entity = reader.find(lei)?.entity;
  if (entity === undefined) return;
  for (const [key, value] of relationshipsOf(reader, entity)) relationships.set(key, value);
  for (const [key, value] of exceptionsOf(reader, lei, entity)) exceptions.set(key, value);
}

function relationshipsOf(reader: PublicationReader, entity: number): readonly (readonly [string, Members])[] {
  const { asStart, asEnd } = reader.relationships(entity);
  return [...asStart, ...asEnd].map(({ start, end, type, json }) => [
    `${reader.summary(start).lei} ${reader.summary(end).lei} ${type}`,
    JSON.parse(json),
  ]);
}

function exceptionsOf(reader: PublicationReader, lei: string, entity: number) {
  const { direct, ultimate } = reader.exceptions(entity);
  const told = [
    [exceptionCategories.direct, direct],
    [exceptionCategories.ultimate, ultimate],
  ] as const;
  return told.flatMap(([category, json]) => {
    if (json === null) return [];
    const { reasons, references } = JSON.parse(json);
    return [[`${lei} ${category}`, withoutEmpty({ reasons, references })] as const];
  });
}

/** An empty list of references is left out. */
function withoutEmpty(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => Array.isArray(value) && value.length > 0),
  );
}

/** All pages of the changes since a publication. */
export function changesSince(
  reader: PublicationReader,
  since: string,
  query: Partial<ChangesSinceQuery> = {},
): FeedItem[] {
  const items: FeedItem[] = [];
  for (let after: string | null = null; ; ) {
    const page = { since, leis: [], kinds: [], limit: 7, ...query, after };
    const answer = answerQuestion(reader, { kind: 'changes-since', ...page });
    if (answer.outcome !== 'found') throw new Error(JSON.stringify(answer));
    items.push(...jsonIn(answer.data).items);
    if (answer.next === null) return items;
    after = answer.next;
  }
}

/** Applies changes in order; asks the service for what they do not contain. */
export function applyChanges(records: Records, items: readonly FeedItem[], reader: PublicationReader): void {
  for (const item of items) applyOne(records, item, reader);
}

function applyOne(records: Records, item: FeedItem, reader: PublicationReader): void {
  const { lei, kind, changes = [], relationship } = item;
  if (kind === 'created') fetchCompany(records, reader, lei);
  else if (kind === 'removed') records.companies.delete(lei);
  else if (kind === 'change') applyFields(records.companies.get(lei) ?? {}, changes);
  else if (relationship?.end === null) applyException(records, relationship, changes);
  else applyRelationship(records, item, reader);
}

function applyException(
  { exceptions }: Records,
  { start, type }: { readonly start: string; readonly type: string },
  changes: readonly FieldChange[],
): void {
  const key = `${start} ${type}`;
  const members = exceptions.get(key) ?? {};
  applyFields(members, changes);
  if (Object.keys(withoutEmpty(members)).length === 0) exceptions.delete(key);
  else exceptions.set(key, withoutEmpty(members));
}

function applyRelationship({ relationships }: Records, item: FeedItem, reader: PublicationReader): void {
  const { start = '', end = '', type = '' } = item.relationship ?? {};
  const key = `${start} ${end} ${type}`;
  const known = relationships.get(key);
  if (item.kind === 'relationship-removed') relationships.delete(key);
  else if (known !== undefined) applyFields(known, item.changes ?? []);
  else {
    const entity = reader.find(start)?.entity ?? 0;
    const [, now] = relationshipsOf(reader, entity).find(([each]) => each === key) ?? [];
    if (now !== undefined) relationships.set(key, now);
  }
}

function applyFields(members: Members, changes: readonly FieldChange[]): void {
  for (const { field, from, to } of changes) {
    const path = field.split('.');
    put(members, path, path[0] === 'mappings' ? identifiersAfter(members, path[1] ?? '', from, to) : to);
  }
}

/** The identifiers of a kind, without those that went and with those that came. */
function identifiersAfter(members: Members, kind: string, from: unknown, to: unknown): readonly unknown[] {
  const known: readonly unknown[] = Object(members['mappings'])[kind] ?? [];
  const [went, came] = [from, to].map((values) => (Array.isArray(values) ? values : []));
  const kept = known.filter((value) => !went?.includes(value));
  // A record that was fetched meanwhile may have them already.
  return [...new Set([...kept, ...(came ?? [])])].sort();
}

function put(members: Members, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    members[name] = value;
    return;
  }
  const inner = { ...Object(members[name]) };
  members[name] = inner;
  put(inner, rest, value);
}

/**
 * What changes cover: the name of a legal form follows from its code, and relationships of companies without a record
 * are in no feed.
 */
export function comparable({ companies, relationships, exceptions }: Records) {
  const isTold = ([key]: readonly [string, unknown]) => key.split(' ').some((part) => companies.has(part));
  return {
    companies: sorted([...companies].map(([lei, record]) => [lei, withoutLabel(record)])),
    relationships: sorted([...relationships].filter(isTold)),
    exceptions: sorted([...exceptions].filter(isTold)),
  };
}

function sorted<Value>(
  entries: readonly (readonly [string, Value])[],
): readonly (readonly [string, Value])[] {
  return entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function withoutLabel(record: Members): unknown {
  return JSON.parse(JSON.stringify(record), (name, value) => (name === 'label' ? undefined : value));
}
