/** Tests the file of rows: written, changed in copies, and checked. */
import { describe, expect, test } from 'bun:test';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { append } from '../../../src/lmdb.ts';
import { auditRowFile } from '../../../src/store/row-file/audit.ts';
import { RowFileChanges } from '../../../src/store/row-file/changes.ts';
import { entryBytes, headerBytes, parseHeader, placeUnit } from '../../../src/store/row-file/layout.ts';
import { copyOfRow, RowFile } from '../../../src/store/row-file/rows.ts';
import { RowFileWriter } from '../../../src/store/row-file/writer.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { runs } from '../../support/runs.ts';

const tables = ['words', 'lists'] as const;
type Table = (typeof tables)[number];
/** Of each table the bytes of every row. */
type Content = Readonly<Record<Table, ReadonlyMap<number, Buffer>>>;

function write(path: string, content: Content): number {
  const file = new RowFileWriter(path, tables);
  for (const table of tables) {
    for (const [row, bytes] of [...content[table]].sort(([a], [b]) => a - b))
      append(file.tables[table], row, bytes);
  }
  return file.finish();
}

/** All rows of a file up to a number. */
function read(path: string, most: number): Record<Table, Map<number, Buffer>> {
  const file = new RowFile(path, tables, 'through');
  const rowsOf = (table: Table) =>
    new Map(
      Array.from({ length: most }, (_, row) => [row, copyOfRow(file.tables[table], row)] as const).filter(
        (entry): entry is readonly [number, Buffer] => entry[1] !== null,
      ),
    );
  const content = { words: rowsOf('words'), lists: rowsOf('lists') };
  file.close();
  return content;
}

function faultsOf(path: string): string[] {
  const faults: string[] = [];
  auditRowFile(path, tables.length, (fault) => faults.push(fault));
  return faults;
}

const rowsMost = 60;
const bytesOf = fc
  .nat({ max: 3_000 })
  .chain((length) => fc.nat({ max: 255 }).map((byte) => Buffer.alloc(length + 1, byte)));
const rowOf = fc.nat({ max: rowsMost - 1 });
const someRows = fc.array(fc.tuple(rowOf, bytesOf), { maxLength: 40 }).map((rows) => new Map(rows));
/** Rows that a delta writes, and null for those that it removes. */
const someChanges = fc.array(fc.tuple(fc.constantFrom(...tables), rowOf, fc.option(bytesOf, { freq: 4 })), {
  maxLength: 60,
});

describe('a row file', () => {
  test('has after any chain of changes the rows of all of them, and every byte at most once', () => {
    const folder = temporaryFolder('row-file');
    fc.assert(
      fc.property(someRows, someRows, fc.array(someChanges, { maxLength: 4 }), (words, lists, chain) => {
        const path = join(folder, 'rows');
        const content = { words, lists };
        let check = write(path, content);
        for (const changes of chain) {
          const file = new RowFileChanges(path, tables);
          for (const [table, row, bytes] of changes) {
            if (bytes === null) {
              file.tables[table].remove(row);
              content[table].delete(row);
            } else {
              file.tables[table].put(row, bytes);
              content[table].set(row, bytes);
            }
            expect(copyOfRow(file.tables[table], row)).toEqual(bytes);
          }
          check = file.finish();
          file.close();
        }
        expect(sorted(read(path, rowsMost + 1))).toEqual(sorted(content));
        expect(faultsOf(path)).toEqual([]);
        const opened = new RowFile(path, tables, 'through');
        expect(opened.check).toBe(check);
        opened.close();
      }),
      { numRuns: runs(100) },
    );
  });

  test('is written alike whenever it has the same rows', () => {
    const folder = temporaryFolder('row-file');
    const content = { words: numbered(300, 40), lists: numbered(20, 9_000) };
    write(join(folder, 'a'), content);
    write(join(folder, 'b'), content);
    expect(readFileSync(join(folder, 'a'))).toEqual(readFileSync(join(folder, 'b')));
  });

  test('keeps the places of rows that a change does not outgrow, and of all others', () => {
    const path = join(temporaryFolder('row-file'), 'rows');
    write(path, { words: numbered(1_000, 640), lists: new Map() });
    const before = readFileSync(path);
    const file = new RowFileChanges(path, tables);
    for (let row = 0; row < 1_000; row += 100) file.tables.words.put(row, Buffer.alloc(650, 7));
    file.finish();
    file.close();
    const after = readFileSync(path);
    expect(after.length).toBe(before.length);
    const changed = after.filter((byte, at) => byte !== before[at]);
    expect(changed.length).toBeLessThan(10 * (650 + entryBytes));
  });

  test('gives the room of removed rows to others before it grows', () => {
    const path = join(temporaryFolder('row-file'), 'rows');
    write(path, { words: numbered(1_000, 640), lists: numbered(3, 10) });
    const { size } = statSync(path);
    const file = new RowFileChanges(path, tables);
    for (let row = 0; row < 100; row++) file.tables.words.remove(row);
    for (let row = 3; row < 15; row++) file.tables.lists.put(row, Buffer.alloc(600, row));
    file.finish();
    file.close();
    expect(statSync(path).size).toBe(size);
    expect(faultsOf(path)).toEqual([]);
  });

  test('is written anew once a quarter of it is free', () => {
    const path = join(temporaryFolder('row-file'), 'rows');
    write(path, { words: numbered(1_000, 640), lists: new Map() });
    const { size } = statSync(path);
    const file = new RowFileChanges(path, tables);
    for (let row = 0; row < 400; row++) file.tables.words.remove(row);
    file.finish();
    file.close();
    expect(statSync(path).size).toBeLessThan(size * 0.65);
    expect(read(path, 1_000).words.size).toBe(600);
  });

  test('moves the list of a table that outgrows its room', () => {
    const path = join(temporaryFolder('row-file'), 'rows');
    write(path, { words: numbered(10, 5), lists: numbered(10, 5) });
    const file = new RowFileChanges(path, tables);
    const added = numbered(5_000, 30);
    for (const [row, bytes] of added) file.tables.lists.put(row, bytes);
    file.finish();
    file.close();
    expect(read(path, 6_000)).toEqual({ words: numbered(10, 5), lists: added });
    expect(faultsOf(path)).toEqual([]);
  });

  test('whose header is damaged, or that is no such file, is refused by its path', () => {
    const path = join(temporaryFolder('row-file'), 'rows');
    write(path, { words: numbered(10, 5), lists: new Map() });
    const whole = readFileSync(path);
    const damaged = [
      Buffer.alloc(0),
      whole.subarray(0, 20),
      Buffer.from(whole).fill(1, 17, 18),
      Buffer.from('{}'),
    ];
    for (const bytes of damaged) {
      writeFileSync(path, bytes);
      const message = `${path} is damaged: its header is not the written one.`;
      expect(() => new RowFile(path, tables, 'through')).toThrow(message);
      expect(() => new RowFileChanges(path, tables)).toThrow(message);
    }
  });

  test('whose list leads outside the file gives an error for that row and no other bytes', () => {
    const path = join(temporaryFolder('row-file'), 'rows');
    write(path, { words: numbered(10, 5), lists: new Map() });
    const bytes = readFileSync(path);
    const list = (parseHeader(bytes, tables.length)?.lists[0]?.place ?? 0) * placeUnit;
    bytes.writeUInt32LE(bytes.length, list + 3 * entryBytes);
    bytes.writeUInt32LE(2 ** 31, list + 4 * entryBytes + 4);
    writeFileSync(path, bytes);
    const file = new RowFile(path, tables, 'through');
    expect(() => file.tables.words.read(3)).toThrow(`${path} is damaged: row 3 states 5 bytes`);
    expect(() => file.tables.words.read(4)).toThrow(`${path} is damaged: row 4 states 2147483648 bytes`);
    expect(file.tables.words.read(5)).toBe(5);
    file.close();
    expect(faultsOf(path)).not.toEqual([]);
  });

  test('with two rows at one place is reported by the audit', () => {
    const folder = temporaryFolder('row-file');
    const path = join(folder, 'rows');
    write(path, { words: numbered(10, 5), lists: new Map() });
    copyFileSync(path, join(folder, 'copy'));
    const bytes = readFileSync(path);
    const list = (parseHeader(bytes, tables.length)?.lists[0]?.place ?? 0) * placeUnit;
    bytes.copy(bytes, list + entryBytes, list, list + 4);
    writeFileSync(path, bytes);
    expect(faultsOf(path)).toEqual([`In ${path} two rows share the bytes from ${headerBytes(2)} on.`]);
    expect(faultsOf(join(folder, 'copy'))).toEqual([]);
  });
});

/** Rows of some bytes, each of its own. */
function numbered(rows: number, bytes: number): Map<number, Buffer> {
  return new Map(
    Array.from({ length: rows }, (_, row) => [row, Buffer.alloc(bytes, (row % 255) + 1)] as const),
  );
}

function sorted(content: Content) {
  return tables.map((table) => [...content[table]].sort(([a], [b]) => a - b));
}
