import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { packRow } from '../../../../src/store/search/build/write-postings.ts';
import { chunkDocuments } from '../../../../src/store/search/format.ts';
import { changedRow } from '../../../../src/store/search/update/list-rows.ts';

const sorted = (documents: Iterable<number>) => Uint32Array.from(documents).sort();

/** Documents of one row: a few anywhere, and a run that makes its chunk a bitmap or nearly one. */
function documentsOf(row: number, perRow: number) {
  const first = row * perRow * chunkDocuments;
  const end = first + perRow * chunkDocuments - 1;
  const few = fc.array(fc.integer({ min: first, max: end }), { maxLength: 30 });
  const run = fc.constantFrom(0, 4_080, 4_096, 4_110, 30_000);
  return fc.tuple(few, run, fc.integer({ min: 0, max: perRow - 1 })).map(([some, length, chunk]) => {
    const from = first + chunk * chunkDocuments;
    return new Set([...some, ...Array.from({ length }, (_, i) => from + i * 2)]);
  });
}

describe('a row of a long list', () => {
  for (const perRow of [1, 4]) {
    test(`of ${perRow} chunks becomes the row of the documents that it has then`, () => {
      const row = 3;
      const changes = fc.tuple(documentsOf(row, perRow), documentsOf(row, perRow), documentsOf(row, perRow));
      fc.assert(
        fc.property(changes, ([before, more, less]) => {
          const added = more.difference(before);
          const removed = less.intersection(before);
          const after = before.difference(removed).union(added);
          const known = before.size === 0 ? null : Buffer.from(packRow(sorted(before), row, perRow));
          const change = { added: sorted(added), removed: sorted(removed) };
          const expected = after.size === 0 ? '' : packRow(sorted(after), row, perRow).toString('hex');
          expect(changedRow(known, change, row * perRow, perRow).toString('hex')).toBe(expected);
        }),
        { numRuns: 60 },
      );
    });
  }
});
