/** A relationship record as the environment holds it: both ends as entity numbers, then the packed values. */
import type { Relationship } from '../lei/relationship.ts';
import type { Glimpse } from '../lmdb.ts';
import { JsonBytes, piece } from '../protocol/json-bytes.ts';
import { digitsAt, type Member, member, objectOf, rowsOf, slotEndFrom, valueAt } from './packed-json.ts';
import { pack, packCode, packRows, packTime, slotSeparator, unpack } from './packing.ts';
import type { EntityNumber, StoredRelationship } from './publication-reader.ts';

/** The values of a relationship without its ends: equal texts are equal records. */
export function packRelationship(relationship: Relationship): string {
  const { validation, registration } = relationship;
  return [
    packCode(relationship.type),
    packCode(relationship.status),
    packRows(relationship.periods, (period) => [
      packCode(period.type),
      packTime(period.startDate),
      packTime(period.endDate),
    ]),
    packRows(relationship.qualifiers, (qualifier) => [
      packCode(qualifier.dimension),
      packCode(qualifier.category),
    ]),
    packRows(relationship.quantifiers, (quantifier) => [
      packCode(quantifier.method),
      pack(quantifier.amount),
      packCode(quantifier.units),
    ]),
    packCode(validation.sources),
    packCode(validation.documents),
    pack(validation.reference),
    packCode(registration.status),
    packTime(registration.initialRegistrationDate),
    packTime(registration.lastUpdateDate),
    packTime(registration.nextRenewalDate),
    pack(registration.managingLou),
  ].join(slotSeparator);
}

export function withEnds(record: string, start: EntityNumber, end: EntityNumber): string {
  return `${start}${slotSeparator}${end}${slotSeparator}${record}`;
}

/** Takes a stored text apart into its ends and what {@link packRelationship} made. */
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

/** A relationship as it is stored, in bytes of its own. */
class RelationshipText implements StoredRelationship {
  readonly start: EntityNumber;
  readonly end: EntityNumber;
  readonly type: string;
  readonly status: string | null;
  readonly #bytes: Buffer;
  /** Where the slot of the type begins. */
  readonly #record: number;

  constructor(bytes: Buffer) {
    const startEnd = slotEndFrom(bytes, 0, bytes.length);
    const endEnd = slotEndFrom(bytes, startEnd + 1, bytes.length);
    const typeEnd = slotEndFrom(bytes, endEnd + 1, bytes.length);
    this.#bytes = bytes;
    this.#record = endEnd + 1;
    this.start = digitsAt(bytes, 0, startEnd);
    this.end = digitsAt(bytes, startEnd + 1, endEnd);
    this.type = valueAt(bytes, this.#record, typeEnd) ?? '';
    this.status = valueAt(bytes, typeEnd + 1, slotEndFrom(bytes, typeEnd + 1, bytes.length));
  }

  get lastUpdateDate(): string {
    const bytes = this.#bytes;
    let from = this.#record;
    for (let index = 0; index < lastUpdateMember; index++) {
      from = slotEndFrom(bytes, from, bytes.length) + 1;
    }
    return valueAt(bytes, from, slotEndFrom(bytes, from, bytes.length)) ?? '';
  }

  get json(): string {
    alone.begin();
    this.put(alone);
    return alone.toString();
  }

  put(out: JsonBytes): void {
    const bytes = this.#bytes;
    let from = this.#record;
    for (const { before, put } of members) {
      const to = slotEndFrom(bytes, from, bytes.length);
      out.put(before);
      put(out, bytes, from, to);
      from = Math.min(to + 1, bytes.length);
    }
    out.put(end);
  }
}

const putPeriod = objectOf([member('"type":'), member(',"startDate":'), member(',"endDate":')]);
const putQualifier = objectOf([member('"dimension":'), member(',"category":')]);
const putQuantifier = objectOf([member('"method":'), member(',"amount":'), member(',"units":')]);

/** In the order of the slots. */
const members: readonly Member[] = [
  member('{"type":'),
  member(',"status":'),
  member(',"periods":', rowsOf(putPeriod)),
  member(',"qualifiers":', rowsOf(putQualifier)),
  member(',"quantifiers":', rowsOf(putQuantifier)),
  member(',"validation":{"sources":'),
  member(',"documents":'),
  member(',"reference":'),
  member('},"registration":{"status":'),
  member(',"initialRegistrationDate":'),
  member(',"lastUpdateDate":'),
  member(',"nextRenewalDate":'),
  member(',"managingLou":'),
];
const lastUpdateMember = 10;
const end = piece('}}');

/** For one that is wanted by itself. */
const alone = new JsonBytes();

export function renderRelationship(stored: string): StoredRelationship {
  return new RelationshipText(Buffer.from(stored));
}

/** The same from where lmdb has read the record to, of which only a copy lasts. */
export function keepRelationship({ bytes, length }: Glimpse): StoredRelationship {
  const copy = Buffer.allocUnsafeSlow(length);
  bytes.copy(copy, 0, 0, length);
  return new RelationshipText(copy);
}
