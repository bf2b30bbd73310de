/**
 * Which records of older files become snapshots.
 *
 * A record does where it differs from what is known of its time: from the latest snapshot before it or, where there
 * is none, from the earliest state known after it. So a record that never changed costs nothing.
 *
 *     snapshot 2020 ── ? ── snapshot 2022 ── ? ── first seen ── change ── change ── current
 *                                                 └ known exactly, by undoing changes ┘
 */
import type { LegalEntityRecord } from '../lei/company.ts';
import { type Environment, rowCount } from '../lmdb.ts';
import { changesOf, packChangeKey, packSnapshot, unpackSnapshot } from '../store/change-records.ts';
import {
  isRecord,
  lastUpdateOf,
  packCompany,
  splitProvenance,
  withProvenance,
} from '../store/company-record.ts';
import { type Meta, writeMeta } from '../store/meta.ts';
import { type RawPublication, readDirectoryValue } from '../store/raw-publication.ts';
import { openTables, type Tables } from '../store/tables.ts';
import { type Build, type Built, provenanceSource } from './build/build.ts';
import { isOutdated } from './build/moments.ts';
import { publishedMembers } from './compare/compare.ts';
import { fieldChanges } from './compare/field-changes.ts';
import type { Source } from './rows.ts';

export interface Snapshots extends Pick<Build, 'begin' | 'take'> {
  /** Writes what is pending and the new description; returns the counts. */
  finish(): Built;
}

const rowsPerFlush = 5_000;

/** @param environment a copy of `base` that is to hold the snapshots as publication `id` */
export function createSnapshots(environment: Environment, base: RawPublication, id: string): Snapshots {
  const tables = openTables(environment);
  const meta: Meta = { ...base.meta, id, versions: [...base.meta.versions, id], files: [...base.meta.files] };
  const pending: LegalEntityRecord[] = [];
  let at = '';
  const flush = () => {
    tables.changes.transactionSync(() => {
      for (const record of pending) takeRecord(tables, base, { record, at, meta });
    });
    pending.length = 0;
  };
  return {
    begin({ name, header }: Source) {
      flush();
      at = header.contentDate ?? '';
      meta.files.push({ source: provenanceSource(name), name, publishedAt: at });
    },
    take(row) {
      if (row.kind !== 'level-1') throw new Error(`A ${row.kind} row where history is recovered.`);
      pending.push(row.record);
      if (pending.length >= rowsPerFlush) flush();
      return 'stored';
    },
    finish() {
      flush();
      const changes = meta.counts.changes;
      meta.counts = { ...meta.counts, snapshots: rowCount(tables.changes) - changes };
      writeMeta(tables.meta, meta);
      return { counts: meta.counts, resolvableRelationships: meta.resolvableRelationships };
    },
  };
}

interface Candidate {
  readonly record: LegalEntityRecord;
  readonly at: string;
  readonly meta: Meta;
}

function takeRecord(tables: Tables, base: RawPublication, { record, at, meta }: Candidate): void {
  const { lei } = record;
  const packed = packCompany(record);
  const version = meta.versions.length - 1;
  const key = packChangeKey({ lei, at, version, sequence: 0 });
  // The same company twice in one file: its latest record is the one of that time.
  const twin = unpackSnapshot(tables.changes.get(key) ?? '')?.stored;
  if (twin !== undefined && isOutdated(record.registration.lastUpdateDate ?? '', lastUpdateOf(twin))) return;
  if (twin !== undefined) tables.changes.removeSync(key);
  if (isKnown(packed, knownAt(tables, currentRecord(base, lei), lei, at))) return;
  const provenance = { file: meta.files.length - 1, firstSeen: version, lastChanged: version };
  const stored = withProvenance(packed, provenance);
  tables.changes.putSync(key, packSnapshot({ at, source: meta.files.at(-1)?.name ?? '', stored }));
}

/** A state as its packed record, or as members where changes had to be undone. */
type State = { readonly packed: string } | { readonly members: Record<string, unknown> } | null;

function currentRecord({ directory, tables, transaction }: RawPublication, lei: string): string | null {
  const entry = readDirectoryValue(directory.first(lei));
  const stored = entry === null ? undefined : tables.entities.get(entry.entity, { transaction });
  return stored === undefined || !isRecord(stored) ? null : (splitProvenance(stored)?.record ?? null);
}

/** What is known of a company at a time: null where nothing is. */
function knownAt(tables: Tables, current: string | null, lei: string, at: string): State {
  let state: State = current === null ? null : { packed: current };
  for (const { value } of [...changesOf(tables.changes, lei)].reverse()) {
    const snapshot = unpackSnapshot(value);
    if (snapshot === null) {
      const item: unknown = JSON.parse(value);
      if (!isItem(item)) continue;
      // History reaches back to that time, so undoing what came later has led to the state of then.
      if (!isOutdated(at, item.at)) return state;
      state = before(item, state);
    } else {
      state = { packed: splitProvenance(snapshot.stored)?.record ?? '' };
      if (!isOutdated(at, snapshot.at)) return state;
    }
  }
  return state;
}

/** The state that an item led away from. */
function before(item: Item, state: State): State {
  // A company that was removed had a record before; nothing tells which.
  if (item.kind === 'removed') return null;
  return item.kind === 'change' ? undo(state, item.changes ?? []) : state;
}

interface Item {
  readonly kind: string;
  readonly at: string;
  readonly changes?: readonly { readonly field: string; readonly from: unknown }[];
}

/** Items were written by this program; the check only narrows the type. */
function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && 'kind' in value && 'at' in value;
}

function undo(state: State, changes: NonNullable<Item['changes']>): State {
  if (state === null) return null;
  const members = 'members' in state ? state.members : publishedMembers(`${state.packed}\n0,0,0`);
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

function isKnown(packed: string, state: State): boolean {
  if (state === null) return false;
  if ('packed' in state) return state.packed === packed;
  return fieldChanges(state.members, publishedMembers(`${packed}\n0,0,0`), labels).length === 0;
}
const labels = new Set(['entity.legalForm.label']);
