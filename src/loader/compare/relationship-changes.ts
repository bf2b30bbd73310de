/** Finds which relationships came, changed or went. */
import { leiOfEntity, readDirectoryValue } from '../../store/raw-publication.ts';
import { renderRelationship, splitEnds } from '../../store/relationship-record.ts';
import { relationshipBetween } from '../base.ts';
import { type Comparison, isKnown } from './comparison.ts';
import { fieldChanges } from './field-changes.ts';

export function compareRelationships(comparison: Comparison): void {
  const { base, relationships, full } = comparison;
  const seen = new Uint8Array(full ? base.meta.lastRelationship + 1 : 0);
  for (const number of relationships.touched()) {
    const before = findInBase(comparison, number);
    if (before !== null) seen[before.number] = 1;
    logOne(comparison, number, before?.stored);
  }
  if (full) logMissing(comparison, seen);
}

/** The same relationship in the base; null if it has none with this start, end and type. */
function findInBase({ base, entities, relationships }: Comparison, number: number) {
  const start = readDirectoryValue(entities.baseValue(relationships.start(number)))?.entity ?? 0;
  const end = readDirectoryValue(entities.baseValue(relationships.end(number)))?.entity ?? 0;
  if (start === 0 || end === 0) return null;
  return relationshipBetween(base, start, end, relationships.type(number));
}

function logOne(comparison: Comparison, number: number, before: string | undefined): void {
  const { entities, relationships } = comparison;
  const after = relationships.exists(number) ? relationships.stored(number) : undefined;
  if (before !== undefined && after !== undefined) {
    if (splitEnds(before).record === splitEnds(after).record) return;
  }
  const start = relationships.start(number);
  const end = relationships.end(number);
  logChange(comparison, entities.lei(start), entities.lei(end), before, after);
}

/** Those of the base that a full set no longer contains. */
function logMissing(comparison: Comparison, seen: Uint8Array): void {
  const { base } = comparison;
  for (const { key, value: stored } of base.tables.relationships.getRange({
    transaction: base.transaction,
  })) {
    if (seen[Number(key)] === 1) continue;
    const { start, end } = splitEnds(stored);
    logChange(comparison, leiOfEntity(base, start), leiOfEntity(base, end), stored, undefined);
  }
}

/** Writes the item for both ends of the relationship. */
function logChange(
  comparison: Comparison,
  start: string,
  end: string,
  before: string | undefined,
  after: string | undefined,
): void {
  const stored = after ?? before;
  if (stored === undefined) return;
  const relationship = { start, end, type: renderRelationship(stored).type };
  const changes = after === undefined ? null : changesTo(after, before);
  if (changes?.length === 0) return;
  const { log } = comparison;
  for (const lei of new Set([start, end])) {
    if (!isKnown(comparison, lei)) continue;
    if (changes === null) log.relationshipRemoved(lei, relationship);
    else log.relationshipChanged(lei, relationship, changes);
  }
}

/** A new relationship is recorded by its status alone; its details are in the relationships themselves. */
function changesTo(after: string, before: string | undefined) {
  const { json, status } = renderRelationship(after);
  if (before === undefined) return [{ field: 'status', from: null, to: status }];
  return fieldChanges(JSON.parse(renderRelationship(before).json), JSON.parse(json));
}
