/**
 * The history of companies. getCompanyChanges: the changes of a company, newest first. getChangesSince: the changes that
 * the publications after one brought, oldest first. getCompanyAsOf: the record of a company as it stood at a moment, from
 * its changes and snapshots.
 */
import { kindOfMappingField } from '../lei/change-kinds.ts';
import { legalFormLabel } from '../lei/legal-form-list.ts';
import { type Notices, noticeKinds, noticesOf } from '../lei/notices.ts';
import { settledJson } from '../lei/written-days.ts';
import type { AsOfQuestion, ChangesSinceQuestion } from '../protocol/ext-questions.ts';
import type { Answer, Question } from '../protocol/questions.ts';
import { sourceTimeOf } from '../publication/layout.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import type { Steps } from '../store/steps.ts';
import { found, notFound, out } from './answers.ts';
import { queryLimits } from './limits.ts';
import { readCompany } from './look-ups.ts';

type JsonMembers = Record<string, unknown>;

interface PastEvent {
  readonly kind: string;
  readonly at: string;
  readonly changes?: readonly { readonly field: string; readonly from: unknown }[];
  readonly record?: JsonMembers;
}

/** The record as of a moment and since when it has been so, or why there is none. */
type RecordAtMoment =
  | { readonly record: JsonMembers; readonly knownSince: string }
  | { readonly record: null; readonly reason: string };

const kindsOfRecord: ReadonlySet<string> = new Set(['change', 'created', 'removed', 'snapshot']);

/** Whether an item says something about the record; the others are about relationships or mappings. */
function isOfRecord({ kind, changes = [] }: PastEvent): boolean {
  return kindsOfRecord.has(kind) && changes.every(({ field }) => kindOfMappingField(field) === null);
}

/** A step reads some of the changes. @param now epoch milliseconds */
export function* answerAsOf(
  publication: PublicationReader,
  { lei, at }: AsOfQuestion,
  now = Date.now(),
): Steps<Answer> {
  // The data may be ahead of a wrong clock.
  const today = new Date(Math.max(now, Date.parse(sourceTimeOf(publication.id)))).toISOString().slice(0, 10);
  if (at.slice(0, today.length) > today) {
    return { outcome: 'invalid', parameter: 'moment', detail: `is in the future; today is ${today} (UTC)` };
  }
  const company = readCompany(publication, lei);
  const items = ((yield* allChanges<PastEvent>(publication, lei)) ?? []).filter(isOfRecord);
  if (company === null && items.length === 0) return notFound;
  const standing = standingAt(Date.parse(at), company, items);
  if (standing.record === null) {
    const where = `as of ${at} in dataset version ${publication.id}`;
    return { outcome: 'not-found', detail: `LEI ${lei} was not found ${where}: it ${standing.reason}` };
  }
  const { entity, registration, validation } = standing.record;
  const { knownSince } = standing;
  out.begin();
  out.text(settledJson({ lei, at, knownSince, entity, registration, validation }));
  return found(out);
}

/**
 * All changes of a company, newest first; null for an LEI that was never in the data.
 * @template Item the members of a ChangeItem that are read
 */
export function* allChanges<Item>(
  publication: PublicationReader,
  lei: string,
): Steps<readonly Item[] | null> {
  const items: Item[] = [];
  let after: string | null = null;
  do {
    const page = publication.changes(lei, after, queryLimits.changesPerReading);
    if (page === null) return null;
    for (const text of page.items) items.push(JSON.parse(text));
    after = page.next;
    yield;
  } while (after !== null);
  return items;
}

/**
 * The record as it stood at a moment: the current one without the steps after the moment, if that is known; else that of the last
 * snapshot by then, if no step came between them.
 * @param moment epoch milliseconds
 */
function standingAt(
  moment: number,
  company: JsonMembers | null,
  items: readonly PastEvent[],
): RecordAtMoment {
  const isBy = ({ at }: PastEvent) => Date.parse(at) <= moment;
  const steps = items.filter(({ kind }) => kind !== 'snapshot');
  const last = steps.find(isBy);
  if (last?.kind === 'removed') return { record: null, reason: `was removed from the data at ${last.at}.` };
  const later = steps.filter((step) => !isBy(step));
  const record = undone(company, later);
  const begin = last?.at ?? beginOf(company);
  if (record !== null && begin !== null && Date.parse(begin) <= moment) return { record, knownSince: begin };
  const snapshots = items.filter(({ kind }) => kind === 'snapshot');
  const snapshot = snapshots.find(isBy);
  // A snapshot from before a change does not have it.
  const isLatest = last === undefined || Date.parse(last.at) <= Date.parse(snapshot?.at ?? '');
  if (snapshot?.record !== undefined && isLatest) return { record: snapshot.record, knownSince: snapshot.at };
  const removal = later.findLast(({ kind }) => kind === 'removed');
  if (last !== undefined && removal !== undefined) {
    return { record: null, reason: `was removed from the data at ${removal.at}; no earlier record is kept.` };
  }
  return {
    record: null,
    reason: `has a history that reaches back to ${reach(begin, company, steps, snapshots)}.`,
  };
}

/** When the service first had the company in its current state. */
function beginOf(company: JsonMembers | null): string | null {
  const provenance = company?.['provenance'];
  if (typeof provenance !== 'object' || provenance === null || !('firstSeen' in provenance)) return null;
  return sourceTimeOf(String(provenance.firstSeen));
}

/** Undoes the steps, newest first. @returns the record before them; null if it is unknown or there was none */
function undone(company: JsonMembers | null, steps: readonly PastEvent[]): JsonMembers | null {
  let record = company;
  for (const { kind, changes = [] } of steps) {
    // The record is removed with its company, so nothing before that is known.
    if (kind !== 'change') record = null;
    if (record !== null) for (const { field, from } of changes) put(record, field.split('.'), from);
  }
  if (record !== null) nameLegalForm(record);
  return record;
}

/** Sets a member by its path. An object that was null is created. */
function put(target: JsonMembers, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = membersOf(target[name]) ?? {};
  target[name] = inner;
  put(inner, rest, value);
}

function membersOf(value: unknown): JsonMembers | null {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : null;
}

/** Changes don't list the name, which follows from the code. */
function nameLegalForm(record: JsonMembers): void {
  const form = membersOf(membersOf(record['entity'])?.['legalForm']);
  const id = form?.['id'];
  put(record, ['entity', 'legalForm', 'label'], typeof id === 'string' ? legalFormLabel(id) : null);
}

/** The earliest moment about which anything is known. */
function reach(
  begin: string | null,
  company: JsonMembers | null,
  steps: readonly PastEvent[],
  snapshots: readonly PastEvent[],
): string {
  const known = steps.some(({ kind }) => kind === 'removed') ? [] : [begin ?? beginOf(company)];
  const moments = [...known, ...[...steps, ...snapshots].map(({ at }) => at)].filter((at) => at !== null);
  return moments.reduce((earliest, at) => (Date.parse(at) < Date.parse(earliest) ? at : earliest));
}

type ChangesQuestion = Extract<Question, { kind: 'changes' }>;

/** A removed company keeps its changes. Only an LEI that was never in the data is not found. */
export function answerChanges(
  publication: PublicationReader,
  question: Omit<ChangesQuestion, 'kind'>,
): Answer {
  const page = publication.changes(question.lei, question.after, question.limit);
  if (page === null) return notFound;
  const items = page.items.join(',');
  out.begin();
  out.text(`{"lei":"${question.lei}","items":[${items}]}`);
  return found(out, noticesIn(items), page.next);
}

/** The notices that the mappings in snapshots and changes require. */
function noticesIn(items: string): Notices {
  const isHeld = (kind: string) => items.includes(`"${kind}":["`) || items.includes(`"mappings.${kind}"`);
  return noticesOf(noticeKinds.filter(isHeld));
}

export function answerChangesSince(publication: PublicationReader, question: ChangesSinceQuestion): Answer {
  const changes = publication.changesSince(question);
  if (changes.outcome === 'refused') {
    return { outcome: 'invalid', parameter: 'since', detail: changes.detail };
  }
  const items = changes.items.join(',');
  out.begin();
  out.text(`{"since":"${changes.since}","items":[${items}]}`);
  return found(out, noticesIn(items), changes.next);
}
