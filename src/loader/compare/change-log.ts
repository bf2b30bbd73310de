/** Writes the change items of one load and their order, carrying over those of the base. */
import type { ChangeKind } from '../../lei/change-kinds.ts';
import { appendText } from '../../lmdb.ts';
import { carryChangeOrder, changeOrderWriter, forgetChangeOrder } from '../../store/change-order.ts';
import { packChangeKey } from '../../store/change-records.ts';
import type { RawPublication } from '../../store/raw-publication.ts';
import type { Tables } from '../../store/tables.ts';
import { loaderLimits } from '../limits.ts';
import type { FieldChange } from './field-changes.ts';

interface ChangedRelationship {
  readonly start: string;
  /** Null for a reporting exception. */
  readonly end: string | null;
  /** Relationship type, or the category of a reporting exception. */
  readonly type: string;
}

/** The members that all items of a load share. */
interface ChangeMoment {
  readonly at: string;
  readonly datasetVersion: string;
  /** Index of that version. */
  readonly version: number;
}

const itemsPerFlush = 20_000;

export type ChangeLog = ReturnType<typeof createChangeLog>;

export function createChangeLog(tables: Tables, moment: ChangeMoment) {
  const pending: { key: Buffer; lei: string; kind: ChangeKind; item: string }[] = [];
  const { at, datasetVersion, version } = moment;
  const order = changeOrderWriter(tables, version, at);
  let sequence = 0;
  const flush = () => {
    tables.changes.transactionSync(() => {
      for (const { key, lei, kind, item } of pending) {
        tables.changes.putSync(key, item);
        order.add(lei, kind);
      }
    });
    pending.length = 0;
  };
  const add = (lei: string, kind: ChangeKind, members: object) => {
    const item = JSON.stringify({ kind, at, datasetVersion, ...members });
    pending.push({ key: packChangeKey({ lei, at, version, sequence }), lei, kind, item });
    sequence++;
    if (pending.length >= itemsPerFlush) flush();
  };
  return {
    created: (lei: string) => add(lei, 'created', {}),
    removed: (lei: string) => add(lei, 'removed', {}),
    changed: (lei: string, changes: readonly FieldChange[]) => add(lei, 'change', { changes }),
    relationshipChanged: (lei: string, relationship: ChangedRelationship, changes: readonly FieldChange[]) =>
      add(lei, 'relationship-change', { relationship, changes }),
    relationshipRemoved: (lei: string, relationship: ChangedRelationship) =>
      add(lei, 'relationship-removed', { relationship }),
    /** Writes what is pending. */
    end(): void {
      flush();
      tables.changeOrder.transactionSync(order.end);
    },
  };
}

/** The oldest version that can be followed besides the newest. */
function oldestFollowed(newest: number): number {
  return Math.max(0, newest - loaderLimits.versionsFollowedMax + 1);
}

/** Forgets the order of changes that are too old to be followed, in a copy that receives the changes of a version. */
export function forgetOldOrder(tables: Tables, newest: number): void {
  tables.changeOrder.transactionSync(() => forgetChangeOrder(tables, oldestFollowed(newest)));
}

/** Copies all history into empty tables. @param newest the version that is being made */
export function carryChanges(from: RawPublication, tables: Tables, newest: number): void {
  tables.changeOrder.transactionSync(() => carryChangeOrder(from, tables, oldestFollowed(newest)));
  const rows = from.tables.changes.getRange({ transaction: from.transaction })[Symbol.iterator]();
  for (let ended = false; !ended; ) {
    tables.changes.transactionSync(() => {
      for (let copied = 0; copied < itemsPerFlush; copied++) {
        const { done, value: row } = rows.next();
        if (done === true) {
          ended = true;
          return;
        }
        appendText(tables.changes, row.key, row.value);
      }
    });
  }
}
