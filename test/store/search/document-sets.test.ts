import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Environment, openForBuilding, openReadOnly, syncAndClose } from '../../../src/lmdb.ts';
import { setOf, type Union } from '../../../src/store/search/chunks.ts';
import { type DocumentSets, openDocumentSets } from '../../../src/store/search/document-sets.ts';
import { listedDocumentsMax, openSearchTables } from '../../../src/store/search/format.ts';
import { appendList, rowsOfList } from '../../../src/store/search/postings.ts';
import { without } from '../../../src/store/search/sorted.ts';
import { temporaryFolder } from '../../support/folders.ts';

const documents = 700_416;
/** In the midst of a chunk. */
const duplicatesFrom = 550_001;
let folder: string;
let environment: Environment;
let sets: DocumentSets;
/**
 * Every so many documents; the first ones are kept as bitmaps, then come lists chunk by chunk, several chunks to a row,
 * and at last short lists of differences, the longest of them first.
 */
const steps = [1, 2, 7, 20, 45, 100, 150, documents / listedDocumentsMax, 333, 9_001];
const unionOf = new Map<number, Union>();

/** So that what holds for the first document of all is not asked of every list. */
const firstOf = (step: number) => step >>> 1;

function listed(step: number): Uint32Array {
  const length = Math.ceil((documents - firstOf(step)) / step);
  return Uint32Array.from({ length }, (_, i) => firstOf(step) + i * step);
}

beforeAll(async () => {
  folder = temporaryFolder('sets');
  const building = openForBuilding(join(folder, 'index'));
  const { postings } = openSearchTables(building);
  let list = 0;
  const lists = steps.map((step) => {
    const first = list;
    building.transactionSync(() => appendList(postings, first, listed(step), documents));
    list += rowsOfList(listed(step).length, documents);
    return first;
  });
  await syncAndClose(building);
  environment = openReadOnly(join(folder, 'index'));
  sets = openDocumentSets(openSearchTables(environment), documents, duplicatesFrom);
  steps.forEach((step, i) => {
    const frequency = listed(step).length;
    unionOf.set(step, [sets.listOf({ id: i, frequency, inline: null, list: lists[i] ?? 0 })]);
  });
});

afterAll(async () => {
  await environment.close();
});

/** 1 for each document that is listed for any of them. */
function marked(some: readonly number[]): Uint8Array {
  const marks = new Uint8Array(documents);
  for (const step of some)
    for (let document = firstOf(step); document < documents; document += step) marks[document] = 1;
  return marks;
}

const someSteps = fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 3 });

test('intersections of unions are those of sets, however the lists are stored', () => {
  fc.assert(
    fc.property(fc.array(someSteps, { minLength: 1, maxLength: 3 }), (unions) => {
      const marks = unions.map(marked);
      const expected: number[] = [];
      for (let document = 0; document < documents; document++) {
        if (marks.every((has) => has[document] === 1)) expected.push(document);
      }
      const asked = unions.map((union) => union.flatMap((step) => unionOf.get(step) ?? []));
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
    // Three unions of very many, of which two have nothing in common in parts of a chunk.
    { numRuns: 25, examples: [[[[45, 100, 150, 171, 333], [20], [7]]]] },
  );
});

test('of one list alone the first are given, and told how many there are', () => {
  for (const step of steps) {
    const all = listed(step);
    for (const max of [0, 50, 70_000]) {
      const { documents: first, total } = sets.intersect([unionOf.get(step) ?? []], 0, max);
      expect(total).toBe(all.length);
      expect(first.length).toBe(Math.min(max, all.length));
      expect(first.findIndex((document, i) => document !== all[i])).toBe(-1);
    }
  }
});

test('it is told how many are no duplicates, wherever in a chunk these begin', () => {
  const chunk = 65_536;
  for (const from of [0, 1, 31, 32, 33, chunk - 1, chunk, chunk + 1, 8 * chunk + 1, documents]) {
    const divided = openDocumentSets(openSearchTables(environment), documents, from);
    for (const asked of [[[1]], [[20]], [[150]], [[333]], [[7], [2]], [[333], [7]]]) {
      const unions = asked.map((some) => some.flatMap((step) => unionOf.get(step) ?? []));
      const kept = divided.intersect(unions, 0, documents).documents.filter((document) => document < from);
      expect(divided.intersect(unions, 0, 0).kept).toBe(kept.length);
    }
  }
});

/** Unions of one list each, of which the last may not be lacking. */
function lackingFrom(some: readonly number[]): [number[], boolean][] {
  return some.map((step, i) => [[step], i < some.length - 1]);
}

test('documents that lack at most one of the unions are found, if it is one that may be lacking', () => {
  const union = fc.tuple(someSteps, fc.boolean());
  fc.assert(
    fc.property(fc.array(union, { minLength: 2, maxLength: 4 }), (unions) => {
      const marks = unions.map(([steps, mayLack]) => ({ has: marked(steps), mayLack }));
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
      const asked = unions.map(([steps]) => steps.flatMap((step) => unionOf.get(step) ?? []));
      const found = sets.almostAll(
        asked,
        unions.map(([, mayLack]) => mayLack),
      );
      expect(found.length).toBe(expected.length);
      expect(found.findIndex((document, i) => document !== expected[i])).toBe(-1);
    }),
    { numRuns: 25, examples: [[lackingFrom([100, 150, 7])], [lackingFrom([2, 7, 20])]] },
  );
});

test('a document is in an intersection exactly where it is listed', () => {
  const some = Uint32Array.of(1, 165, 166, 167, 499, 832, 833);
  const asked = [unionOf.get(2) ?? [], unionOf.get(333) ?? [], [setOf(some)]];
  expect(Array.from(sets.members(asked, some))).toEqual([499]);
});

test('an intersection with nothing is empty', () => {
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
