/** Checks a row file as a whole, for `lei verify`: its rows and lists are inside it, and none overlaps another. */
import { MappedFile } from '../../system/mapped-file.ts';
import { packPart, unpackPart } from './free-space.ts';
import { entryBytes, headerBytes, parseHeader, placeUnit, unitsFor } from './layout.ts';
import { RowList } from './list.ts';

/** @param tables how many tables it has; its header is sound @param report receives a sentence about a fault */
export function auditRowFile(path: string, tables: number, report: (problem: string) => void): void {
  const file = new MappedFile(path, 'through');
  try {
    for (const problem of problemsOf(file, tables)) report(`In ${path} ${problem}.`);
  } finally {
    file.close();
  }
}

function* problemsOf(file: MappedFile, tables: number): Generator<string> {
  let end = 0;
  for (const packed of Float64Array.from(usedOf(file, tables)).sort()) {
    const { place, room } = unpackPart(packed);
    if (place < end) yield `two rows share the bytes from ${place * placeUnit} on`;
    end = Math.max(end, place + room);
  }
  if (end > unitsFor(file.length))
    yield `rows end at ${end * placeUnit}, but the file has ${file.length} bytes`;
}

/** The parts of the header, of all lists and of all rows. */
function usedOf(file: MappedFile, tables: number): number[] {
  const used: number[] = [];
  const header = Buffer.alloc(headerBytes(tables));
  file.copy(0, header.length, header);
  packPart({ place: 0, room: unitsFor(header.length) }, used);
  for (const { place, rows, room } of parseHeader(header, tables)?.lists ?? []) {
    packPart({ place, room: unitsFor(room * entryBytes) }, used);
    const entries = Buffer.alloc(room * entryBytes);
    file.copy(place * placeUnit, entries.length, entries);
    const list = new RowList();
    list.load(entries, rows);
    list.packParts(used);
  }
  return used;
}
