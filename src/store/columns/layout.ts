/**
 * The columns of a company file: for each entity, by its number, codes of what lists filter and sort by.
 *
 *     block    of 1,024 entities: a checksum for each column and each bit of words, then the codes of column after column,
 *              then the slices of the words (signatures.ts)
 *     slice    one bit of each entity
 *
 * A code of 16 or 32 bits stands as a number. Columns with fewer values have a slice for each bit of their codes, the lowest
 * first: they take less room, and a list compares the codes of 32 entities at once.
 *
 * All columns of an entity stand in one block of some 110 kilobytes, so that a changed company changes one stretch of the
 * file. A list reads one to four kilobytes of each block for a column.
 */
import { type FieldPath, level1Fields } from '../../lei/level-1-fields.ts';
import type { FoldedField, FractionField, TimeField, ValueField } from '../../lei/list-fields.ts';
import { slotOf } from '../company-fields.ts';
import { wordBits } from './signatures.ts';

/** A column whose codes stand for texts: code 0 means that there is no record, and each text is listed. */
interface TextColumn {
  readonly is: 'text';
  readonly slot: number;
  /** Of a code: there may be several times the values that published data has. */
  readonly bits: number;
}

/** A member of addresses. `any` collects it from all addresses of a company: a text may hold several values. */
interface AddressColumn {
  readonly is: 'address';
  readonly member: number;
  readonly any: boolean;
  readonly bits: number;
}

/**
 * A column of times: code 0 means none; others are one more than the count of units since the beginning. Times outside
 * are taken for the first or the last one.
 */
interface TimeColumn {
  readonly is: 'time';
  readonly slot: number;
  /** Seconds since 1970. */
  readonly begins: number;
  readonly unitSeconds: number;
}

/** The column beside a column of minutes, with the seconds of its times: 0 to 59. */
interface SecondsColumn {
  readonly is: 'seconds';
  readonly slot: number;
}

/** The column beside a column of seconds, with the thousandths of its times: 0 to 999. */
interface FractionColumn {
  readonly is: 'fraction';
  readonly slot: number;
}

/** A column of hashes of folded texts (texts.ts): code 0 means no text. */
interface HashColumn {
  readonly is: 'hash';
}

/**
 * A column by which companies are ordered: a part of the beginning of a text (texts.ts). Companies with the same
 * beginning are ordered by the rest of the text in their records. In the first part code 0 means no text.
 */
interface KeyColumn {
  readonly is: 'key';
  readonly bits: 16 | 32;
}

type Column =
  | TextColumn
  | AddressColumn
  | TimeColumn
  | SecondsColumn
  | FractionColumn
  | HashColumn
  | KeyColumn;

/** Of a column with a handful of values. */
const fewBits = 8;
const ofText = (path: FieldPath, bits = fewBits): TextColumn => ({ is: 'text', slot: slotOf(path), bits });
const members = Object.keys(level1Fields.entity.legalAddress.members);
const ofAddress = (member: 'country' | 'region', any: boolean, bits: number): AddressColumn => ({
  is: 'address',
  member: members.indexOf(member),
  any,
  bits,
});
/** To the second from 1970 to 2106. */
const ofRegistration = (path: FieldPath): TimeColumn => ({
  is: 'time',
  slot: slotOf(path),
  begins: 0,
  unitSeconds: 1,
});
/** To the minute from year 0 on: companies are older than registers. */
const ofLife = (path: FieldPath): TimeColumn => ({
  is: 'time',
  slot: slotOf(path),
  begins: Date.parse('0000-01-01T00:00:00Z') / 1000,
  unitSeconds: 60,
});
const secondsOfLife = (path: FieldPath): SecondsColumn => ({ is: 'seconds', slot: slotOf(path) });
const fractionOf = (path: FieldPath): FractionColumn => ({ is: 'fraction', slot: slotOf(path) });

/** In the order of a block, which is part of the format. */
export const columns = {
  country: ofAddress('country', false, 10),
  anyCountry: ofAddress('country', true, 16),
  region: ofAddress('region', false, 16),
  anyRegion: ofAddress('region', true, 16),
  jurisdiction: ofText('entity.jurisdiction', 14),
  category: ofText('entity.category'),
  subCategory: ofText('entity.subCategory'),
  entityStatus: ofText('entity.status'),
  registrationStatus: ofText('registration.status'),
  legalForm: ofText('entity.legalForm.id', 13),
  managingLou: ofText('registration.managingLou', 10),
  registeredAt: ofText('entity.registeredAt.id', 12),
  validatedAt: ofText('validation.validatedAt.id', 12),
  corroborationLevel: ofText('validation.corroborationLevel'),
  conformityFlag: ofText('validation.conformityFlag'),
  expirationReason: ofText('entity.expiration.reason'),
  created: ofLife('entity.creationDate'),
  createdSeconds: secondsOfLife('entity.creationDate'),
  expired: ofLife('entity.expiration.date'),
  expiredSeconds: secondsOfLife('entity.expiration.date'),
  registered: ofRegistration('registration.initialRegistrationDate'),
  updated: ofRegistration('registration.lastUpdateDate'),
  renewal: ofRegistration('registration.nextRenewalDate'),
  registeredFraction: fractionOf('registration.initialRegistrationDate'),
  updatedFraction: fractionOf('registration.lastUpdateDate'),
  renewalFraction: fractionOf('registration.nextRenewalDate'),
  city: { is: 'hash' },
  postalCode: { is: 'hash' },
  registeredAs: { is: 'hash' },
  leiFirst: { is: 'key', bits: 16 },
  leiSecond: { is: 'key', bits: 32 },
  nameFirst: { is: 'key', bits: 32 },
  nameSecond: { is: 'key', bits: 32 },
  cityFirst: { is: 'key', bits: 32 },
} as const satisfies Readonly<Record<ValueField | TimeField | FractionField | FoldedField | string, Column>>;

export type ColumnName = keyof typeof columns;
type NameOf<Kind extends Column['is']> = {
  [Name in ColumnName]: (typeof columns)[Name] extends { readonly is: Kind } ? Name : never;
}[ColumnName];
export type KeyName = NameOf<'key'>;
/** The name of a column of seconds. */
export type SecondsName = NameOf<'seconds'>;

export const columnNames = Object.keys(columns).filter((name): name is ColumnName => name in columns);

export function isTime(name: ColumnName): name is TimeField {
  return columns[name].is === 'time';
}

export function isFraction(name: ColumnName): name is FractionField {
  return columns[name].is === 'fraction';
}

/** Whether the codes of a column stand for listed texts. */
export function isValue(name: ColumnName): name is ValueField {
  const { is } = columns[name];
  return is === 'text' || is === 'address';
}

/** Whether a company has at most one value in a column. */
export function hasOneValue(name: ValueField): boolean {
  const column: Column = columns[name];
  return column.is !== 'address' || !column.any;
}

/** Bits of each code of a column. */
export function bitsOfCode(name: ColumnName): number {
  const column: Column = columns[name];
  if (column.is === 'seconds') return secondsBits;
  if (column.is === 'fraction') return fractionBits;
  return 'bits' in column ? column.bits : 32;
}
const secondsBits = 6;
const fractionBits = 10;

/** The greatest code of a text in a column. */
export function textCodeMax(name: ValueField): number {
  return 2 ** columns[name].bits - 1;
}
/** The greatest code of 32 bits. */
export const codeMax = 0xffff_ffff;

export const blockEntities = 1024;
const checkBytes = 4;
const sliceBytes = blockEntities / 8;
/** Words of 32 entities in a slice. */
export const sliceWords = blockEntities / 32;
/** Of the checksums of columns and slices, with which a block begins. */
export const headBytes = (columnNames.length + wordBits) * checkBytes;

/** A part of a block that is read by itself: where it and its checksum stand. */
export interface BlockPart {
  readonly check: number;
  readonly from: number;
  readonly bytes: number;
}

/** The codes of a column in a block. */
export interface ColumnPlace extends BlockPart {
  readonly name: ColumnName;
  /** Of a code. */
  readonly bits: number;
  /** Whether the block has a slice for each bit, in place of a number for each entity. */
  readonly isSliced: boolean;
}

const sliceChecksAt = columnNames.length * checkBytes;

function placesInBlock(): readonly ColumnPlace[] {
  let from = headBytes;
  return columnNames.map((name, index) => {
    const bits = bitsOfCode(name);
    const bytes = bits * sliceBytes;
    from += bytes;
    const isSliced = bits !== 16 && bits !== 32;
    return { name, check: index * checkBytes, from: from - bytes, bytes, bits, isSliced };
  });
}
export const columnPlaces = placesInBlock();
const placeByName = new Map(columnPlaces.map((place) => [place.name, place]));

export function placeOfColumn(name: ColumnName): ColumnPlace {
  const place = placeByName.get(name);
  if (place === undefined) throw new Error(`There is no column ${name}.`);
  return place;
}

const last = columnPlaces.at(-1);
/** Where the slices of the words begin. */
export const slicesAt = last === undefined ? 0 : last.from + last.bytes;
/** By the bit of words. */
export const slicePlaces: readonly BlockPart[] = Array.from({ length: wordBits }, (_, bit) => ({
  check: sliceChecksAt + bit * checkBytes,
  from: slicesAt + bit * sliceBytes,
  bytes: sliceBytes,
}));
export const columnBlockBytes = slicesAt + wordBits * sliceBytes;

/** How many blocks the entities up to a number take. */
export function blocksFor(lastEntity: number): number {
  return Math.floor(lastEntity / blockEntities) + 1;
}

export function blockOf(entity: number): number {
  return Math.floor(entity / blockEntities);
}

/** The code of a time in a column, for a record or for the end of a range. @param at seconds since 1970 */
export function timeCode(name: TimeField, at: number): number {
  const { begins, unitSeconds } = columns[name];
  const units = Math.floor((at - begins) / unitSeconds);
  return Math.min(codeMax, Math.max(0, units) + 1);
}

/** The seconds of a time within its minute. @param at seconds since 1970 */
export function secondsIn(at: number): number {
  return Math.floor(at) - Math.floor(at / 60) * 60;
}

/** The thousandths of a time within its second. @param at seconds since 1970 */
export function thousandthsIn(at: number): number {
  return Math.round((at - Math.floor(at)) * 1000);
}

/** Whether no time before a moment has the code of that moment or of a later one. @param at seconds since 1970 */
export function isCodeBoundary(name: TimeField, at: number): boolean {
  const { begins, unitSeconds } = columns[name];
  return at > begins && (at - begins) % unitSeconds === 0;
}
