/** Writes the facts about each document: its entity number, the terms of its names, its card. */
import { ByteWriter } from '../../../bytes/byte-writer.ts';
import { uint24At, uint32At } from '../../../bytes/numbers-in-bytes.ts';
import { append } from '../../../lmdb.ts';
import { type IndexShape, namesPerChunk } from '../format.ts';
import { cardHash, cardWeight } from '../index/cards.ts';
import { appendColumn } from '../index/column.ts';
import type { Collection } from './collection.ts';
import type { SearchRows } from './rows.ts';
import type { Vocabulary } from './vocabulary.ts';

interface DocumentSource {
  readonly collection: Collection;
  /** One more than the company of each document; 0 if its number is free. */
  readonly order: Uint32Array;
  readonly vocabulary: Vocabulary;
  readonly weights: Uint8Array;
  readonly shape: Pick<IndexShape, 'formsFrom' | 'formsTo'>;
}

/**
 * A chunk of names: where each document begins (uint32; 0 for none), then for each document its entity number (uint32),
 * the number of names, and for each name its kind, the number of its terms, and their ids in three bytes.
 */
export function writeDocuments(tables: SearchRows, source: DocumentSource): void {
  const { order } = source;
  const cards = new Uint16Array(order.length);
  const chunk = new ByteWriter();
  for (let first = 0; first < order.length; first += namesPerChunk) {
    chunk.clear();
    for (let i = 0; i < namesPerChunk; i++) chunk.uint32(0);
    for (let i = 0; i < namesPerChunk; i++) {
      const place = order[first + i] ?? 0;
      if (place === 0) continue;
      chunk.setUint32(i * 4, chunk.length);
      writeCompany(chunk, source, place - 1);
    }
    makeCards(cards, first, chunk.view(), source);
    append(tables.names, first / namesPerChunk, chunk.view());
  }
  appendColumn(tables.cards, cards);
}

function writeCompany(chunk: ByteWriter, { collection, vocabulary }: DocumentSource, company: number): void {
  const { ids } = vocabulary;
  const { sequence, starts, entities } = collection;
  let at = starts.at(company);
  const names = sequence.at(at++);
  chunk.uint32(entities.at(company));
  chunk.byte(names);
  for (let name = 0; name < names; name++) {
    const header = sequence.at(at++);
    chunk.byte(header >>> 16);
    chunk.byte(header & 0xffff);
    for (let term = 0; term < (header & 0xffff); term++) chunk.uint24(ids[sequence.at(at++)] ?? 0);
  }
}

/** Packs one document as {@link writeDocuments} does. */
export function packDocument(
  chunk: ByteWriter,
  entity: number,
  names: readonly { readonly kind: number; readonly ids: readonly number[] }[],
): void {
  chunk.uint32(entity);
  chunk.byte(names.length);
  for (const { kind, ids } of names) {
    chunk.byte(kind);
    chunk.byte(ids.length);
    for (const id of ids) chunk.uint24(id);
  }
}

/** Makes the cards of the documents of a chunk, whose names are in `row`. */
function makeCards(cards: Uint16Array, first: number, row: Buffer, source: DocumentSource): void {
  const { vocabulary, shape, weights } = source;
  for (let i = 0; i < namesPerChunk; i++) {
    const start = uint32At(row, i * 4);
    if (start === 0) continue;
    const id = firstTerm(row, start, shape);
    const mark = id === null ? 0 : cardHash(vocabulary.hash(id));
    cards[first + i] = (mark << 8) | cardWeight(row, start, shape, weights);
  }
}

/** The first term of the legal name's core, which comes before the legal forms; null if the name is nothing else. */
function firstTerm(
  row: Buffer,
  start: number,
  { formsFrom, formsTo }: DocumentSource['shape'],
): number | null {
  if (row[start + 4] === 0 || row[start + 6] === 0) return null;
  const id = uint24At(row, start + 7);
  return id >= formsFrom && id < formsTo ? null : id;
}
