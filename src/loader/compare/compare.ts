/** Finds what this load changed compared with the previous publication: companies, relationships, exceptions. */
import { exceptionCategories } from '../../lei/relationship-codes.ts';
import type { SourceKind } from '../../publication/manifest.ts';
import { isRecord, leiLength } from '../../store/company-fields.ts';
import { comparableRecord, isSameRecord, splitProvenance } from '../../store/company-record.ts';
import { exceptionCodesReader, noExceptions } from '../../store/exception-codes.ts';
import { renderRelationship, splitEnds } from '../../store/relationship-record.ts';
import { leiOfEntity, textOfRow } from '../../store/stored-companies.ts';
import { type Base, relationshipBetween } from '../base.ts';
import { type Companies, touch } from '../build/companies.ts';
import type { BroughtRecords, Entities } from '../build/entities.ts';
import { type ExceptionSide, type Exceptions, exceptionSides, exceptionTexts } from '../build/exceptions.ts';
import type { Relationships } from '../build/relationships.ts';
import type { ChangeLog } from './change-log.ts';
import { type FieldChange, fieldChanges, recordChanges } from './field-changes.ts';

interface Comparison {
  readonly base: Base;
  readonly entities: Entities;
  readonly records: BroughtRecords;
  readonly companies: Companies;
  readonly relationships: Relationships;
  readonly exceptions: Exceptions;
  readonly log: ChangeLog;
  /** Kinds of files in this load. An absent kind counts as unchanged. */
  readonly kinds: ReadonlySet<SourceKind>;
  /** Whether a record that a file lacks counts as removed. */
  readonly full: boolean;
}

/**
 * Writes all changes. The order of the steps is the order of items of one time: a company is created before it
 * has relationships.
 */
export function compare(comparison: Comparison): void {
  const hasCompanies = comparison.kinds.has('level-1');
  if (hasCompanies) logCreated(comparison);
  if (comparison.kinds.has('relationships')) compareRelationships(comparison);
  comparison.base.unmap();
  if (comparison.kinds.has('reporting-exceptions')) compareExceptions(comparison);
  comparison.base.unmap();
  if (hasCompanies) logChanged(comparison);
  if (hasCompanies && comparison.full) logRemoved(comparison);
}

function logCreated({ entities, records, companies, log }: Comparison): void {
  for (const entity of records.brought()) {
    if (companies.touched(entity) === touch.created) log.created(entities.lei(entity));
  }
}

function logChanged(comparison: Comparison): void {
  const { base, entities, records, companies, log } = comparison;
  let looked = 0;
  for (const entity of records.brought()) {
    if (companies.touched(entity) !== touch.changed) continue;
    if (++looked % companiesPerUnmap === 0) base.unmap();
    const before = textOfRow(base.companies.record(entities.inBase(entity)?.entity ?? 0)) ?? '';
    const changes = recordChanges(recordIn(before), recordIn(companies.stored(entity)));
    if (changes.length > 0) log.changed(entities.lei(entity), changes);
  }
}

/** Each scattered read also maps the pages around it, about 64 KB. */
const companiesPerUnmap = 2_000;

function recordIn(stored: string): string {
  const split = splitProvenance(stored);
  if (split === null) throw new Error('A company that changed has no record.');
  return split.record;
}

function logRemoved({ base, companies, log }: Comparison): void {
  for (let entity = 1; entity <= base.meta.lastEntity; entity++) {
    if (companies.seenInBase(entity)) continue;
    const stored = base.companies.record(entity);
    if (stored !== null && isRecord(stored)) log.removed(stored.bytes.toString('latin1', 0, leiLength));
  }
}

/** Whether a company has or had a record: only then changes are recorded for its LEI. */
function isKnown({ base, entities }: Comparison, lei: string): boolean {
  return entities.hasRecord(entities.find(lei)) || base.companies.find(lei)?.hasRecord === true;
}

function compareRelationships(comparison: Comparison): void {
  const { base, relationships, full } = comparison;
  const seen = new Uint8Array(full ? base.meta.lastRelationship + 1 : 0);
  for (const number of relationships.touched()) {
    const before = findInBase(comparison, number);
    if (before !== null) seen[before.number] = 1;
    logRelationship(comparison, number, before?.stored);
  }
  if (full) logMissingRelationships(comparison, seen);
}

/** The same relationship in the base; null if it has none with this start, end and type. */
function findInBase({ base, entities, relationships }: Comparison, number: number) {
  const start = entities.inBase(relationships.start(number))?.entity ?? 0;
  const end = entities.inBase(relationships.end(number))?.entity ?? 0;
  if (start === 0 || end === 0) return null;
  return relationshipBetween(base, start, end, relationships.type(number));
}

function logRelationship(comparison: Comparison, number: number, before: string | undefined): void {
  const { entities, relationships } = comparison;
  const after = relationships.exists(number) ? relationships.stored(number) : undefined;
  if (before !== undefined && after !== undefined) {
    if (isSameRecord(splitEnds(before).record, splitEnds(after).record)) return;
  }
  const start = entities.lei(relationships.start(number));
  const end = entities.lei(relationships.end(number));
  logRelationshipChange(comparison, { start, end, before, after });
}

/** Those of the base that a full set no longer contains. */
function logMissingRelationships(comparison: Comparison, seen: Uint8Array): void {
  const { base } = comparison;
  for (const { key, value: stored } of base.tables.relationships.getRange({
    transaction: base.transaction,
  })) {
    if (seen[Number(key)] === 1) continue;
    const ends = splitEnds(stored);
    const start = leiOfEntity(base.companies, ends.start);
    const end = leiOfEntity(base.companies, ends.end);
    logRelationshipChange(comparison, { start, end, before: stored, after: undefined });
  }
}

/** A relationship in both publications. */
interface ComparedRelationship {
  /** LEIs of its ends. */
  readonly start: string;
  readonly end: string;
  /** The stored texts; undefined where the publication does not have it. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Writes the item for both ends of the relationship. */
function logRelationshipChange(
  comparison: Comparison,
  { start, end, before, after }: ComparedRelationship,
): void {
  const stored = after ?? before;
  if (stored === undefined) return;
  const relationship = { start, end, type: renderRelationship(stored).type };
  const changes = after === undefined ? null : relationshipChanges(after, before);
  if (changes?.length === 0) return;
  const { log } = comparison;
  for (const lei of new Set([start, end])) {
    if (!isKnown(comparison, lei)) continue;
    if (changes === null) log.relationshipRemoved(lei, relationship);
    else log.relationshipChanged(lei, relationship, changes);
  }
}

/** A new relationship is recorded by its status alone; its details are in the relationships themselves. */
function relationshipChanges(after: string, before: string | undefined) {
  if (before === undefined) return [{ field: 'status', from: null, to: renderRelationship(after).status }];
  const { json } = renderRelationship(comparableRecord(before, after));
  return fieldChanges(JSON.parse(renderRelationship(before).json), JSON.parse(json));
}

function compareExceptions(comparison: Comparison): void {
  const { entities, exceptions, full } = comparison;
  const before = baseExceptions(comparison);
  const compareOne = (entity: number) => {
    const from = before(entities.inBase(entity)?.entity ?? null);
    for (const side of exceptionSides) {
      const to = exceptions.text(entity, side);
      // Look up the LEI only for those that differ; nearly all are the same.
      if (from[side] !== to)
        logExceptionChange(comparison, { lei: entities.lei(entity), side, from: from[side], to });
    }
  };
  if (!full) {
    exceptions.touched().forEach(compareOne);
    return;
  }
  for (let entity = 1; entity <= entities.last; entity++) compareOne(entity);
  logMissingExceptions(comparison, before);
}

/** The base's exceptions as JSON members, by its number of an entity; null for an unknown one. */
function baseExceptions({ base }: Comparison) {
  const texts = exceptionTexts(base);
  const codesOf = exceptionCodesReader(base.tables.exceptionCodes, base.transaction);
  return (entity: number | null) => {
    const { direct, ultimate } = entity === null ? noExceptions : codesOf(entity);
    return { direct: texts[direct] ?? null, ultimate: texts[ultimate] ?? null };
  };
}

/** Those of the base's entities that a full set no longer mentions. */
function logMissingExceptions(comparison: Comparison, before: ReturnType<typeof baseExceptions>): void {
  const { base, companies, entities } = comparison;
  for (let entity = 1; entity <= base.meta.lastEntity; entity++) {
    if (companies.seenInBase(entity)) continue;
    const from = before(entity);
    if (from.direct === null && from.ultimate === null) continue;
    const lei = leiOfEntity(base.companies, entity);
    if (entities.find(lei) !== 0) continue;
    for (const side of exceptionSides) {
      if (from[side] !== null) logExceptionChange(comparison, { lei, side, from: from[side], to: null });
    }
  }
}

/** An exception in both publications, as JSON members; null where it has none. */
interface ComparedException {
  readonly lei: string;
  readonly side: ExceptionSide;
  readonly from: string | null;
  readonly to: string | null;
}

function logExceptionChange(comparison: Comparison, { lei, side, from, to }: ComparedException): void {
  if (!isKnown(comparison, lei)) return;
  const relationship = { start: lei, end: null, type: exceptionCategories[side] };
  comparison.log.relationshipChanged(lei, relationship, exceptionChanges(from, to));
}

const absent = { reasons: null, references: null };

/** Include references only if there are any. */
function exceptionChanges(from: string | null, to: string | null): FieldChange[] {
  const changes = fieldChanges(
    from === null ? absent : JSON.parse(`{${from}}`),
    to === null ? absent : JSON.parse(`{${to}}`),
  );
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  return changes.filter((change) => !(isEmpty(change.from) && isEmpty(change.to)));
}
