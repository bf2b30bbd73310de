/**
 * Intersects large sets of documents chunk by chunk as bitmaps, so that neither memory nor time depends on the number
 * of matching documents.
 */
import { chunkBits, chunkWords } from '../format.ts';
import { populationBelow, populationOf, takeBits } from './bitmap.ts';
import type { ListReader } from './chunk-reader.ts';
import { type DocumentList, type Intersection, sizeOf, type Union } from './document-list.ts';
import { joined } from './sorted.ts';

const unionWords = new Uint32Array(chunkWords);
const commonWords = new Uint32Array(chunkWords);

/** The arguments of an intersection; see {@link DocumentSets.intersect}. */
interface ChunkWalk {
  /** How many chunks the index has. */
  readonly chunks: number;
  readonly duplicatesFrom: number;
  readonly skip: number;
  readonly max: number;
  readonly enough: number;
}

/** Documents in every union, if all unions are large. */
export function intersectChunks(
  reader: ListReader,
  unions: readonly Union[],
  { chunks, duplicatesFrom, skip, max, enough }: ChunkWalk,
): Intersection {
  const taken = new Uint32Array(Math.min(max, sizeOf(unions[0] ?? [])));
  let length = 0;
  let total = 0;
  let kept = 0;
  for (let chunk = 0; chunk < chunks && total < enough; chunk++) {
    intersectChunk(reader, unions, chunk);
    const count = populationOf(commonWords);
    if (total + count > skip && length < taken.length) {
      length = takeBits(taken, length, commonWords, chunk << chunkBits, skip - total);
    }
    total += count;
    kept += populationBelow(commonWords, duplicatesFrom - (chunk << chunkBits), count);
  }
  return { documents: taken.subarray(0, length), total, kept };
}

/** Leaves the documents of the chunk that are in every union in {@link commonWords}. */
function intersectChunk(reader: ListReader, unions: readonly Union[], chunk: number): void {
  const [first, ...others] = unions;
  commonWords.fill(0);
  for (const list of first ?? []) reader.addTo(commonWords, list, chunk);
  for (const union of others) {
    unionWords.fill(0);
    for (const list of union) reader.addTo(unionWords, list, chunk);
    let left = 0;
    for (let i = 0; i < chunkWords; i++) {
      const word = (commonWords[i] ?? 0) & (unionWords[i] ?? 0);
      commonWords[i] = word;
      left |= word;
    }
    // Stop if no document is left: the other unions need not be read.
    if (left === 0) return;
  }
}

/** The documents of one long list alone: its length is known, and no more chunks are read than are wanted. */
export function wholeList(reader: ListReader, list: DocumentList, walk: ChunkWalk): Intersection {
  const { chunks, duplicatesFrom, max } = walk;
  const total = list.frequency;
  const taken = new Uint32Array(Math.min(max, total));
  reader.open(list);
  let length = 0;
  for (let chunk = 0; chunk < chunks && length < taken.length; chunk++) {
    reader.enter(chunk);
    // Writing past the end of a typed array does nothing.
    length = Math.min(taken.length, reader.appendTo(taken, length, chunk));
  }
  let kept = total;
  for (let chunk = duplicatesFrom >>> chunkBits; chunk < chunks; chunk++) {
    commonWords.fill(0);
    reader.addTo(commonWords, list, chunk);
    const count = populationOf(commonWords);
    kept -= count - populationBelow(commonWords, duplicatesFrom - (chunk << chunkBits), count);
  }
  return { documents: taken, total, kept };
}

const lackingWords = new Uint32Array(chunkWords);

/** Documents in every union except at most one, which must be an optional one. */
export function almostAllInChunks(
  reader: ListReader,
  unions: readonly { readonly union: Union; readonly mayLack: boolean }[],
  chunks: number,
): Uint32Array {
  const perChunk: Uint32Array[] = [];
  for (let chunk = 0; chunk < chunks; chunk++) {
    // Begin with every document of the chunk as one that is in all unions.
    commonWords.fill(0xffffffff);
    lackingWords.fill(0);
    for (const { union, mayLack } of unions) {
      unionWords.fill(0);
      for (const list of union) reader.addTo(unionWords, list, chunk);
      if (!dropLacking(mayLack)) break;
    }
    for (let i = 0; i < chunkWords; i++) commonWords[i] = (commonWords[i] ?? 0) | (lackingWords[i] ?? 0);
    const documents = new Uint32Array(populationOf(commonWords));
    takeBits(documents, 0, commonWords, chunk << chunkBits, 0);
    perChunk.push(documents);
  }
  return joined(perChunk);
}

/**
 * Documents outside the union move from those that have all unions to those that lack one, or drop out.
 * @returns whether any document is left
 */
function dropLacking(mayLack: boolean): boolean {
  let left = 0;
  for (let i = 0; i < chunkWords; i++) {
    const has = unionWords[i] ?? 0;
    const common = commonWords[i] ?? 0;
    const lacking = ((lackingWords[i] ?? 0) & has) | (mayLack ? common & ~has : 0);
    lackingWords[i] = lacking;
    commonWords[i] = common & has;
    left |= lacking | (common & has);
  }
  return left !== 0;
}
