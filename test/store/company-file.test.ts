import { afterEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { checksum } from '../../src/bytes/hash.ts';
import { DamagedFile } from '../../src/errors.ts';
import type { ReadingPattern } from '../../src/lmdb.ts';
import { CompanyFile } from '../../src/store/company-file.ts';
import { auditCompanyFile } from '../../src/store/company-file-audit.ts';
import { CompanyFileChanges } from '../../src/store/company-file-changes.ts';
import {
  cellsFor,
  checksFrom,
  columnsFrom,
  companyFileVersion,
  headerAt,
  headerBytes,
  partBytesMax,
  placesFrom,
  rowsFrom,
} from '../../src/store/company-file-layout.ts';
import { CompanyFileWriter, type CompanyRow } from '../../src/store/company-file-writer.ts';
import { temporaryFolder } from '../support/folders.ts';
import { isHeld } from '../support/held-files.ts';
import { runs } from '../support/runs.ts';

const id = '20261004T160000Z-00000001';
const path = join(temporaryFolder('companies'), 'companies.bin');
const opened: CompanyFile[] = [];
afterEach(() => {
  for (const file of opened.splice(0)) file.close();
});

interface Row {
  /** An LEI, and the rest of its record. */
  readonly lei: string;
  readonly rest: string;
  readonly mappings: string;
}

/** The first row is entity 1. */
let sum = 0;

function write(rows: readonly Row[], lastEntity = rows.length): void {
  const writer = new CompanyFileWriter(path, id, lastEntity, []);
  for (const [index, { lei, rest, mappings }] of rows.entries()) {
    writer.put(stored(index + 1, { lei, rest, mappings }));
  }
  sum = writer.finish();
  writer.close();
}

function stored(entity: number, { lei, rest, mappings }: Row): CompanyRow {
  const mapped = mappings === '' ? null : glimpseOf(mappings);
  return { entity, record: glimpseOf(lei + rest), mappings: mapped };
}

/** As lmdb returns it: in a buffer that is longer. */
function glimpseOf(text: string) {
  const bytes = Buffer.from(`${text}and what stood there before`);
  return { bytes, length: Buffer.byteLength(text) };
}

function open(pattern: ReadingPattern = 'scattered'): CompanyFile {
  const file = new CompanyFile(path, id, pattern);
  opened.push(file);
  return file;
}

function textOf(row: ReturnType<CompanyFile['record']>): string | null {
  return row === null ? null : row.bytes.toString('utf8', 0, row.length);
}

function company(number: number, rest = '\nName', mappings = ''): Row {
  return { lei: `COMPANY${String(number).padStart(13, '0')}`, rest, mappings };
}

const text = fc.oneof(
  fc.constant(''),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 9000, size: 'max' }),
);
const rowsOf = fc
  .uniqueArray(fc.nat({ max: 10 ** 13 - 1 }), { maxLength: 300, size: 'max' })
  .chain((numbers) =>
    fc.tuple(
      ...numbers.map((number) => fc.record({ number: fc.constant(number), rest: text, mappings: text })),
    ),
  )
  .map((rows) => rows.map(({ number, rest, mappings }) => company(number, rest, mappings)));

function entryOf(rows: readonly Row[], index: number) {
  const row = rows[index];
  return row === undefined ? null : { entity: index + 1, hasRecord: row.rest !== '' };
}

function recordOf(rows: readonly Row[], index: number): string | null {
  const row = rows[index];
  return row === undefined ? null : row.lei + row.rest;
}

describe('a company file', () => {
  test('finds every company by its LEI and by its number, in any order, and no other', () => {
    fc.assert(
      fc.property(rowsOf, fc.array(fc.nat(), { maxLength: 40 }), (rows, asked) => {
        write(rows);
        const file = open();
        for (const number of asked) {
          const index = number % (rows.length + 1);
          expect(file.find(rows[index]?.lei ?? company(10 ** 13).lei)).toEqual(entryOf(rows, index));
          const other = (number + 1) % (rows.length + 1);
          expect(textOf(file.mappings(other + 1))).toBe(rows[other]?.mappings || null);
          expect(textOf(file.record(other + 1))).toBe(recordOf(rows, other));
        }
        for (const entity of [0, -1, rows.length + 1, 2 ** 31]) {
          expect(file.record(entity)).toBeNull();
          expect(file.mappings(entity)).toBeNull();
        }
      }),
      { numRuns: runs(8) },
    );
  });

  test('finds no company under a number beyond the last one', () => {
    write([company(1)]);
    expect(textOf(open().record(1))).toContain('Name');
    expect([open().record(0), open().mappings(2), open().record(4)]).toEqual([null, null, null]);
  });

  test('distinguishes two LEIs with the same hash', () => {
    const [one, two] = ['SAMEHASH000001412789', 'SAMEHASH000001649192'];
    write([{ lei: one, rest: '\nOne', mappings: '' }]);
    expect(open().find(two)).toBeNull();
    write([one, two].map((lei) => ({ lei, rest: '\nName', mappings: '' })));
    const file = open();
    expect([one, two].map((lei) => file.find(lei)?.entity)).toEqual([1, 2]);
  });

  test('finds nothing for a text whose length or letters make it no LEI', () => {
    write([company(1)]);
    const { lei } = company(1);
    const file = open();
    const others = ['', lei.slice(1), `${lei}0`, lei.replace('C', '\u0143'), lei.replace('C', '日')];
    for (const other of others) expect(file.find(other)).toBeNull();
    expect(file.find(lei)).toEqual({ entity: 1, hasRecord: true });
  });

  test('has rows longer than what is written at once', () => {
    const long = company(2, 'x'.repeat(5_000_000), 'y'.repeat(4_500_000));
    const rows = [company(1, '\nbefore', 'b'), long, company(3, '\nafter', 'a')];
    write(rows);
    const file = open();
    for (const [index, { lei, rest, mappings }] of rows.entries()) {
      expect(file.find(lei)?.entity).toBe(index + 1);
      expect(textOf(file.mappings(index + 1)) === mappings).toBe(true);
      expect(textOf(file.record(index + 1)) === lei + rest).toBe(true);
    }
  });

  test('has the same bytes whenever the same is written', () => {
    const rows = [company(1, '\nA', 'm'), company(2, '\nBB'), company(3, '', 'mm')];
    write([company(9, 'z'.repeat(500), 'z'.repeat(500)), ...rows]);
    write(rows);
    const first = readFileSync(path);
    write(rows);
    expect(readFileSync(path)).toEqual(first);
  });

  test('equals version 10: a change of the format needs another number', () => {
    write([company(1, '\nA', 'm'), company(2, '\nBB'), company(3, '', 'mm')]);
    expect(Bun.SHA256.hash(readFileSync(path), 'hex')).toBe(
      'f603eb2e98003bb71f2ee4f78ad74370c531b0f01bcaa8706117c11612204ad6',
    );
  });

  test('is released when it is written, closed, or cannot be read', () => {
    write([company(1)]);
    expect(isHeld(path)).toBe(false);
    expect(() => new CompanyFile(path, `${id}0`, 'scattered')).toThrow();
    expect(isHeld(path)).toBe(false);
    const file = open();
    expect(isHeld(path)).toBe(true);
    file.close();
    expect(isHeld(path)).toBe(false);
  });
});

describe('a company file that cannot be read', () => {
  const changed = (change: (bytes: Buffer) => void) => {
    write([company(1), company(2)]);
    const bytes = readFileSync(path);
    change(bytes);
    writeFileSync(path, bytes);
  };

  test('is missing in a publication of an earlier version, and the message says so', () => {
    rmSync(path, { force: true });
    expect(() => open()).toThrow(
      expect.objectContaining({
        code: 'no-company-file',
        message: `${path} is missing, because an earlier version of this program did not write it. Load the data again.`,
      }),
    );
    expect(existsSync(path)).toBe(false);
  });

  test('is not a file, which does not mean an earlier version', () => {
    rmSync(path, { force: true });
    mkdirSync(path);
    expect(() => open()).toThrow(`${path} can't be mapped`);
    rmdirSync(path);
  });

  test.each([
    ['1', 'Load the data again with it.'],
    ['11', 'A newer version of this program made it: update this one.'],
  ])('is of version %s, and the message says so', (version, advice) => {
    changed((bytes) => bytes.write(`${version}\n`, 14));
    const message = `${path} has format ${version}; this program reads ${companyFileVersion}. ${advice}`;
    expect(() => open()).toThrow(expect.objectContaining({ code: 'company-file-format', message }));
  });

  test('is something else', () => {
    changed((bytes) => bytes.fill(0));
    expect(() => open()).toThrow(`${path} is damaged: it does not start like a company file.`);
  });

  test('is shorter than its header', () => {
    for (const length of [0, headerBytes - 1]) {
      write([company(1)]);
      truncateSync(path, length);
      expect(() => open()).toThrow(`${path} is damaged`);
    }
  });

  test('is of another publication', () => {
    changed((bytes) => {
      bytes.write('2', headerAt.id + id.length - 1);
      checkHeader(bytes);
    });
    expect(() => open()).toThrow(`${path} is of publication 20261004T160000Z-00000002, not of ${id}.`);
  });

  test('has lost its end: what was there is refused, the rest is found', () => {
    write([company(1), company(2, 'x'.repeat(1000))]);
    truncateSync(path, readFileSync(path).length - 900);
    const file = open();
    const said = /is damaged: the row at \d+ states 1020 bytes\.$/;
    expect(() => file.find(company(2).lei)).toThrow(said);
    expect(() => file.record(2)).toThrow(said);
    expect(file.find(company(1).lei)).toEqual({ entity: 1, hasRecord: true });
  });

  test('has only taken cells: the search still ends', () => {
    changed((bytes) => {
      const cells = cellsFor(2);
      for (let at = headerBytes; at < checksFrom(cells); at += 4) bytes.writeUInt32LE(1, at);
    });
    expect(() => open().find(company(3).lei)).toThrow(
      /is damaged: bytes 600 to \d+ are not the written ones\.$/,
    );
  });

  test.each([
    ['entities', headerAt.lastEntity, 'it states 102 entities and 5 cells'],
    ['cells', headerAt.cells, 'it states 2 entities and 105 cells'],
  ])('states more %s than its cells can have', (_what, at, said) => {
    changed((bytes) => {
      bytes.writeUInt32LE(bytes.readUInt32LE(at) + 100, at);
      checkHeader(bytes);
    });
    expect(() => open()).toThrow(`${path} is damaged: ${said}.`);
  });

  /** The offset of the row of entity 1 or 2. */
  const rowOf = (bytes: Buffer, entity: number) => bytes.readUInt32LE(placeOf(entity)) * 8;
  const placeOf = (entity: number) => placesFrom(cellsFor(2)) + entity * 4;

  test.each([
    ['the number of no entity', 0, 3],
    ['no number', 0, 0],
    ['fewer bytes than an LEI', 4, 19],
  ])('has a row with %s', (_what, offset, value) => {
    changed((bytes) => bytes.writeUInt32LE(value, rowOf(bytes, 2) + offset));
    const file = open();
    expect(() => file.record(2)).toThrow(/ is damaged: there is no row at \d+\.$/);
    expect(() => file.find(company(2).lei)).toThrow('there is no row at');
    expect(textOf(file.record(1))).toContain(company(1).lei);
  });

  test('has a number that leads to another company’s row: neither company is shown', () => {
    changed((bytes) => bytes.copy(bytes, placeOf(1), placeOf(2), placeOf(3)));
    const file = open();
    expect(() => file.record(1)).toThrow(/ is damaged: the row at \d+ is not of entity 1\.$/);
    expect(() => file.mappings(1)).toThrow('is not of entity 1');
    expect(textOf(file.record(2))).toContain(company(2).lei);
  });

  test('has an LEI that leads to another company’s row: the LEI does not count as unknown', () => {
    changed((bytes) => {
      const cell = bytes.indexOf(bytes.subarray(placeOf(2), placeOf(3)), headerBytes);
      bytes.copy(bytes, cell, placeOf(1), placeOf(2));
    });
    expect(() => open().find(company(2).lei)).toThrow(
      /is damaged: the row at \d+ does not have the LEI under which it is listed\.$/,
    );
    expect(open().find(company(1).lei)?.entity).toBe(1);
  });

  test.each([partBytesMax + 1, 2 ** 31, 2 ** 32 - 1])(
    'has a row that states %d bytes: no memory is allocated for them',
    (length) => {
      for (const offset of [4, 8]) {
        changed((bytes) => bytes.writeUInt32LE(length, rowOf(bytes, 2) + offset));
        const file = open();
        const before = textOf(file.record(1));
        const read = () => (offset === 4 ? file.record(2) : file.mappings(2));
        expect(read).toThrow(/the row at \d+ states \d+ bytes/);
        expect(textOf(file.record(1))).toBe(before);
      }
    },
  );
});

/** Gives the header of a file the checksum of what it says. */
function checkHeader(bytes: Buffer): void {
  bytes.writeUInt32LE(checksum(bytes.subarray(0, headerAt.check)), headerAt.check);
}

/** What a file answers about LEIs and entity numbers; `damaged` where it refuses, null if it is not opened. */
function answersAbout(leis: readonly string[]): readonly unknown[] | null {
  let file: CompanyFile;
  try {
    file = open();
  } catch {
    return null;
  }
  const ask = (question: () => unknown) => {
    try {
      return question();
    } catch (error) {
      return error instanceof DamagedFile ? 'damaged' : error;
    }
  };
  return leis.flatMap((lei, index) => [
    ask(() => file.find(lei)),
    ask(() => textOf(file.record(index + 1))),
    ask(() => textOf(file.mappings(index + 1))),
  ]);
}

/** Every seventh bit, so that each byte has one, another one than its neighbours; `npm run test:long` tries every bit. */
const bitStep = process.env['LONG_DAMAGE'] === undefined ? 7 : 1;

test('a company file with a flipped bit gives the right answer or none, whichever bit it is', () => {
  const rows = [company(1, '\nName', 'mapped'), company(2), company(3, '')];
  write(rows);
  // A row that has moved leaves another behind, which a damaged number could lead to.
  const changes = new CompanyFileChanges(path, { id, lastEntity: rows.length, sum });
  changes.put(stored(2, company(2, '\nA longer name'.repeat(5))));
  changes.finish();
  changes.close();
  const sound = readFileSync(path);
  const leis = [...rows.map(({ lei }) => lei), company(4).lei];
  const expected = answersAbout(leis);
  const noticed = new Set<number>();
  const columns = { from: columnsFrom(cellsFor(rows.length)), to: rowsFrom(cellsFor(rows.length)) };
  for (let bit = 0; bit < sound.length * 8; bit += bitStep) {
    const at = bit >> 3;
    // Columns have tests of their own.
    if (at >= columns.from && at < columns.to) continue;
    const bytes = Buffer.from(sound);
    bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (bit & 7)), at);
    writeFileSync(path, bytes);
    const found = answersAbout(leis);
    for (const file of opened.splice(0)) file.close();
    if (found === null || found.includes('damaged')) noticed.add(at);
    // What is not refused is right.
    const right = found?.map((answer, index) => (answer === 'damaged' ? expected?.[index] : answer));
    expect(right ?? expected).toEqual(expected);
  }
  // Not noticed are free bytes, and what only loads read.
  expect(noticed.size).toBeGreaterThan(headerBytes + leis.join('').length);
});

describe('a company file that was changed', () => {
  const next = '20261005T160000Z-00000002';

  /** @returns whether the file took the changes */
  function change(rows: ReadonlyMap<number, Row>, lastEntity: number): boolean {
    const changes = new CompanyFileChanges(path, { id: next, lastEntity, sum });
    try {
      if (!changes.fits) return false;
      for (const [entity, row] of rows) changes.put(stored(entity, row));
      sum = changes.finish();
      return true;
    } finally {
      changes.close();
    }
  }

  function expectRows(rows: readonly Row[], ofId: string): void {
    const file = new CompanyFile(path, ofId, 'scattered');
    opened.push(file);
    for (const [index, row] of rows.entries()) {
      expect(file.find(row.lei)).toEqual(entryOf(rows, index));
      expect(textOf(file.record(index + 1))).toBe(recordOf(rows, index));
      expect(textOf(file.mappings(index + 1))).toBe(row.mappings || null);
    }
  }

  /** Changes rows of `now`, or adds some at its end. @returns those rows by entity number */
  function changedOn(day: readonly (readonly [number, string, string])[], now: Row[]): Map<number, Row> {
    const changed = new Map<number, Row>();
    for (const [number, rest, mappings] of day) {
      const index = Math.min(now.length, number % (now.length + 3));
      const lei = now[index]?.lei ?? company(10 ** 13 - 1 - now.length).lei;
      if (now.some((row, other) => row.lei === lei && other !== index)) continue;
      now[index] = { lei, rest, mappings };
      changed.set(index + 1, { lei, rest, mappings });
    }
    return changed;
  }

  test('contains what a new one would, after any rows changed or were added', () => {
    const changesOf = fc.array(fc.tuple(fc.nat(), text, text), { maxLength: 12 });
    fc.assert(
      fc.property(rowsOf, fc.array(changesOf, { maxLength: 6 }), (rows, days) => {
        write(rows);
        const now = [...rows];
        let name = id;
        for (const day of days) {
          if (!change(changedOn(day, now), now.length)) return;
          name = next;
          expect(problems()).toEqual([]);
        }
        expectRows(now, name);
      }),
      { numRuns: runs(8) },
    );
  });

  function problems(): string[] {
    const found: string[] = [];
    auditCompanyFile(path, sum, (problem) => found.push(problem));
    return found;
  }

  test('gives a row that outgrew its room the room that another has left, and keeps its size for years', () => {
    const lengths = Array.from({ length: 400 }, (_, index) => 200 + ((index * 37) % 150));
    const rowOf = (index: number) => company(index + 1, 'x'.repeat(lengths[index] ?? 0));
    write(lengths.map((_, index) => rowOf(index)));
    for (let day = 1; day <= 120; day++) {
      const changed = Array.from({ length: 10 }, (_, nth) => (day * 53 + nth * 41) % lengths.length);
      for (const index of changed)
        lengths[index] = (lengths[index] ?? 0) + ((index * 7 + day * 13) % 40) - 18;
      if (day % 4 === 0) changed.push(lengths.push(200 + ((day * 37) % 150)) - 1);
      const rows = new Map(changed.toSorted((a, b) => a - b).map((index) => [index + 1, rowOf(index)]));
      expect(change(rows, lengths.length)).toBe(true);
    }
    expect(problems()).toEqual([]);
    const rows = lengths.map((_, index) => rowOf(index));
    expectRows(rows, next);
    const bytes = readFileSync(path).length;
    write(rows, 432);
    expect(bytes / readFileSync(path).length).toBeLessThan(1.1);
  });

  test('changes only the bytes of changed rows and of the header', () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => company(index + 1, '\nName'.repeat(60)));
    write(rows);
    const before = readFileSync(path);
    const renewed = company(700, '\nName'.repeat(59).concat('\nNew'));
    expect(change(new Map([[700, renewed]]), rows.length)).toBe(true);
    const after = readFileSync(path);
    expect(after.length).toBe(before.length);
    expect([...after].filter((byte, at) => at >= headerBytes && byte !== before[at]).length).toBeLessThan(20);
  });

  test('is rewritten if more entities come than its cells allow, or a quarter of it is free', () => {
    write([company(1), company(2)]);
    expect(change(new Map(), 5)).toBe(false);
    const longer = (times: number) => new Map([[1, company(1, 'x'.repeat(1_000 * times))]]);
    expect(change(longer(1), 2)).toBe(true);
    expect(change(longer(2), 2)).toBe(true);
    expect(change(longer(3), 2)).toBe(false);
  });
});

test('a row that would look like damage is not written', () => {
  const lei = glimpseOf(company(1).lei);
  const tooLong = { ...lei, length: partBytesMax + 1 };
  const writer = new CompanyFileWriter(path, id, 1, []);
  const said = `What is stored of entity 1 takes ${partBytesMax + 1} bytes, more than ${partBytesMax}.`;
  expect(() => writer.put({ entity: 1, record: tooLong, mappings: null })).toThrow(said);
  expect(() => writer.put({ entity: 1, record: lei, mappings: tooLong })).toThrow(said);
  writer.close();
});
