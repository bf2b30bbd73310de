/** Writes the facts about each document: its entity number, the terms of its names, its card. */

import { ByteWriter } from '../../../bytes/byte-writer.ts';
import type { NumberPieces } from '../../../bytes/number-pieces.ts';
import { append } from '../../../lmdb.ts';
import { cardsPerChunk, type IndexShape, namesPerChunk, weightsPerChunk } from '../format.ts';
import { cardHash, cardWeight } from '../index/cards.ts';
import type { Collection } from './collection.ts';
import type { SearchRows } from './rows.ts';

interface DocumentSource {
  readonly collection: Collection;
  /** One more than the company of each document; 0 if its number is free. */
  readonly order: Uint32Array;
  /** Provisional number of a term → id. */
  readonly ids: Uint32Array;
  readonly weights: Uint8Array;
  readonly shape: Pick<IndexShape, 'formsFrom' | 'formsTo'>;
}

/**
 * A chunk of names: where each document begins (uint32; 0 for none), then for each document its entity number (uint32),
 * the number of names, and for each name its kind, the number of its terms, and their ids in three bytes.
 */
export function writeNames(tables: SearchRows, source: DocumentSource): void {
  const { order } = source;
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
    append(tables.names, first / namesPerChunk, chunk.view());
  }
}

function writeCompany(chunk: ByteWriter, { collection, ids }: DocumentSource, company: number): void {
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

/** Packs one document as {@link writeNames} does. */
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

/** One byte per term. */
export function writeWeights(tables: SearchRows, weights: Uint8Array): void {
  for (let first = 0; first < weights.length; first += weightsPerChunk) {
    append(
      tables.weights,
      first / weightsPerChunk,
      Buffer.from(weights.subarray(first, first + weightsPerChunk)),
    );
  }
}

/**
 * A card: the weight of the legal name's core, and a hash of its first term. Each term counts once, because a question
 * for "Taylor" has all of Taylor & Taylor.
 */
export function writeCards(tables: SearchRows, source: DocumentSource): void {
  const { order } = source;
  const chunk = new ByteWriter();
  for (let first = 0; first < order.length; first += cardsPerChunk) {
    const end = Math.min(first + cardsPerChunk, order.length);
    chunk.clear();
    for (let document = first; document < end; document++) writeCard(chunk, source, order[document] ?? 0);
    append(tables.cards, first / cardsPerChunk, chunk.view());
  }
}

/** @param place one more than the company, 0 for none */
function writeCard(chunk: ByteWriter, source: DocumentSource, place: number): void {
  if (place === 0) {
    chunk.uint16(0);
    return;
  }
  const company = place - 1;
  const { sequence, starts, vocabulary } = source.collection;
  const { formsFrom, formsTo } = source.shape;
  const names = starts.at(company);
  const header = names + 1;
  const from = header + 1;
  const terms = sequence.at(names) === 0 ? 0 : sequence.at(header) & 0xffff;
  let weight = 0;
  let first = 0;
  for (let at = from; at < from + terms; at++) {
    const id = source.ids[sequence.at(at)] ?? 0;
    if ((id >= formsFrom && id < formsTo) || standsBefore(sequence, from, at)) continue;
    weight += source.weights[id] ?? 0;
    if (first === 0) first = cardHash(vocabulary.hash(sequence.at(at)));
  }
  chunk.byte(cardWeight(weight));
  chunk.byte(first);
}

/** Whether a name has the same term earlier. Names are short, so it reads the name again for each term. */
function standsBefore(sequence: NumberPieces, nameStart: number, at: number): boolean {
  const term = sequence.at(at);
  for (let before = nameStart; before < at; before++) if (sequence.at(before) === term) return true;
  return false;
}
