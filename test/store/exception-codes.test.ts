/** Tests codes of exceptions in pages of one, two and four bytes a code. */
import { expect, test } from 'bun:test';
import { bytesTable, openForBuilding, syncAndClose } from '../../src/lmdb.ts';
import {
  exceptionCodesReader,
  exceptionCodesWriter,
  readExceptionCodes,
  writeExceptionCodes,
} from '../../src/store/exception-codes.ts';
import { temporaryFolder } from '../support/folders.ts';

/** A direct and an ultimate code for each entity from 0; the pages of 128 entities need one, two and four bytes. */
const codes = new Uint32Array(700);
codes.set([1, 255], 2 * 3);
codes.set([256, 2], 2 * 130);
codes.set([70_000, 0], 2 * 299);

const at = (entity: number) => ({ direct: codes[2 * entity] ?? 0, ultimate: codes[2 * entity + 1] ?? 0 });

test('codes are read as they were written, after changes too, and those of an earlier version', async () => {
  const environment = openForBuilding(temporaryFolder('exception-codes'));
  const table = bytesTable(environment, 'exceptionCodes', 'uint32');
  const bytesOfPages = () => [0, 1, 2].map((page) => table.get(page)?.length);
  const expectAll = () => {
    const read = exceptionCodesReader(table, table.useReadTransaction());
    for (let entity = 0; entity < 310; entity++) {
      expect({ entity, ...readExceptionCodes(table, entity, undefined) }).toEqual({ entity, ...at(entity) });
      expect(read(entity)).toEqual(at(entity));
    }
  };
  writeExceptionCodes(table, codes);
  expect(bytesOfPages()).toEqual([256, 512, 1024]);
  expectAll();

  const writer = exceptionCodesWriter(table);
  for (const [entity, side, code] of [
    [3, 1, 65_536],
    [130, 0, 7],
    [299, 0, 0],
  ] as const) {
    expect(writer.get(entity, side)).toBe(codes[2 * entity + side] ?? 0);
    writer.set(entity, side, code);
    codes[2 * entity + side] = code;
  }
  writer.write();
  expect(bytesOfPages()).toEqual([1024, 256, undefined]);
  expectAll();

  // Earlier versions used four bytes for every code.
  const page = Buffer.alloc(1024);
  page.writeUInt32LE(9, 8 * 2);
  codes.set([9, 0], 2 * (256 + 2));
  table.putSync(2, page);
  expectAll();
  await syncAndClose(environment);
});
