/** Counts the current relationships of each kind by the company at their end: filters compare these numbers. */
import type { RelationName } from '../../lei/gleif-relations.ts';
import { relations } from '../../lei/gleif-relations.ts';
import { currentStatus } from '../../lei/relationship.ts';
import type { RawPublication } from '../raw-publication.ts';
import { renderRelationship } from '../relationship-record.ts';
import type { Steps } from '../steps.ts';
import type { RelationCounts } from './gleif-reader.ts';

/** About half a millisecond of reading. */
const recordsPerStep = 500;

/** Reads all relationships once, when the first filter asks. */
export function openRelationCounts({ tables, transaction }: RawPublication) {
  let known: ReadonlyMap<string, RelationCounts> | null = null;
  return function* countsOf(name: RelationName): Steps<RelationCounts> {
    known ??= yield* countAll(tables, transaction);
    return known.get(relations[name].type) ?? new Map();
  };
}

function* countAll(
  tables: RawPublication['tables'],
  transaction: RawPublication['transaction'],
): Steps<ReadonlyMap<string, RelationCounts>> {
  const byType = new Map<string, Map<number, number>>();
  let read = 0;
  for (const { value } of tables.relationships.getRange({ transaction })) {
    if (++read % recordsPerStep === 0) yield;
    const { end, type, status } = renderRelationship(value);
    if (status !== currentStatus) continue;
    const counts = byType.get(type) ?? new Map<number, number>();
    byType.set(type, counts);
    counts.set(end, (counts.get(end) ?? 0) + 1);
  }
  return byType;
}
