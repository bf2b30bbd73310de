/** Tests the description of an environment that differs from what this version writes. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Environment, openForBuilding, syncAndClose } from '../../src/lmdb.ts';
import { readMeta } from '../../src/store/meta.ts';
import { openTables } from '../../src/store/tables.ts';
import { temporaryFolder } from '../support/folders.ts';

let environment: Environment;
beforeEach(() => {
  environment = openForBuilding(temporaryFolder('meta'));
});
afterEach(() => syncAndClose(environment));

test('an environment without a description was never finished', () => {
  const { meta } = openTables(environment);
  expect(() => readMeta(meta, undefined)).toThrow('never finished');
});

test('a description of another version is refused, and the first difference is named', () => {
  const { meta } = openTables(environment);
  meta.putSync('publication', JSON.stringify({ id: '20240504T000000Z-00000000', formatVersion: 'first' }));
  expect(() => readMeta(meta, undefined)).toThrow(/not of this version: \/[a-zA-Z]+ \S/);
});
