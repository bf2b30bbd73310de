/**
 * The rows of the change history: each holds one change of one company.
 *
 *     key:   LEI (20) | time in ms (6) | version index (4) | sequence (4), big-endian, so newest is last
 *     value: JSON of a ChangeItem, or for a snapshot "S", its time, its source and the packed company
 *
 * The version index separates and orders items of two loads with the same source time.
 */
import { type ChangeKind, changeKinds } from '../lei/change-kinds.ts';
import type { TextTable } from '../lmdb.ts';
import { leiLength } from './company-fields.ts';
import { slotSeparator } from './packing.ts';
import { companyText, type RecordTexts } from './render-company.ts';

interface ChangeKey {
  readonly lei: string;
  /** UTC. */
  readonly at: string;
  readonly version: number;
  readonly sequence: number;
}

const keyLength = leiLength + 6 + 4 + 4;
const suffixLength = keyLength - leiLength;

export function packChangeKey({ at, ...rest }: ChangeKey): Buffer {
  return changeKeyAt({ time: changeTime(at), ...rest });
}

/** The time in a key. No real change is older than 1970; one with an earlier date in its file sorts first. */
export function changeTime(at: string): number {
  return Math.max(0, Date.parse(at) || 0);
}

/** Like {@link ChangeKey}, with the time in ms. */
interface ChangeKeyParts extends Omit<ChangeKey, 'at'> {
  readonly time: number;
}

export function changeKeyAt({ lei, time, version, sequence }: ChangeKeyParts): Buffer {
  const key = Buffer.alloc(keyLength);
  key.write(lei, 0, leiLength, 'latin1');
  key.writeUIntBE(time, leiLength, 6);
  key.writeUInt32BE(version, leiLength + 6);
  key.writeUInt32BE(sequence, leiLength + 10);
  return key;
}

export function leiOfChangeKey(key: Buffer): string {
  return key.toString('latin1', 0, leiLength);
}

/** The index of the version that brought a change, and the change's number in it. */
export function placeOfChangeKey(key: Buffer): { readonly version: number; readonly sequence: number } {
  return { version: key.readUInt32BE(leiLength + 6), sequence: key.readUInt32BE(leiLength + 10) };
}

/** The first and the last possible key of a company. */
export function changeKeyBounds(lei: string): { first: Buffer; last: Buffer } {
  const first = Buffer.alloc(keyLength);
  first.write(lei, 0, leiLength, 'latin1');
  const last = Buffer.alloc(keyLength, 0xff);
  last.write(lei, 0, leiLength, 'latin1');
  return { first, last };
}

/** The position of a page that begins behind a key: the key without its LEI. */
export function positionOf(key: Buffer): string {
  return key.subarray(leiLength).toString('base64url');
}

/** The inverse of {@link positionOf}; null if the text is not such a position. */
export function keyAtPosition(lei: string, position: string): Buffer | null {
  const suffix = Buffer.from(position, 'base64url');
  if (suffix.length !== suffixLength) return null;
  return Buffer.concat([Buffer.from(lei, 'latin1'), suffix]);
}

const snapshotMark = 'S';

interface Snapshot {
  readonly at: string;
  /** Name of the file it was recovered from. */
  readonly source: string;
  /** A packed company with its provenance. */
  readonly stored: string;
}

/** A record recovered from an older file. It is stored packed, because its JSON would take several times the space. */
export function packSnapshot({ at, source, stored }: Snapshot): string {
  return `${snapshotMark}${at}${slotSeparator}${JSON.stringify(source)}${slotSeparator}${stored}`;
}

/** Null if the row is not a snapshot. */
export function unpackSnapshot(value: string): Snapshot | null {
  if (!value.startsWith(snapshotMark)) return null;
  const first = value.indexOf(slotSeparator);
  const second = value.indexOf(slotSeparator, first + 1);
  return {
    at: value.slice(1, first),
    source: String(JSON.parse(value.slice(first + 1, second))),
    stored: value.slice(second + 1),
  };
}

/** JSON of the ChangeItem in a row. */
export function renderChange(value: string, texts: RecordTexts): string {
  const snapshot = unpackSnapshot(value);
  if (snapshot === null) return value.replace(earlierRemoval, '{"kind":"relationship-removed"$1}');
  const record = companyText(snapshot.stored, texts);
  return `{"kind":"snapshot","at":${JSON.stringify(snapshot.at)},"source":${JSON.stringify(snapshot.source)},"record":${record}}`;
}

/** The kind of a row; null for a snapshot, and for a damaged row. */
export function kindOfChange(value: string): ChangeKind | null {
  const kind = /^\{"kind":"([a-z-]+)"/.exec(value)?.[1];
  return changeKinds.find((known) => known === kind) ?? null;
}

/** A removed relationship as written by earlier versions. Without an end it is a reporting exception. */
const earlierRemoval =
  /^\{"kind":"relationship-change"(.*"end":"[^"]*".*),"changes":\[\{"field":"status","from":"[^"]*","to":null\}\]\}$/;

/** Rows of one company, oldest first. */
export function* changesOf(table: TextTable, lei: string): Generator<{ key: Buffer; value: string }> {
  const { first, last } = changeKeyBounds(lei);
  for (const { key, value } of table.getRange({ start: first, end: last, inclusiveEnd: true })) {
    if (Buffer.isBuffer(key)) yield { key, value };
  }
}
