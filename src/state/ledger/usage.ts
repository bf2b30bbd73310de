/** The packed form on disk of what a caller has used: the day's count and two burst windows. */
import type { Units, Usage } from './records.ts';
import type { KeptSecond } from './windows.ts';

/** Bytes before the seconds, and after them. */
const head = 9;
const tail = 8;
const secondBytes = 16;

/**
 * Count (f64), number of seconds with look-ups (u8), pairs of arrival (f64) and units (f64): look-ups, searches; then the
 * part of the count that look-ups are (f64).
 */
export function pack({ units, lookup, search }: Usage): Buffer {
  const seconds = [...lookup, ...search].flat();
  const bytes = Buffer.alloc(head + seconds.length * 8 + tail);
  bytes.writeDoubleLE(units.lookup + units.search, 0);
  bytes.writeUInt8(lookup.length, 8);
  seconds.forEach((value, index) => {
    bytes.writeDoubleLE(value, head + index * 8);
  });
  bytes.writeDoubleLE(units.lookup, bytes.length - tail);
  return bytes;
}

/** Null where the bytes are not a packed usage. */
export function unpack(bytes: Buffer): Usage | null {
  const units = unpackUnits(bytes);
  if (units === null) return null;
  const seconds: KeptSecond[] = [];
  for (let at = head; at + secondBytes <= bytes.length; at += secondBytes)
    seconds.push([bytes.readDoubleLE(at), bytes.readDoubleLE(at + 8)]);
  const lookups = bytes.readUInt8(8);
  if (lookups > seconds.length) return null;
  return { units, lookup: seconds.slice(0, lookups), search: seconds.slice(lookups) };
}

/** The counts of the day alone; null where the bytes are not a packed usage. */
export function unpackUnits(bytes: Buffer): Units | null {
  const rest = (bytes.length - head) % secondBytes;
  if (bytes.length < head || (rest !== 0 && rest !== tail)) return null;
  const used = bytes.readDoubleLE(0);
  // Rows of earlier versions end with the seconds; their units count as look-ups.
  const lookup = rest === 0 ? used : bytes.readDoubleLE(bytes.length - tail);
  return { lookup, search: used - lookup };
}
