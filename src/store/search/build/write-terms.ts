/** Writes the vocabulary: blocks of front-coded terms with their postings, and the most frequent completions. */

import { firstNotBefore } from '../../../bytes/binary-search.ts';
import { ByteWriter } from '../../../bytes/byte-writer.ts';
import { append } from '../../../lmdb.ts';
import { filterMark, inlineDocumentsMax, termsPerBlock } from '../format.ts';
import type { Term } from '../index/term-blocks.ts';
import { searchLimits } from '../limits.ts';
import { writeDeltas } from '../sets/document-list.ts';
import type { Postings } from './gather-postings.ts';
import type { SearchRows } from './rows.ts';
import type { Vocabulary } from './vocabulary.ts';
import { appendList, rowsOfList } from './write-postings.ts';

const block = new ByteWriter();
const inline = new ByteWriter();

/**
 * A term in a block: the units that it shares with the one before, its own units (top bit set: two bytes each), the
 * units, its frequency, and then either its documents with their length in bytes, or the number of its list.
 * @param places how many document numbers the index has
 * @returns how many rows the lists take
 */
export function writeTerms(
  tables: SearchRows,
  vocabulary: Vocabulary,
  postings: Postings,
  places: number,
): number {
  const top = new ByteWriter();
  let list = 0;
  for (let first = 0; first < vocabulary.size; first += termsPerBlock) {
    block.clear();
    let before = '';
    const end = Math.min(first + termsPerBlock, vocabulary.size);
    for (let id = first; id < end; id++) {
      const term = vocabulary.text(id);
      writeFrontCoded(block, before, term);
      before = term;
      const of = postings.documents.subarray(postings.starts[id] ?? 0, postings.starts[id + 1] ?? 0);
      if (of.length <= inlineDocumentsMax) {
        packDocuments(block, { frequency: of.length, inline: of, list: 0 });
      } else {
        packDocuments(block, { frequency: of.length, inline: null, list });
        appendList(tables.postings, list, of, places);
        list += rowsOfList(of.length, places);
      }
    }
    append(tables.terms, first / termsPerBlock, block.view());
    writeTop(top, vocabulary.text(first));
  }
  append(tables.top, 0, top.view());
  return list;
}

/** Packs the number of a term's documents, and either the documents or the number of their list. */
export function packDocuments(
  row: ByteWriter,
  { frequency, inline: documents, list }: Pick<Term, 'frequency' | 'inline' | 'list'>,
): void {
  row.varint(frequency);
  if (documents === null) {
    row.varint(list);
    return;
  }
  inline.clear();
  writeDeltas(inline, documents);
  row.byte(inline.length);
  row.append(inline.view());
}

function writeTop(top: ByteWriter, term: string): void {
  top.byte(term.length);
  for (let i = 0; i < term.length; i++) top.uint16(term.charCodeAt(i));
}

function writeFrontCoded(writer: ByteWriter, before: string, term: string): void {
  const shared = sharedUnits(before, term);
  let wide = false;
  for (let i = shared; i < term.length; i++) wide ||= term.charCodeAt(i) > 255;
  writer.byte(shared);
  writer.byte((term.length - shared) | (wide ? 128 : 0));
  for (let i = shared; i < term.length; i++) {
    if (wide) writer.uint16(term.charCodeAt(i));
    else writer.byte(term.charCodeAt(i));
  }
}

/**
 * Stores the most frequent terms of every beginning that has too many terms for one question to read. Equally frequent
 * terms are in alphabetical order.
 */
export function writeCompletions(tables: SearchRows, vocabulary: Vocabulary, frequencies: Uint32Array): void {
  const rows: { prefix: Buffer; ids: Uint32Array }[] = [];
  // For each length, the first id of the run of terms with the same beginning.
  const firsts = new Uint32Array(searchLimits.storedPrefixUnitsMax + 1);
  let before = '';
  for (let id = 0; id <= vocabulary.size; id++) {
    const term = id < vocabulary.size ? vocabulary.text(id) : '';
    const shared = sharedUnits(before, term);
    for (let units = shared + 1; units <= searchLimits.storedPrefixUnitsMax; units++) {
      const first = firsts[units] ?? 0;
      firsts[units] = id;
      if (id - first <= searchLimits.completionsMax || before.length < units || before.startsWith(filterMark))
        continue;
      const prefix = Buffer.from(before.slice(0, units), 'utf16le');
      rows.push({ prefix, ids: Uint32Array.from(mostFrequent(first, id, frequencies)).sort() });
    }
    before = term;
  }
  rows.sort((a, b) => Buffer.compare(a.prefix, b.prefix));
  for (const { prefix, ids } of rows) append(tables.completions, prefix, Buffer.from(ids.buffer));
}

function sharedUnits(a: string, b: string): number {
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared++;
  return shared;
}

/** Ids of the most frequent of the terms from id `from` up to `to` (exclusive), the most frequent first. */
export function mostFrequent(from: number, to: number, frequencies: Uint32Array): number[] {
  const best: number[] = [];
  let least = 0;
  for (let id = from; id < to; id++) {
    const frequency = frequencies[id] ?? 0;
    if (frequency <= least) continue;
    const place = firstNotBefore(0, best.length, (at) => (frequencies[best[at] ?? 0] ?? 0) >= frequency);
    best.splice(place, 0, id);
    if (best.length > searchLimits.storedCompletionsMax) best.pop();
    if (best.length === searchLimits.storedCompletionsMax) least = frequencies[best.at(-1) ?? 0] ?? 0;
  }
  return best;
}
