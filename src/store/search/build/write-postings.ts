/** Writes the lists of documents that are too long to be stored with their terms. */
import { lowerBound } from '../../../bytes/binary-search.ts';
import { ByteWriter } from '../../../bytes/byte-writer.ts';
import { type Appendable, append } from '../../../lmdb.ts';
import { chunkDocuments, chunksPerRow, chunkWords, listedDocumentsMax } from '../format.ts';
import { writeDeltas } from '../sets/document-list.ts';

/**
 * How many rows a list takes in the table of postings.
 * @param frequency documents of the list
 * @param places how many document numbers the index has
 */
export function rowsOfList(frequency: number, places: number): number {
  if (frequency <= listedDocumentsMax) return 1;
  return Math.ceil(places / chunkDocuments / chunksPerRow(frequency, places));
}

const writer = new ByteWriter();

/** Writes one list; see {@link packedRows}. */
export function appendList(table: Appendable, list: number, of: Uint32Array, places: number): void {
  for (const [key, row] of packedRows(list, of, places)) append(table, key, row);
}

/**
 * Packs one list. A row is valid until the next one.
 * @param list number of its first row
 * @param of its documents, ascending
 * @param places how many document numbers the index has
 */
export function* packedRows(
  list: number,
  of: Uint32Array,
  places: number,
): Generator<[key: number, row: Buffer]> {
  if (of.length <= listedDocumentsMax) {
    yield [list, packShortList(of)];
    return;
  }
  const perRow = chunksPerRow(of.length, places);
  for (const [row, documents] of rowsOf(of, perRow)) yield [list + row, packRow(documents, row, perRow)];
}

/** Splits documents (ascending) into those of each row. */
export function* rowsOf(
  documents: Uint32Array,
  perRow: number,
): Generator<[row: number, documents: Uint32Array]> {
  for (let from = 0; from < documents.length; ) {
    const row = Math.floor((documents[from] ?? 0) / chunkDocuments / perRow);
    const to = lowerBound(documents, (row + 1) * perRow * chunkDocuments, from);
    yield [row, documents.subarray(from, to)];
    from = to;
  }
}

/** Packs the documents (ascending) of one row of a long list. */
export function packRow(of: Uint32Array, row: number, perRow: number): Buffer {
  writer.clear();
  if (perRow === 1) packChunk(writer, of);
  else packChunks(of, row * perRow, perRow);
  return writer.view();
}

/** Packs all documents (ascending) of a list that is not long. */
function packShortList(of: Uint32Array): Buffer {
  writer.clear();
  writeDeltas(writer, of);
  return writer.view();
}

/** Several chunks: first the length in bytes of each (uint16), then the chunks. */
function packChunks(of: Uint32Array, first: number, chunks: number): void {
  for (let part = 0; part < chunks; part++) writer.uint16(0);
  let from = 0;
  for (let part = 0; part < chunks && from < of.length; part++) {
    const to = from + lowerBound(of.subarray(from), (first + part + 1) * chunkDocuments);
    const start = writer.length;
    packChunk(writer, of.subarray(from, to));
    writer.setUint16(part * 2, writer.length - start);
    from = to;
  }
}

const chunkBitmap = new Uint32Array(chunkWords);
const chunkBitmapBytes = new Uint8Array(chunkBitmap.buffer);

/**
 * Appends the documents of a chunk: a sorted list of 16-bit numbers, or a bitmap of 8 kB if the list would be longer.
 */
export function packChunk(row: ByteWriter, of: Uint32Array): void {
  if (of.length * 2 < chunkWords * 4) {
    for (let i = 0; i < of.length; i++) row.uint16((of[i] ?? 0) & (chunkDocuments - 1));
    return;
  }
  chunkBitmap.fill(0);
  for (let i = 0; i < of.length; i++) {
    const bit = (of[i] ?? 0) & (chunkDocuments - 1);
    chunkBitmap[bit >>> 5] = (chunkBitmap[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
  row.append(chunkBitmapBytes);
}
