/**
 * Fails if any answer changes. After an intended change: run `bun test/compare/record.ts`, and read what it changed.
 */
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { recordNow, recordPath } from './record.ts';

test('every answer over the sample equals the recorded one', async () => {
  const [recorded, now] = [readFileSync(recordPath, 'utf8'), await recordNow()].map((text) =>
    text.split('\n'),
  );
  const changed = now?.filter((line) => !recorded?.includes(line)) ?? [];
  const gone = recorded?.filter((line) => !now?.includes(line)) ?? [];
  expect(changed, 'These answers changed (on purpose? bun test/compare/record.ts)').toEqual([]);
  expect(gone, 'These are asked no longer, or answered otherwise').toEqual([]);
});
