/** Changes one row of a long list of documents: unchanged chunks are copied as bytes, bitmaps change bit by bit. */
import { lowerBound } from '../../../bytes/binary-search.ts';
import { ByteWriter } from '../../../bytes/byte-writer.ts';
import { uint16At } from '../../../bytes/numbers-in-bytes.ts';
import { packChunk } from '../build/write-postings.ts';
import { chunkDocuments, chunkWords } from '../format.ts';
import { bitmapBytes, populationOf, takeBits } from '../sets/bitmap.ts';
import { merged, without } from '../sets/sorted.ts';

/** The documents that a list gains and loses, each ascending. */
export interface ListChange {
  readonly added: Uint32Array;
  readonly removed: Uint32Array;
}

const writer = new ByteWriter();
const none = new Uint8Array(0);

/**
 * Packs a changed row; empty if it has no documents left.
 * @param before the row until now; null if it had no documents
 * @param change in the chunks of this row
 * @param first the first chunk of the row
 * @param chunks how many chunks share a row
 */
export function changedRow(
  before: Uint8Array | null,
  change: ListChange,
  first: number,
  chunks: number,
): Buffer {
  const row = before ?? none;
  writer.clear();
  if (chunks === 1) {
    packChanged(row, change);
    return writer.view();
  }
  for (let part = 0; part < chunks; part++) writer.uint16(0);
  let from = chunks * 2;
  for (let part = 0; part < chunks; part++) {
    const bytes = row.length === 0 ? 0 : uint16At(row, part * 2);
    const start = writer.length;
    packChanged(row.subarray(from, from + bytes), between(change, (first + part) * chunkDocuments));
    writer.setUint16(part * 2, writer.length - start);
    from += bytes;
  }
  return writer.length === chunks * 2 ? writer.view().subarray(0, 0) : writer.view();
}

/** The changes in the chunk that begins with the document `first`. */
function between({ added, removed }: ListChange, first: number): ListChange {
  return { added: inChunk(added, first), removed: inChunk(removed, first) };
}

function inChunk(documents: Uint32Array, first: number): Uint32Array {
  if (documents.length === 0) return documents;
  const from = lowerBound(documents, first);
  return documents.subarray(from, lowerBound(documents, first + chunkDocuments, from));
}

const words = new Uint32Array(chunkWords);
const bitmap = Buffer.from(words.buffer);

/** Appends a chunk with its changes applied. */
function packChanged(chunk: Uint8Array, { added, removed }: ListChange): void {
  if (added.length + removed.length === 0) {
    writer.append(chunk);
    return;
  }
  if (chunk.length < bitmapBytes) {
    packChunk(writer, withChange(listIn(chunk), { added: positions(added), removed: positions(removed) }));
    return;
  }
  bitmap.set(chunk);
  for (const document of removed) setBit(document, 0);
  for (const document of added) setBit(document, 1);
  const documents = populationOf(words);
  if (documents * 2 >= bitmapBytes) writer.append(bitmap);
  else {
    const list = new Uint32Array(documents);
    takeBits(list, 0, words, 0, 0);
    packChunk(writer, list);
  }
}

function setBit(document: number, value: 0 | 1): void {
  const word = (document & (chunkDocuments - 1)) >>> 5;
  const bit = 1 << (document & 31);
  words[word] = value === 1 ? (words[word] ?? 0) | bit : (words[word] ?? 0) & ~bit;
}

function listIn(chunk: Uint8Array): Uint32Array {
  const list = new Uint32Array(chunk.length / 2);
  for (let i = 0; i < list.length; i++) list[i] = uint16At(chunk, i * 2);
  return list;
}

/** Positions of documents in their chunk. */
function positions(documents: Uint32Array): Uint32Array {
  return documents.map((document) => document & (chunkDocuments - 1));
}

/** @returns the documents after the change, ascending */
export function withChange(documents: Uint32Array, { added, removed }: ListChange): Uint32Array {
  return merged(without(documents, removed), added);
}
