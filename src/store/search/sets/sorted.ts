/** Joins, merges and subtracts ascending arrays of documents. */
import { lowerBound } from '../../../bytes/binary-search.ts';

/** One array after the other. */
export function joined(arrays: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let length = 0;
  for (const documents of arrays) {
    all.set(documents, length);
    length += documents.length;
  }
  return all;
}

/** All documents of the arrays, each once, ascending. */
export function joinedUnique(arrays: readonly Uint32Array[]): Uint32Array {
  const documents = joined(arrays).sort();
  let length = 0;
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i] ?? 0;
    if (length === 0 || documents[length - 1] !== document) documents[length++] = document;
  }
  return length === documents.length ? documents : documents.slice(0, length);
}

/** All documents of two arrays, ascending. */
export function merged(a: Uint32Array, b: Uint32Array): Uint32Array {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const all = new Uint32Array(a.length + b.length);
  let [i, j, length] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const difference = (a[i] ?? 0) - (b[j] ?? 0);
    all[length++] = (difference <= 0 ? a[i] : b[j]) ?? 0;
    if (difference <= 0) i++;
    if (difference >= 0) j++;
  }
  const rest = i < a.length ? a.subarray(i) : b.subarray(j);
  all.set(rest, length);
  length += rest.length;
  return length === all.length ? all : all.slice(0, length);
}

/**
 * Sets `member` to 1 for each document that the others have too: it goes through the shorter array and searches the
 * longer one with doubling steps.
 */
export function markCommon(member: Uint8Array, documents: Uint32Array, others: Uint32Array): void {
  const documentsShorter = documents.length < others.length;
  const short = documentsShorter ? documents : others;
  const long = documentsShorter ? others : documents;
  let at = 0;
  for (let i = 0; i < short.length && at < long.length; i++) {
    const value = short[i] ?? 0;
    at = gallop(long, at, value);
    if (long[at] === value) member[documentsShorter ? i : at] = 1;
  }
}

/** First position from `from` on whose document is not below `value`: doubling steps, then a binary search. */
function gallop(sorted: Uint32Array, from: number, value: number): number {
  let step = 1;
  let low = from;
  let high = from;
  while (high < sorted.length && (sorted[high] ?? 0) < value) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  return lowerBound(sorted, value, low, Math.min(high, sorted.length));
}

/**
 * The documents that are not among the others. The others are usually few, so the stretches between them are copied
 * whole.
 */
export function without(documents: Uint32Array, others: Uint32Array): Uint32Array {
  if (others.length === 0) return documents;
  const kept = new Uint32Array(documents.length);
  let length = 0;
  let from = 0;
  for (let i = 0; i < others.length; i++) {
    const at = gallop(documents, from, others[i] ?? 0);
    if (documents[at] !== others[i]) continue;
    copy(documents, from, at, kept, length);
    length += at - from;
    from = at + 1;
  }
  copy(documents, from, documents.length, kept, length);
  return kept.subarray(0, length + documents.length - from);
}

/** Shorter stretches are copied one by one, which is faster than making a view. */
const viewDocumentsMin = 50;

function copy(documents: Uint32Array, from: number, to: number, into: Uint32Array, at: number): void {
  if (to - from >= viewDocumentsMin) into.set(documents.subarray(from, to), at);
  else for (let i = from; i < to; i++) into[at + i - from] = documents[i] ?? 0;
}

/** The keys of a map, ascending. */
export function sortedKeys(map: ReadonlyMap<number, unknown>): Uint32Array {
  const documents = new Uint32Array(map.size);
  let length = 0;
  for (const document of map.keys()) documents[length++] = document;
  return documents.sort();
}
