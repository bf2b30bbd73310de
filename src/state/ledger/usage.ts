/** The packed form on disk of what a caller has used: the day's count and two burst windows. */
import type { Usage } from './records.ts';
import type { KeptSecond } from './windows.ts';

/** Count (f64), number of seconds with look-ups (u8), then pairs of arrival (f64) and units (f64): look-ups, searches. */
export function pack({ used, lookup, search }: Usage): Buffer {
  const seconds = [...lookup, ...search].flat();
  const bytes = Buffer.alloc(9 + seconds.length * 8);
  bytes.writeDoubleLE(used, 0);
  bytes.writeUInt8(lookup.length, 8);
  seconds.forEach((value, index) => {
    bytes.writeDoubleLE(value, 9 + index * 8);
  });
  return bytes;
}

/** Null where the bytes are not a packed usage. */
export function unpack(bytes: Buffer): Usage | null {
  if (bytes.length < 9 || (bytes.length - 9) % 16 !== 0) return null;
  const seconds: KeptSecond[] = [];
  for (let at = 9; at < bytes.length; at += 16)
    seconds.push([bytes.readDoubleLE(at), bytes.readDoubleLE(at + 8)]);
  const lookups = bytes.readUInt8(8);
  if (lookups > seconds.length) return null;
  return { used: bytes.readDoubleLE(0), lookup: seconds.slice(0, lookups), search: seconds.slice(lookups) };
}
