/** Renders packed values in the ways of GLEIF's API that the service's own answers do not have. */
import { utcDate } from '../../lei/dates.ts';
import { type JsonBytes, type JsonPiece, nullPiece, piece } from '../../protocol/json-bytes.ts';
import { fieldEndFrom, fieldFrom, type PutPart, putFields, putValue, rowEndFrom } from '../packed-json.ts';
import { isDayMark, isTimeKind, putTime, timeLengths } from '../packed-time.ts';

const quote = 0x22;
const comma = 0x2c;
const point = 0x2e;
const letterT = 0x54;
const letterZ = 0x5a;
const listStart = 0x5b;
const listEnd = 0x5d;
const objectStart = 0x7b;
const objectEnd = 0x7d;
/** Characters of a time up to its seconds. */
const toSeconds = 19;
const timeLetter = 10;

/** A time in UTC without a fraction of a second. */
export const putSeconds: PutPart = (out, bytes, from, to) => {
  const kind = to - from > 1 && bytes[from] === quote ? (bytes[from + 1] ?? 0) : 0;
  if (isTimeKind(kind)) {
    putTime(out, bytes, from, Math.min(to, from + timeLengths.second));
  } else if (isDayMark(kind)) {
    putSeconds(out, bytes, from + 2, to);
  } else if (
    bytes[from + toSeconds] === point &&
    bytes[from + timeLetter] === letterT &&
    // A time with an offset that no year shows in UTC stays.
    bytes[to - 1] === letterZ &&
    to - from > toSeconds
  ) {
    out.byte(quote);
    out.copy(bytes, from, from + toSeconds);
    out.byte(letterZ);
    out.byte(quote);
  } else {
    putValue(out, bytes, from, to);
  }
};

/** The same of a time in JSON; a value that is no time stays. */
export function seconds(time: string | null): string | null {
  return time === null ? null : (utcDate(time) ?? time).replace(/\.\d+Z$/, 'Z');
}

/** A list of identifiers; null for none. */
export const putListOrNull: PutPart = (out, bytes, from, to) =>
  from === to ? out.put(nullPiece) : putFields(out, bytes, from, to);

/** The first of a list of identifiers, or null. */
export const putFirstOrNull: PutPart = (out, bytes, from, to) =>
  putValue(out, bytes, from, fieldEndFrom(bytes, from, to));

/** A member of an item: its name, and how its field is written. The name is empty for a field that is not shown. */
type NamedPart = readonly [name: string, put: PutPart];

/**
 * Renders an object from the fields of a row, without the members that are absent.
 * @param always JSON of members that every item has; '' for none
 */
export function presentObject(parts: readonly NamedPart[], always = ''): PutPart {
  const first = piece(always);
  const named = parts.map(([name, put]) => ({ before: piece(`"${name}":`), put, isShown: name !== '' }));
  return (out, bytes, from, to) => {
    out.byte(objectStart);
    out.put(first);
    const empty = always === '' ? out.length : -1;
    let at = from;
    for (const { before, put, isShown } of named) {
      const end = fieldEndFrom(bytes, at, to);
      if (end > at && isShown) {
        if (out.length !== empty) out.byte(comma);
        out.put(before);
        put(out, bytes, at, end);
      }
      at = Math.min(end + 1, to);
    }
    out.byte(objectEnd);
  };
}

/** Renders chosen fields of a row as an object, in the given order: absent ones are null. @param parts name, index, how */
export function chosenObject(
  parts: readonly (readonly [name: string, field: number, put: PutPart])[],
): PutPart {
  const named: readonly { before: JsonPiece; field: number; put: PutPart }[] = parts.map(
    ([name, field, put], index) => ({ before: piece(`${index === 0 ? '{' : ','}"${name}":`), field, put }),
  );
  return (out, bytes, from, to) => {
    for (const { before, field, put } of named) {
      const at = fieldFrom(bytes, from, to, field);
      out.put(before);
      put(out, bytes, at, fieldEndFrom(bytes, at, to));
    }
    out.byte(objectEnd);
  };
}

/** Renders the rows of several slots as one list. */
export function putLists(
  out: JsonBytes,
  bytes: Uint8Array,
  slots: readonly { readonly from: number; readonly to: number; readonly put: PutPart }[],
): void {
  out.byte(listStart);
  const empty = out.length;
  for (const { from, to, put } of slots) {
    for (let row = from; row < to; ) {
      const end = rowEndFrom(bytes, row, to);
      if (out.length > empty) out.byte(comma);
      put(out, bytes, row, end);
      row = end + 1;
    }
  }
  out.byte(listEnd);
}
