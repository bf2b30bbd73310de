import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import { ByteWriter } from '../../../../src/bytes/byte-writer.ts';
import { append } from '../../../../src/lmdb.ts';
import { RowFile } from '../../../../src/store/row-file/rows.ts';
import { RowFileWriter } from '../../../../src/store/row-file/writer.ts';
import { packDocument } from '../../../../src/store/search/build/write-documents.ts';
import { appendList, rowsOfList } from '../../../../src/store/search/build/write-postings.ts';
import { listedDocumentsMax, nameKinds, namesPerChunk } from '../../../../src/store/search/format.ts';
import type { Term } from '../../../../src/store/search/index/term-blocks.ts';
import { setOf, type Union } from '../../../../src/store/search/sets/document-list.ts';
import { type DocumentSets, openDocumentSets } from '../../../../src/store/search/sets/document-sets.ts';
import { without } from '../../../../src/store/search/sets/sorted.ts';
import { TimeLimit } from '../../../../src/store/search/time-limit.ts';
import { temporaryFolder } from '../../../support/folders.ts';
import { runs } from '../../../support/runs.ts';

const documents = 700_416;
/** In the middle of a chunk. */
const duplicatesFrom = 550_001;
const tables = ['postings', 'names'] as const;
let folder: string;
let rows: RowFile<(typeof tables)[number]>;
let sets: DocumentSets;
/**
 * Every so many documents. The first ones are stored as bitmaps, then come lists chunk by chunk, several chunks to a
 * row, and finally short lists of differences, the longest first.
 */
const steps = [1, 2, 7, 20, 45, 100, 150, documents / listedDocumentsMax, 256, 333, 9_001];
const chunk = 65_536;
/**
 * Two chunks to a row: a bitmap at an offset that is not a multiple of four bytes, one with no more documents than fit
 * in as many bytes, documents at the beginning of a chunk before those in the middle of the next, and few others.
 */
const uneven = 0;
const keys = [...steps, uneven];
/** The lists as those of filters, which only the lists tell, and as those of words, which are in names too. */
const unionOf = new Map<number, Union>();
const wordOf = new Map<number, Term>();
/** The first documents, which have names. */
const namedDocuments = 1_024;

function evenly(step: number): Uint32Array {
  // Not every list contains the first document.
  const first = step >>> 1;
  return Uint32Array.from({ length: Math.ceil((documents - first) / step) }, (_, i) => first + i * step);
}

function unevenly(): Uint32Array {
  const runs: readonly (readonly [number, number])[] = [
    [3, 1],
    [chunk + 7, 4_100],
    [3 * chunk, chunk / 16],
    [4 * chunk, 100],
    [5 * chunk + 40_000, 100],
    [9 * chunk + 5, 1],
  ];
  return Uint32Array.from(runs.flatMap(([from, length]) => Array.from({ length }, (_, i) => from + i)));
}

const lists = new Map(keys.map((key) => [key, key === uneven ? unevenly() : evenly(key)]));
const listed = (key: number) => lists.get(key) ?? new Uint32Array(0);

beforeAll(async () => {
  folder = temporaryFolder('sets');
  const file = new RowFileWriter(join(folder, 'rows'), tables);
  const { postings, names } = file.tables;
  let list = 0;
  const firstRows = keys.map((key) => {
    const first = list;
    appendList(postings, first, listed(key), documents);
    list += rowsOfList(listed(key).length, documents);
    return first;
  });
  for (let row = 0; row < namedDocuments / namesPerChunk; row++) append(names, row, namesIn(row));
  file.finish();
  rows = new RowFile(join(folder, 'rows'), tables, 'through');
  sets = openSets(duplicatesFrom);
  keys.forEach((key, i) => {
    const frequency = listed(key).length;
    wordOf.set(key, { id: i, hash: 0, frequency, inline: null, list: firstRows[i] ?? 0 });
    unionOf.set(key, [sets.filterOf({ id: i, hash: 0, frequency, inline: null, list: firstRows[i] ?? 0 })]);
  });
});

/** A row of names: each document has the terms of its lists, half of them in a second name. */
function namesIn(row: number): Buffer {
  const chunk = new ByteWriter();
  for (let i = 0; i < namesPerChunk; i++) chunk.uint32(0);
  for (let i = 0; i < namesPerChunk; i++) {
    const document = row * namesPerChunk + i;
    const ids = keys.flatMap((key, id) => (listed(key).includes(document) ? [id] : []));
    const half = Math.ceil(ids.length / 2);
    chunk.setUint32(i * 4, chunk.length);
    packDocument(chunk, document, [
      { kind: nameKinds.legal, ids: ids.slice(0, half) },
      { kind: nameKinds.other, ids: ids.slice(half) },
    ]);
  }
  return chunk.view();
}

function openSets(duplicatesFrom: number): DocumentSets {
  const shape = { places: documents, gradeStarts: [0, duplicatesFrom] };
  return openDocumentSets(rows.tables, shape, new TimeLimit(() => 0, 1));
}

afterAll(() => rows.close());

/** 1 for each document that any of the lists has. */
function marked(some: readonly number[]): Uint8Array {
  const marks = new Uint8Array(documents);
  for (const key of some) for (const document of listed(key)) marks[document] = 1;
  return marks;
}

const someLists = fc.array(fc.constantFrom(...keys), { minLength: 1, maxLength: 3 });

test('an intersection of unions is the same however the lists are stored', () => {
  fc.assert(
    fc.property(fc.array(someLists, { minLength: 1, maxLength: 3 }), (unions) => {
      const marks = unions.map(marked);
      const expected: number[] = [];
      for (let document = 0; document < documents; document++) {
        if (marks.every((has) => has[document] === 1)) expected.push(document);
      }
      const asked = unions.map((union) => union.flatMap((key) => unionOf.get(key) ?? []));
      const all = sets.intersect(asked, 0, documents);
      expect(all.total).toBe(expected.length);
      expect(all.kept).toBe(expected.filter((document) => document < duplicatesFrom).length);
      expect(all.documents.length).toBe(expected.length);
      expect(all.documents.findIndex((document, i) => document !== expected[i])).toBe(-1);
      const skip = Math.floor(expected.length / 3);
      const window = sets.intersect(asked, skip, 50);
      expect(window.total).toBe(expected.length);
      expect(Array.from(window.documents)).toEqual(expected.slice(skip, skip + 50));
      const enough = Math.min(10, expected.length);
      expect(sets.intersect(asked, 0, 0, 10).total).toBeGreaterThanOrEqual(enough);
    }),
    // Three large unions, two of which have nothing in common in parts of a chunk.
    { numRuns: runs(8), examples: [[[[45, 100, 150, 171, 333], [20], [7]]], [[[7], [uneven]]]] },
  );
});

test('one list alone returns its first documents and their total', () => {
  for (const key of keys) {
    const all = listed(key);
    for (const max of [0, 50, 70_000]) {
      const { documents: first, total } = sets.intersect([unionOf.get(key) ?? []], 0, max);
      expect(total).toBe(all.length);
      expect(first.length).toBe(Math.min(max, all.length));
      expect(first.findIndex((document, i) => document !== all[i])).toBe(-1);
    }
  }
});

test('an intersection counts the documents that are not duplicates, wherever in a chunk the duplicates begin', () => {
  for (const from of [0, 1, 31, 32, 33, chunk - 1, chunk, chunk + 1, 8 * chunk + 1, documents]) {
    const divided = openSets(from);
    for (const asked of [[[1]], [[20]], [[150]], [[333]], [[7], [2]], [[333], [7]]]) {
      const unions = asked.map((some) => some.flatMap((key) => unionOf.get(key) ?? []));
      const kept = divided.intersect(unions, 0, documents).documents.filter((document) => document < from);
      expect(divided.intersect(unions, 0, 0).kept).toBe(kept.length);
    }
  }
});

/** Unions of one list each; the last one is required. */
function lackingFrom(some: readonly number[]): [number[], boolean][] {
  return some.map((key, i) => [[key], i < some.length - 1]);
}

test('documents that lack one union are found if that union is optional', () => {
  const union = fc.tuple(someLists, fc.boolean());
  fc.assert(
    fc.property(fc.array(union, { minLength: 2, maxLength: 4 }), (unions) => {
      const marks = unions.map(([some, mayLack]) => ({ has: marked(some), mayLack }));
      const expected: number[] = [];
      for (let document = 0; document < documents; document++) {
        let [lacked, allowed] = [0, true];
        for (const { has, mayLack } of marks) {
          if (has[document] === 1) continue;
          lacked++;
          allowed = mayLack;
        }
        if (lacked === 0 || (lacked === 1 && allowed)) expected.push(document);
      }
      const asked = unions.map(([some]) => some.flatMap((key) => unionOf.get(key) ?? []));
      const found = sets.almostAll(
        asked,
        unions.map(([, mayLack]) => mayLack),
      );
      expect(found.length).toBe(expected.length);
      expect(found.findIndex((document, i) => document !== expected[i])).toBe(-1);
    }),
    { numRuns: runs(8), examples: [[lackingFrom([100, 150, 7])], [lackingFrom([2, 7, 20])]] },
  );
});

test('a document is in an intersection exactly if the lists have it', () => {
  const some = Uint32Array.of(1, 165, 166, 167, 499, 832, 833);
  const asked = [unionOf.get(2) ?? [], unionOf.get(333) ?? [], [setOf(some)]];
  expect(Array.from(sets.members(asked, some))).toEqual([499]);
});

test('the names of a few documents tell the same as the lists of words', () => {
  const some = fc.uniqueArray(fc.nat(namedDocuments - 1), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(some, fc.array(someLists, { minLength: 1, maxLength: 3 }), (chosen, unions) => {
      const few = Uint32Array.from(chosen).sort();
      const byLists = unions.map((union) => union.flatMap((key) => unionOf.get(key) ?? []));
      const ofWords = unions.map((union) =>
        union.flatMap((key) => [
          setOf(few.subarray(0, 1)),
          ...[wordOf.get(key) ?? []].flat().map(sets.listOf),
        ]),
      );
      const byNames = sets.members(ofWords, few);
      const expected = sets.members(byLists, few);
      expect(Array.from(byNames)).toEqual([...new Set([...few.subarray(0, 1), ...expected])]);
    }),
  );
});

test('a document is not confused with the one at the same position of the next chunk', () => {
  const some = Uint32Array.of(4 * chunk + 99, 4 * chunk + 40_000, 5 * chunk + 40_000);
  const found = sets.members([unionOf.get(uneven) ?? []], some);
  expect(Array.from(found)).toEqual([4 * chunk + 99, 5 * chunk + 40_000]);
});

test('an intersection with an empty union is empty', () => {
  expect(sets.intersect([unionOf.get(1) ?? [], []], 0, 10)).toEqual({
    documents: new Uint32Array(),
    total: 0,
    kept: 0,
  });
});

test('leaving documents out keeps all the others in order', () => {
  const numbers = (maxLength: number) => fc.uniqueArray(fc.nat(300), { maxLength, size: 'max' });
  fc.assert(
    fc.property(numbers(250), numbers(20), (documents, others) => {
      const sorted = Uint32Array.from(documents).sort();
      const expected = Array.from(sorted).filter((document) => !others.includes(document));
      expect(Array.from(without(sorted, Uint32Array.from(others).sort()))).toEqual(expected);
    }),
  );
});
