/** Checks a company file as a whole, for `lei verify`: its rows fill it, and each is led to or free. */
import { MappedFile } from '../system/mapped-file.ts';
import {
  cellBytes,
  freeListOf,
  freeLists,
  headerAt,
  headerBytes,
  nextFreeAt,
  placeBytes,
  placesFrom,
  placeUnit,
  roomUnit,
  rowAt,
  rowHeadBytes,
  rowsFrom,
} from './company-file-layout.ts';
import { withRow } from './company-file-writer.ts';

/** Takes a sentence about something wrong. */
type Report = (problem: string) => void;

/**
 * The contents of rows are left to those who read them.
 * @param path of a file whose header is sound
 * @param sum of its rows, as the environment has it
 */
export function auditCompanyFile(path: string, sum: number | undefined, report: Report): void {
  const file = new MappedFile(path, 'through');
  try {
    const free = auditRows(file, sum, report);
    auditFreeLists(file, free, report);
    auditCells(file, report);
  } finally {
    file.close();
  }
}

/** @returns the sizes of free rows by their place */
function auditRows(file: MappedFile, sum: number | undefined, report: Report): Map<number, number> {
  const lastEntity = file.uint32At(headerAt.lastEntity);
  const places = placesFrom(file.uint32At(headerAt.cells));
  const free = new Map<number, number>();
  let [found, foundSum] = [0, 0];
  for (const { at, room } of rowsIn(file, report)) {
    const entity = file.uint32At(at + rowAt.entity);
    if (entity === 0) {
      free.set(at / placeUnit, room);
      continue;
    }
    found++;
    foundSum = withRow(foundSum, file.uint32At(at + rowAt.check));
    if (entity > lastEntity || file.uint32At(places + entity * placeBytes) !== at / placeUnit)
      report(`The company file has a row of entity ${entity} at ${at} to which nothing leads.`);
  }
  if (found !== lastEntity) report(`The company file has ${found} rows, but ${lastEntity} were expected.`);
  if (foundSum !== sum)
    report(`The rows of the company file have the sum ${foundSum}, but ${sum} was written.`);
  return free;
}

/** All rows, which fill the file together with the texts of columns. */
function* rowsIn(
  file: MappedFile,
  report: Report,
): Generator<{ readonly at: number; readonly room: number }> {
  const texts = file.uint32At(headerAt.texts) * placeUnit;
  let hasTexts = false;
  for (let at = rowsFrom(file.uint32At(headerAt.cells)); at < file.length; ) {
    const room = at === texts ? file.uint32At(headerAt.textsRoom) : roomAt(file, at);
    if (room === null || room % roomUnit !== 0 || at + room > file.length || room === 0) {
      report(`The company file has no whole row at ${at}.`);
      return;
    }
    if (at === texts) hasTexts = true;
    else yield { at, room };
    at += room;
  }
  if (!hasTexts) report(`The texts of columns at ${texts} are not between two rows of the company file.`);
}

/** The bytes of the row at an offset; null if it has no head. */
function roomAt(file: MappedFile, at: number): number | null {
  return at + rowHeadBytes > file.length ? null : file.uint32At(at + rowAt.room);
}

/** Each free row is in the list of its size, once. */
function auditFreeLists(file: MappedFile, free: Map<number, number>, report: Report): void {
  let bytes = 0;
  for (const room of free.values()) bytes += room;
  if (bytes !== file.uint32At(headerAt.left) * placeUnit)
    report(`The company file has ${bytes} bytes of free rows, but states another number.`);
  for (let list = 0; list < freeLists; list++) {
    let place = file.uint32At(headerAt.free + 4 * list);
    while (place !== 0) {
      const room = free.get(place);
      if (room === undefined || freeListOf(room) !== list) {
        report(`The list ${list} of free rows leads to ${place * placeUnit}, where no such row is free.`);
        break;
      }
      free.delete(place);
      place = file.uint32At(place * placeUnit + nextFreeAt);
    }
  }
  if (free.size > 0) report(`${free.size} free rows of the company file are in no list.`);
}

/** As many cells lead to a row as there are entities: that each entity is found is checked by those who read rows. */
function auditCells(file: MappedFile, report: Report): void {
  const lastEntity = file.uint32At(headerAt.lastEntity);
  const cells = file.uint32At(headerAt.cells);
  let used = 0;
  for (let cell = 0; cell < cells; cell++)
    used += Number(file.uint32At(headerBytes + cell * cellBytes + 4) !== 0);
  if (used !== lastEntity) report(`${used} LEIs lead to a row, but ${lastEntity} were expected.`);
}
