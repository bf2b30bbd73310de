/** Reads the relations of a company and the exceptions that it reports, on which the links of its resource depend. */
import { relationNames, relations } from '../../lei/gleif-relations.ts';
import { currentStatus } from '../../lei/relationship-codes.ts';
import { glimpse } from '../../lmdb.ts';
import { readExceptionCodes } from '../exception-codes.ts';
import { slotEndFrom, valueAt } from '../packed-json.ts';
import type { RawPublication } from '../raw-publication.ts';
import { unpackRelationshipLists } from '../relationship-record.ts';
import { bitOf } from './links.ts';

const bitsOf = (isOne: boolean) =>
  new Map<string, number>(
    relationNames
      .filter((name) => relations[name].isOne === isOne)
      .map((name) => [relations[name].type, bitOf(name)]),
  );
/** The bit of a relationship by its type, for the company at its start and for the one at its end. */
const bits = { asStart: bitsOf(true), asEnd: bitsOf(false) };
const exceptionBits = {
  direct: bitOf('direct-parent-exception'),
  ultimate: bitOf('ultimate-parent-exception'),
};

/** The relationships of companies with more are read once: each read takes a microsecond, and some have tens of thousands. */
const readEachTimeMax = 1;
/** Companies whose facts are remembered, at some 50 bytes each. */
const rememberedMax = 20_000;

/** @returns a function that gives the bits of the facts of a company (links.ts) */
export function openRelationFacts(opened: RawPublication): (entity: number) => number {
  const { tables, transaction } = opened;
  const remembered = new Map<number, number>();
  const bitOfRecord = (number: number, ofType: ReadonlyMap<string, number>): number => {
    const stored = glimpse(tables.relationships, number, { transaction });
    if (stored === null) throw new Error(`Relationship ${number} is listed but not stored.`);
    return currentBit(stored.bytes, stored.length, ofType);
  };
  const related = (entity: number): number => {
    const known = remembered.get(entity);
    if (known !== undefined) return known;
    const row = glimpse(tables.relationshipsOf, entity, { transaction });
    if (row === null) return 0;
    const { asStart, asEnd } = unpackRelationshipLists(row.bytes, row.length);
    let found = 0;
    for (const number of asStart) found |= bitOfRecord(number, bits.asStart);
    for (const number of asEnd) found |= bitOfRecord(number, bits.asEnd);
    if (asStart.length + asEnd.length > readEachTimeMax) {
      if (remembered.size === rememberedMax) remembered.clear();
      remembered.set(entity, found);
    }
    return found;
  };
  return (entity) => {
    const { direct, ultimate } = readExceptionCodes(tables.exceptionCodes, entity, transaction);
    const exceptions =
      (direct === 0 ? 0 : exceptionBits.direct) | (ultimate === 0 ? 0 : exceptionBits.ultimate);
    return related(entity) | exceptions;
  };
}

/** The bit of a stored relationship; 0 unless it is current. */
function currentBit(bytes: Buffer, length: number, ofType: ReadonlyMap<string, number>): number {
  const startEnd = slotEndFrom(bytes, 0, length);
  const endEnd = slotEndFrom(bytes, startEnd + 1, length);
  const typeEnd = slotEndFrom(bytes, endEnd + 1, length);
  const status = valueAt(bytes, typeEnd + 1, slotEndFrom(bytes, typeEnd + 1, length));
  return status === currentStatus ? (ofType.get(valueAt(bytes, endEnd + 1, typeEnd) ?? '') ?? 0) : 0;
}
