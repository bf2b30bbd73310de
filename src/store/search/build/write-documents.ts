/** Writes the facts about each document: its entity number, the terms of its names, its card. */

import { ByteWriter } from '../../../bytes/byte-writer.ts';
import type { NumberPieces } from '../../../bytes/number-pieces.ts';
import { append } from '../../../lmdb.ts';
import { cardsPerChunk, type IndexShape, namesPerChunk } from '../format.ts';
import { cardHash, cardWeightUnit } from '../index/cards.ts';
import { gradesMax } from '../score/grades.ts';
import type { Collection } from './collection.ts';
import type { SearchRows } from './rows.ts';

export interface DocumentSource {
  readonly collection: Collection;
  /** Document → company. */
  readonly order: Uint32Array;
  /** Provisional number of a term → id. */
  readonly ids: Uint32Array;
  readonly weights: Uint8Array;
  readonly shape: Pick<IndexShape, 'formsFrom' | 'formsTo'>;
}

/**
 * A chunk of names: the start of each document (uint32), then for each document its entity number (uint32), its count of
 * names, and for each name its kind, its count of terms, and their ids in three bytes each.
 */
export function writeNames(tables: SearchRows, { collection, order, ids }: DocumentSource): void {
  const { sequence, starts, entities } = collection;
  const chunk = new ByteWriter();
  for (let first = 0; first < order.length; first += namesPerChunk) {
    const end = Math.min(first + namesPerChunk, order.length);
    chunk.clear();
    for (let document = first; document < end; document++) chunk.uint32(0);
    for (let document = first; document < end; document++) {
      chunk.setUint32((document - first) * 4, chunk.length);
      const company = order[document] ?? 0;
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
    append(tables.names, first / namesPerChunk, chunk.view());
  }
}

/**
 * A card: the weight of the legal name's core, and a hash of its first term. Each term counts once, since a question for
 * "Taylor" has all of Taylor & Taylor.
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

function writeCard(chunk: ByteWriter, source: DocumentSource, company: number): void {
  const { sequence, starts } = source.collection;
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
    if (first === 0) first = cardHash(id);
  }
  chunk.byte(Math.min(255, Math.round(weight / cardWeightUnit)));
  chunk.byte(first);
}

/** Whether a name has the same term earlier. Names are short, so it reads the name again for each term. */
function standsBefore(sequence: NumberPieces, nameStart: number, at: number): boolean {
  const term = sequence.at(at);
  for (let before = nameStart; before < at; before++) if (sequence.at(before) === term) return true;
  return false;
}

/** For each grade from the best, the first document of it or of a worse one. */
export function gradeStarts(collection: Collection, order: Uint32Array): number[] {
  const starts: number[] = [];
  let document = 0;
  for (let grade = gradesMax - 1; grade >= 0; grade--) {
    while (document < order.length && collection.grades.at(order[document] ?? 0) > grade) document++;
    starts.push(document);
  }
  return starts;
}
