/** Packs what a caller has used for the disk: the day's count and two burst windows. */
import type { Usage } from './records.ts';
import type { KeptSecond } from './windows.ts';

/** Bytes before the seconds. */
const head = 9;
const secondBytes = 16;
/**
 * An impossible arrival that marks the units beside it as the day's look-ups. Earlier versions read it as a past
 * second.
 */
const noArrival = 0;

/**
 * Count of the day (f64), number of seconds with look-ups (u8), then pairs of arrival (f64) and units (f64): the
 * seconds with look-ups, the part of the count that look-ups are, the seconds with searches.
 */
export function pack({ units, lookup, search }: Usage): Buffer {
  const seconds = [...lookup, [noArrival, units.lookup], ...search].flat();
  const bytes = Buffer.alloc(head + seconds.length * 8);
  bytes.writeDoubleLE(units.lookup + units.search, 0);
  bytes.writeUInt8(lookup.length, 8);
  seconds.forEach((value, index) => {
    bytes.writeDoubleLE(value, head + index * 8);
  });
  return bytes;
}

/** Null if the bytes are not a packed usage. */
export function unpack(bytes: Buffer): Usage | null {
  if (bytes.length < head || (bytes.length - head) % secondBytes !== 0) return null;
  const used = bytes.readDoubleLE(0);
  const seconds: KeptSecond[] = [];
  for (let at = head; at < bytes.length; at += secondBytes)
    seconds.push([bytes.readDoubleLE(at), bytes.readDoubleLE(at + 8)]);
  const lookups = bytes.readUInt8(8);
  if (lookups > seconds.length) return null;
  const lookup = seconds.slice(0, lookups);
  const rest = seconds.slice(lookups);
  const [arrival, ofDay] = rest[0] ?? [];
  // Rows of earlier versions lack the pair; their units count as look-ups.
  if (arrival !== noArrival || ofDay === undefined)
    return { units: { lookup: used, search: 0 }, lookup, search: rest };
  return { units: { lookup: ofDay, search: used - ofDay }, lookup, search: rest.slice(1) };
}
