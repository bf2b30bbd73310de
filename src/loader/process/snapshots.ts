/**
 * Decides which records of older files become snapshots.
 *
 * A record becomes one if it differs from the state known for its time: the latest snapshot before it or, if there is
 * none, the earliest state known after it. A record that never changed costs nothing.
 *
 *     snapshot 2020 ── ? ── snapshot 2022 ── ? ── first seen ── change ── change ── current
 *                                                 └ known exactly, by undoing changes ┘
 */

import { isOutdated } from '../../lei/dates.ts';
import { type Environment, rowCount } from '../../lmdb.ts';
import { sourceTimeOf } from '../../publication/layout.ts';
import { changeOrderWriter } from '../../store/change-order.ts';
import { changesOf, packChangeKey, packSnapshot, unpackSnapshot } from '../../store/change-records.ts';
import { leiLength } from '../../store/company-fields.ts';
import {
  isSameCompany,
  lastUpdateOf,
  packCompany,
  splitProvenance,
  withProvenance,
} from '../../store/company-record.ts';
import { writeMeta } from '../../store/meta.ts';
import type { Meta } from '../../store/meta-schema.ts';
import type { StoredPublication } from '../../store/raw-publication.ts';
import { textOfRow } from '../../store/stored-companies.ts';
import { openTables, type Tables } from '../../store/tables.ts';
import type { Base } from '../base.ts';
import { type BuildResult, provenanceSource, type RowOutcome } from '../build/build.ts';
import { createNumberList } from '../build/number-list.ts';
import { companyChanges, publishedMembers } from '../compare/field-changes.ts';
import { type SourceRow, textOf } from '../rows.ts';
import type { Source } from '../source.ts';

const rowsPerFlush = 5_000;

/** @param environment a copy of `base`; it becomes publication `id` with the snapshots */
export function createSnapshots(environment: Environment, base: Base, id: string) {
  const tables = openTables(environment);
  const meta: Meta = { ...base.meta, id, versions: [...base.meta.versions, id], files: [...base.meta.files] };
  const pending: string[] = [];
  const known = createKnown();
  let at = '';
  const flush = () => {
    tables.changes.transactionSync(() => {
      for (const packed of pending) takeRecord(tables, base, { packed, at, meta, known });
    });
    pending.length = 0;
    base.unmap();
  };
  return {
    begin({ name, header }: Source): void {
      flush();
      at = header.contentDate ?? '';
      known.begin(at);
      meta.files.push({ source: provenanceSource(name), name, publishedAt: at });
    },
    take(row: SourceRow): RowOutcome {
      if (row.kind !== 'level-1' && row.kind !== 'packed-level-1') {
        throw new Error(`A ${row.kind} row where history is recovered.`);
      }
      pending.push(row.kind === 'level-1' ? packCompany(row.record) : textOf(row.packed));
      if (pending.length >= rowsPerFlush) flush();
      return 'stored';
    },
    /** Writes the pending records and the new meta record. @returns the counts */
    finish(): BuildResult {
      flush();
      const { changes } = meta.counts;
      // Record the version, although a history changes no record: followers pass through it.
      changeOrderWriter(tables, meta.versions.length - 1, base.meta.sourcePublishedAt).end();
      meta.counts = { ...meta.counts, snapshots: rowCount(tables.changes) - changes };
      writeMeta(tables.meta, meta);
      const { counts, countries, resolvableRelationships } = meta;
      return { counts, countries, resolvableRelationships };
    },
  };
}

type KnownStates = ReturnType<typeof createKnown>;

/**
 * Companies, by entity number, whose row of this time matched the known state. Nothing is stored for such a row;
 * without this list, an older row of the same company later in the file would count as new.
 */
function createKnown() {
  const rounds = createNumberList();
  let round = 1;
  let time = '';
  return {
    /** The following rows have this time. */
    begin(at: string): void {
      if (at !== time) round++;
      time = at;
    },
    has: (entity: number) => rounds.get(entity) === round,
    add: (entity: number) => rounds.set(entity, round),
  };
}

interface StateCandidate {
  readonly packed: string;
  readonly at: string;
  readonly meta: Meta;
  readonly known: KnownStates;
}

function takeRecord(
  tables: Tables,
  base: StoredPublication,
  { packed, at, meta, known }: StateCandidate,
): void {
  const lei = packed.slice(0, leiLength);
  const updated = lastUpdateOf(packed);
  const version = meta.versions.length - 1;
  const key = packChangeKey({ lei, at, version, sequence: 0 });
  // If a company occurs twice in one file, its latest record counts.
  const twin = unpackSnapshot(tables.changes.get(key) ?? '')?.stored;
  if (twin !== undefined && isOutdated(updated, lastUpdateOf(twin))) return;
  if (twin !== undefined) tables.changes.removeSync(key);
  const current = currentRecord(base, lei);
  const state = knownAt(tables, current, lei, at);
  if (current !== null && known.has(current.entity) && isOutdated(updated, lastUpdateIn(state))) return;
  if (isKnown(packed, state)) {
    if (current !== null) known.add(current.entity);
    return;
  }
  const provenance = { file: meta.files.length - 1, firstSeen: version, lastChanged: version };
  const stored = withProvenance(packed, provenance);
  tables.changes.putSync(key, packSnapshot({ at, source: meta.files.at(-1)?.name ?? '', stored }));
}

/** A company's state: its packed record, or its members if changes were undone. */
type CompanyState = { readonly packed: string } | { readonly members: Record<string, unknown> } | null;

/** A company's current record, and since when all its changes have been recorded. */
interface Current {
  readonly entity: number;
  readonly packed: string;
  readonly recordedSince: string;
}

function currentRecord({ companies, meta }: StoredPublication, lei: string): Current | null {
  const entry = companies.find(lei);
  if (entry === null || !entry.hasRecord) return null;
  const split = splitProvenance(textOfRow(companies.record(entry.entity)) ?? '');
  if (split === null) return null;
  const firstSeen = meta.versions[split.provenance.firstSeen] ?? meta.id;
  return { entity: entry.entity, packed: split.record, recordedSince: sourceTimeOf(firstSeen) };
}

/** The known state of a company at a time; null if nothing is known. */
function knownAt(tables: Tables, current: Current | null, lei: string, at: string): CompanyState {
  let state: CompanyState = current === null ? null : { packed: current.packed };
  // Undoing recorded changes gives more than an older snapshot.
  const recorded = current !== null && !isOutdated(at, current.recordedSince);
  const items = [...changesOf(tables.changes, lei)].map(({ value }) => readItem(value)).reverse();
  for (const item of items) {
    const isSnapshot = item.packed !== undefined;
    if (isSnapshot && recorded) continue;
    const isLater = isOutdated(at, item.at);
    if (!isSnapshot && !isLater) return state;
    state = before(item, state);
    if (!isLater) return state;
  }
  return state;
}

interface HistoryItem {
  readonly kind: string;
  readonly at: string;
  readonly changes?: readonly { readonly field: string; readonly from: unknown }[];
  /** The time of a snapshot. */
  readonly packed?: string;
}

function readItem(value: string): HistoryItem {
  const snapshot = unpackSnapshot(value);
  if (snapshot === null) return JSON.parse(value);
  return { kind: 'snapshot', at: snapshot.at, packed: splitProvenance(snapshot.stored)?.record ?? '' };
}

/** The state before an item; a snapshot is itself the state of its time. */
function before(item: HistoryItem, state: CompanyState): CompanyState {
  if (item.packed !== undefined) return { packed: item.packed };
  // The record before a removal is unknown.
  if (item.kind === 'removed') return null;
  return item.kind === 'change' ? undo(state, item.changes ?? []) : state;
}

function undo(state: CompanyState, changes: NonNullable<HistoryItem['changes']>): CompanyState {
  if (state === null) return null;
  const members = 'members' in state ? state.members : publishedMembers(state.packed);
  for (const { field, from } of changes) setMember(members, field.split('.'), from);
  return { members };
}

function setMember(members: object, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    Object.assign(members, { [name]: value });
    return;
  }
  const inner: unknown = Object.getOwnPropertyDescriptor(members, name)?.value;
  if (typeof inner === 'object' && inner !== null) setMember(inner, rest, value);
}

/** Like {@link lastUpdateOf}, '' if there is none. */
function lastUpdateIn(state: CompanyState): string {
  if (state === null) return '';
  if ('packed' in state) return lastUpdateOf(state.packed);
  const { registration } = state.members;
  const isObject = typeof registration === 'object' && registration !== null;
  return isObject && 'lastUpdateDate' in registration ? String(registration.lastUpdateDate ?? '') : '';
}

function isKnown(packed: string, state: CompanyState): boolean {
  if (state === null) return false;
  if ('packed' in state) return isSameCompany(state.packed, packed);
  return companyChanges(state.members, publishedMembers(packed)).length === 0;
}
