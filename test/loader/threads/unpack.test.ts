import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identify } from '../../../src/loader/parse/input/file.ts';
import { unpack } from '../../../src/loader/threads/unpack.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { watchWorkers, workersOf } from '../../support/started-workers.ts';

test('the end of the thread that unpacks a file ends the wait for its next piece', async () => {
  const path = join(temporaryFolder('unpack'), 'file.csv');
  writeFileSync(path, 'a row\n'.repeat(100_000));
  watchWorkers();
  const limits = { pieceBytes: 64 * 1024, piecesMax: 2 };
  const file = unpack({ path, identity: await identify(path), cut: { after: 'line' } }, limits, () => {});
  expect((await file.next())?.length).toBeGreaterThan(0);
  workersOf('unpack.ts')[0]?.terminate();
  const readAll = async () => {
    while ((await file.next()) !== null);
  };
  await expect(readAll()).rejects.toThrow('The thread that unpacks a file has ended.');
});
