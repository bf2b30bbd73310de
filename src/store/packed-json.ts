/** Renders packed values (packing.ts) as JSON, directly from the stored bytes. */
import { dayBeside } from '../lei/dates.ts';
import { shownJson } from '../lei/written-days.ts';
import { type JsonBytes, type JsonPiece, nullPiece, piece } from '../protocol/json-bytes.ts';
import { daysLaterBy, isDayMark, isTimeKind, putTime, putWrittenDay } from './packed-time.ts';
import {
  elementSeparator,
  fieldSeparator,
  firstLetterCode,
  type ListSeparators,
  listSeparators,
  rowSeparator,
  same,
  shortCodes,
  slotSeparator,
  unpack,
} from './packing.ts';

const quote = 0x22;
const comma = 0x2c;
const midnight = 0x40;
const fieldEnd = fieldSeparator.charCodeAt(0);
const slotEnd = slotSeparator.charCodeAt(0);
const rowEnd = rowSeparator.charCodeAt(0);

const emptyText = piece('""');
const emptyList = piece('[]');
const midnightTime = piece('T00:00:00Z"');
const listStart = 0x5b;
const listEnd = 0x5d;
const objectEnd = 0x7d;

/** The JSON of shortened codes, in the order of their letters. */
const codePieces = shortCodes.map((code) => piece(JSON.stringify(code)));

/** A string or null. */
export function putValue(out: JsonBytes, bytes: Uint8Array, from: number, to: number): void {
  if (from === to) out.put(nullPiece);
  else if (bytes[from] !== quote) putText(out, bytes, from, to);
  else if (isTimeKind(bytes[from + 1] ?? 0) && to - from > 1) putTime(out, bytes, from, to);
  else putShort(out, bytes, from + 1, to);
}

function putText(out: JsonBytes, bytes: Uint8Array, from: number, to: number): void {
  out.byte(quote);
  out.copy(bytes, from, to);
  out.byte(quote);
}

/** The JSON of a shortened value, from the byte after its mark. */
function putShort(out: JsonBytes, bytes: Uint8Array, from: number, to: number): void {
  if (from === to) {
    out.put(emptyText);
  } else if (isDayMark(bytes[from] ?? 0)) {
    putValue(out, bytes, from + 1, to);
  } else if (bytes[from] === midnight) {
    out.byte(quote);
    out.copy(bytes, from + 1, to);
    out.put(midnightTime);
  } else {
    out.put(codePieces[(bytes[from] ?? 0) - firstLetterCode] ?? nullPiece);
  }
}

/** Renders a published time as two members: itself in UTC, and its day as written. @param dayName the second member */
export function timeAndDay(dayName: string): PutPart {
  const noDay = piece(`,"${dayName}":null`);
  const beforeDay = piece(`,"${dayName}":"`);
  return (out, bytes, from, to) => {
    putValue(out, bytes, from, to);
    const days = to - from > 1 && bytes[from] === quote ? daysLaterBy(bytes[from + 1] ?? 0) : null;
    if (days === null) {
      out.put(noDay);
      return;
    }
    out.put(beforeDay);
    const isPut = isTimeKind(bytes[from + 1] ?? 0) && putWrittenDay(out, bytes, from, days);
    if (!isPut) out.text(dayBeside(unpack(String.fromCharCode(...bytes.subarray(from, to))) ?? '', days));
    out.byte(quote);
  };
}

/** The value itself. */
export function valueAt(bytes: Buffer, from: number, to: number): string | null {
  // Most values are codes, which need no new string.
  const code =
    bytes[from] === quote && to - from === 2
      ? shortCodes[(bytes[from + 1] ?? 0) - firstLetterCode]
      : undefined;
  return code ?? unpack(bytes.toString('utf8', from, to));
}

const zero = 0x30;

/** A number in decimal digits. */
export function digitsAt(bytes: Uint8Array, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) number = number * 10 + (bytes[at] ?? zero) - zero;
  return number;
}

/** Writes the JSON of the packed bytes from `from` to `to` (exclusive). */
export type PutPart = (out: JsonBytes, bytes: Uint8Array, from: number, to: number) => void;

/** Renders a list of parts between separators; an empty text is an empty list. */
function listOf(separator: number, putItem: PutPart): PutPart {
  return (out, bytes, from, to) => {
    if (from === to) {
      out.put(emptyList);
      return;
    }
    out.byte(listStart);
    for (let start = from; start <= to; ) {
      const end = endFrom(separator, bytes, start, to);
      if (start > from) out.byte(comma);
      putItem(out, bytes, start, end);
      start = end + 1;
    }
    out.byte(listEnd);
  };
}

/** Renders a list of strings that is one field. */
export const putElements = listOf(elementSeparator.charCodeAt(0), putValue);
/** Renders a list of strings that is one slot. */
export const putFields = listOf(fieldEnd, putValue);

/** Renders a list of objects that is one slot or, with other separators, one field; each row is one object. */
export function rowsOf(putRow: PutPart, { row }: ListSeparators = listSeparators[0]): PutPart {
  return listOf(row.charCodeAt(0), putRow);
}

/** Position of the first separator, or the end if there is none. */
export function endFrom(separator: number, bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] !== separator) at++;
  return at;
}

/** The end of the field that starts at `from`. */
export function fieldEndFrom(bytes: Uint8Array, from: number, to: number): number {
  return endFrom(fieldEnd, bytes, from, to);
}

/** Where a field of the row or slot from `from` to `to` begins; its end if it has fewer. @param field index */
export function fieldFrom(bytes: Uint8Array, from: number, to: number, field: number): number {
  let at = from;
  for (let before = 0; before < field; before++) at = Math.min(fieldEndFrom(bytes, at, to) + 1, to);
  return at;
}

/** The end of the slot that starts at `from`. */
export function slotEndFrom(bytes: Uint8Array, from: number, to: number): number {
  return endFrom(slotEnd, bytes, from, to);
}

/** The end of the row that starts at `from`. */
export function rowEndFrom(bytes: Uint8Array, from: number, to: number): number {
  return endFrom(rowEnd, bytes, from, to);
}

/**
 * Finds the slots of packed bytes.
 * @param into receives the start of each slot, and one past the end of the last
 * @param length of the packed bytes
 */
export function findSlots(into: Int32Array, bytes: Uint8Array, length: number): void {
  const last = into.length - 1;
  let from = 0;
  for (let slot = 0; slot < last; slot++) {
    into[slot] = from;
    from = Math.min(slotEndFrom(bytes, from, length), length) + 1;
  }
  into[last] = length + 1;
}

const equals = same.charCodeAt(1);

/** Whether a slot is stored as {@link same}. */
export function isSame(bytes: Uint8Array, from: number, to: number): boolean {
  return to - from === same.length && bytes[from] === quote && bytes[from + 1] === equals;
}

/** A member of an object: the JSON before its value, and how to write the value. */
export interface Member {
  readonly before: JsonPiece;
  readonly put: PutPart;
}

export function member(before: string, put: PutPart): Member {
  return { before: piece(before), put };
}

/** Renders an object from the fields of a row, in their order. @param members the first with the brace before it */
export function objectOf(members: readonly Member[], { field }: ListSeparators = listSeparators[0]): PutPart {
  const separator = field.charCodeAt(0);
  return (out, bytes, from, to) => {
    let at = from;
    for (const { before, put } of members) {
      const end = endFrom(separator, bytes, at, to);
      out.put(before);
      put(out, bytes, at, end);
      // Missing fields at the end of a row are null.
      at = Math.min(end + 1, to);
    }
    out.byte(objectEnd);
  };
}

/** Begins packed events. Earlier versions stored events as JSON, at first without the days of their times. */
export const eventsMark = '\u0008';

/** Renders packed events. @param putRows renders their groups */
export function eventsPutter(putRows: PutPart): PutPart {
  return (json, bytes, from, to) => {
    if (from === to) json.put(emptyList);
    else if (bytes[from] === eventsMark.charCodeAt(0)) putRows(json, bytes, from + 1, to);
    else putStoredEvents(json, Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from));
  };
}

function putStoredEvents(json: JsonBytes, stored: Buffer): void {
  if (stored.includes('Day":')) json.block(stored);
  else json.text(shownJson(JSON.parse(stored.toString())));
}

/** Renders a number, which is stored as JSON. */
export function putNumber(json: JsonBytes, bytes: Uint8Array, from: number, to: number): void {
  if (from === to) json.put(nullPiece);
  else json.copy(bytes, from, to);
}

/** Null, or an object from a text that is not empty. */
export function orNull(putObject: PutPart): PutPart {
  return (json, bytes, from, to) => (from === to ? json.put(nullPiece) : putObject(json, bytes, from, to));
}
