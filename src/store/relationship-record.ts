/** Packs a relationship record for storage: both ends as entity numbers, then the values. */

import { uint32At } from '../bytes/numbers-in-bytes.ts';
import type { PathsIn } from '../lei/fields.ts';
import { relationshipFields } from '../lei/level-2-fields.ts';
import type { Relationship } from '../lei/relationship.ts';
import type { Glimpse } from '../lmdb.ts';
import { JsonBytes, piece } from '../protocol/json-bytes.ts';
import { membersOf, packerOf, placesOf } from './field-codecs.ts';
import { digitsAt, slotEndFrom, valueAt } from './packed-json.ts';
import { slotSeparator, unpack } from './packing.ts';
import type { EntityNumber, RelationshipsOfOne, StoredRelationship } from './publication-reader.ts';
import type { Steps } from './steps.ts';

/** In the order of the slots. */
const places = placesOf(relationshipFields);
const packValues = packerOf(relationshipFields);

/** Packs the values of a relationship without its ends. Equal records give equal texts. */
export function packRelationship(relationship: Relationship): string {
  return packValues(relationship).join(slotSeparator);
}

export function withEnds(record: string, start: EntityNumber, end: EntityNumber): string {
  return `${start}${slotSeparator}${end}${slotSeparator}${record}`;
}

/** Splits a stored text into its ends and the text that {@link packRelationship} made. */
export function splitEnds(stored: string): { start: EntityNumber; end: EntityNumber; record: string } {
  const first = stored.indexOf(slotSeparator);
  const second = stored.indexOf(slotSeparator, first + 1);
  return {
    start: Number(stored.slice(0, first)),
    end: Number(stored.slice(first + 1, second)),
    record: stored.slice(second + 1),
  };
}

/** The published type and status of a packed record without its ends. */
export function kindOfRelationship(record: string): { type: string; status: string | null } {
  const [type = '', status = ''] = record.split(slotSeparator, 2);
  return { type: unpack(type) ?? '', status: unpack(status) };
}

/** A stored relationship in a buffer shared with others. */
class RelationshipText implements StoredRelationship {
  readonly start: EntityNumber;
  readonly end: EntityNumber;
  readonly type: string;
  readonly status: string | null;
  readonly #bytes: Buffer;
  /** Start of the slot of the type. */
  readonly #record: number;
  readonly #to: number;

  constructor(bytes: Buffer, from: number, to: number) {
    const startEnd = slotEndFrom(bytes, from, to);
    const endEnd = slotEndFrom(bytes, startEnd + 1, to);
    const typeEnd = slotEndFrom(bytes, endEnd + 1, to);
    this.#bytes = bytes;
    this.#record = endEnd + 1;
    this.#to = to;
    this.start = digitsAt(bytes, from, startEnd);
    this.end = digitsAt(bytes, startEnd + 1, endEnd);
    this.type = valueAt(bytes, this.#record, typeEnd) ?? '';
    this.status = valueAt(bytes, typeEnd + 1, slotEndFrom(bytes, typeEnd + 1, to));
  }

  get lastUpdateDate(): string {
    let from = this.#record;
    for (let index = 0; index < lastUpdateMember; index++) {
      from = slotEndFrom(this.#bytes, from, this.#to) + 1;
    }
    return valueAt(this.#bytes, from, slotEndFrom(this.#bytes, from, this.#to)) ?? '';
  }

  get json(): string {
    alone.begin();
    this.put(alone);
    return alone.toString();
  }

  put(out: JsonBytes): void {
    let from = this.#record;
    for (const { before, put } of members) {
      const to = slotEndFrom(this.#bytes, from, this.#to);
      out.put(before);
      put(out, this.#bytes, from, to);
      from = Math.min(to + 1, this.#to);
    }
    out.put(end);
  }
}

const members = membersOf(places);
const end = piece('}'.repeat(places.at(-1)?.path.length ?? 0));
const lastUpdatePath: PathsIn<typeof relationshipFields> = 'registration.lastUpdateDate';
const lastUpdateMember = places.findIndex(({ path }) => path.join('.') === lastUpdatePath);

/** Renders a single relationship. */
const alone = new JsonBytes();

export function renderRelationship(stored: string): StoredRelationship {
  const bytes = Buffer.from(stored);
  return new RelationshipText(bytes, 0, bytes.length);
}

/** About half a millisecond of reading. */
const recordsPerStep = 200;

/**
 * Keeps the relationships of one company at a time, copied one after the other into one buffer. Some companies have
 * very many, and a buffer for each would be garbage.
 */
export class KeptRelationships {
  readonly #texts = new JsonBytes();

  /**
   * @param read reads the record of a number
   * @returns relationships until the next call; those of more than one step stay
   */
  *keep({ asStart, asEnd }: RelationshipLists, read: (number: number) => Glimpse): Steps<RelationshipsOfOne> {
    const count = asStart.length + asEnd.length;
    // Others may be read between two steps.
    const isLong = count > recordsPerStep;
    const texts = isLong ? new JsonBytes() : this.#texts;
    texts.begin();
    const stops: number[] = [];
    for (const number of asStart.concat(asEnd)) {
      if (stops.length > 0 && stops.length % recordsPerStep === 0) yield;
      const { bytes, length } = read(number);
      texts.copy(bytes, 0, length);
      stops.push(texts.length);
    }
    const bytes = texts.bytes();
    const kept = stops.map((to, index) => new RelationshipText(bytes, stops[index - 1] ?? 0, to));
    return {
      asStart: kept.slice(0, asStart.length),
      asEnd: kept.slice(asStart.length),
      free: () => (isLong ? texts.free() : undefined),
    };
  }
}

/** The numbers of the relationship records that an entity starts, and of those that it ends. */
interface RelationshipLists {
  readonly asStart: readonly number[];
  readonly asEnd: readonly number[];
}
export const noRelationships: RelationshipLists = { asStart: [], asEnd: [] };

interface PackableLists {
  readonly asStart: Uint32Array;
  readonly asEnd: Uint32Array;
}

/**
 * Packs how many records the entity starts, the ones it starts, and the ones it ends. At least one list must have a
 * number: two empty lists are not stored.
 */
export function packRelationshipLists(lists: PackableLists): Buffer {
  const { asStart, asEnd } = lists;
  const bytes = Buffer.allocUnsafe(4 * (1 + asStart.length + asEnd.length));
  let at = bytes.writeUInt32LE(asStart.length, 0);
  for (const number of asStart) at = bytes.writeUInt32LE(number, at);
  for (const number of asEnd) at = bytes.writeUInt32LE(number, at);
  return bytes;
}

/** @param length how many of the bytes belong to the lists */
export function unpackRelationshipLists(
  bytes: Uint8Array | undefined,
  length = bytes?.length ?? 0,
): RelationshipLists {
  if (bytes === undefined) return noRelationships;
  const starts = uint32At(bytes, 0);
  const asStart: number[] = [];
  const asEnd: number[] = [];
  for (let at = 4; at < length; at += 4) {
    const list = asStart.length < starts ? asStart : asEnd;
    list.push(uint32At(bytes, at));
  }
  return { asStart, asEnd };
}
