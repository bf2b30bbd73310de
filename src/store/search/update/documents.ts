/** Writes names and cards of the documents whose company has been replaced or has changed. */
import { ByteWriter } from '../../../bytes/byte-writer.ts';
import { uint32At } from '../../../bytes/numbers-in-bytes.ts';
import type { ChangedRows } from '../../row-file/changes.ts';
import { copyOfRow } from '../../row-file/rows.ts';
import { packDocument } from '../build/write-documents.ts';
import { type IndexShape, namesPerChunk, type SearchTables } from '../format.ts';
import { cardWeight, openCards } from '../index/cards.ts';
import { changeColumn } from '../index/column.ts';
import { openNewTerms } from '../index/new-terms.ts';
import { openOldTerms } from '../index/old-terms.ts';
import { withoutTimeLimit } from '../time-limit.ts';
import type { IndexedCompany } from './company.ts';
import type { DocumentLists } from './lists.ts';
import type { WeightChanges } from './weights.ts';

/** Companies to be written, by document; null if a document has become free. */
export type ChangedDocuments = ReadonlyMap<number, IndexedCompany | null>;

const row = new ByteWriter();

/** @param idOf id of a term */
export function writeChangedNames(
  table: ChangedRows,
  changed: ChangedDocuments,
  idOf: (term: string) => number,
): void {
  const chunks = new Set(Array.from(changed.keys(), (document) => Math.floor(document / namesPerChunk)));
  for (const chunk of Uint32Array.from(chunks).sort()) {
    const before = copyOfRow(table, chunk);
    if (before === null) throw new Error(`The search index has no names ${chunk}.`);
    row.clear();
    for (let i = 0; i < namesPerChunk; i++) row.uint32(0);
    let kept = 0;
    for (let i = 0; i < namesPerChunk; i++) {
      const company = changed.get(chunk * namesPerChunk + i);
      if (company === undefined) continue;
      copyDocuments(before, kept, i);
      kept = i + 1;
      if (company === null) continue;
      row.setUint32(i * 4, row.length);
      packDocument(row, company.entity, idsOf(company, idOf));
    }
    copyDocuments(before, kept, namesPerChunk);
    table.put(chunk, row.view());
  }
}

function idsOf({ names }: IndexedCompany, idOf: (term: string) => number) {
  return names.map(({ kind, terms }) => ({ kind, ids: terms.map(idOf) }));
}

/** Appends the documents of a chunk from `from` up to `to` (exclusive) as they are. */
function copyDocuments(chunk: Uint8Array, from: number, to: number): void {
  const start = startFrom(chunk, from);
  const moved = row.length - start;
  for (let i = from; i < to; i++) {
    const at = uint32At(chunk, i * 4);
    if (at > 0) row.setUint32(i * 4, at + moved);
  }
  row.append(chunk.subarray(start, startFrom(chunk, to)));
}

/** Returns the position of the first document from `index` on; the end of the chunk if there is none. */
function startFrom(chunk: Uint8Array, index: number): number {
  for (let i = index; i < namesPerChunk; i++) {
    const start = uint32At(chunk, i * 4);
    if (start > 0) return start;
  }
  return chunk.length;
}

/** Cards of the changed documents, and of those that have a term with another weight. */
export function writeChangedCards(
  tables: SearchTables,
  shape: IndexShape,
  lists: DocumentLists,
  changed: ChangedDocuments,
  reweighed: WeightChanges,
): void {
  const before = openCards(tables, shape.places)();
  const after = before.slice();
  for (const [document, company] of changed) after[document] = (company?.cardMark ?? 0) << 8;
  const marked = documentsOf(tables, shape, lists, reweighed);
  for (const document of changed.keys()) marked[document] = 1;
  reweigh(tables, shape, marked, after, reweighed.weights);
  changeColumn(tables.cards, before, after);
}

/** Marks the documents that have a term with another weight. */
function documentsOf(
  tables: SearchTables,
  shape: IndexShape,
  lists: DocumentLists,
  { changed }: WeightChanges,
): Uint8Array {
  const marked = new Uint8Array(shape.places);
  const old = openOldTerms(tables, shape, withoutTimeLimit());
  const added = openNewTerms(tables, shape, withoutTimeLimit());
  let left = shape.places;
  for (const id of changed) {
    const term = (id < shape.terms ? old : added).byId(id);
    left -= term.frequency;
    // Mark all documents once the terms together have more than there are.
    if (left < 0) return marked.fill(1);
    for (const document of lists.read(term)) marked[document] = 1;
  }
  return marked;
}

/** Adds up the weights of the legal names of the marked documents. */
function reweigh(
  { names }: SearchTables,
  shape: IndexShape,
  marked: Uint8Array,
  cards: Uint16Array,
  weights: Uint8Array,
): void {
  for (let chunk = 0; chunk * namesPerChunk < marked.length; chunk++) {
    const first = chunk * namesPerChunk;
    if (!marked.subarray(first, first + namesPerChunk).includes(1)) continue;
    if (names.read(chunk) === 0) throw new Error(`The search index has no names ${chunk}.`);
    const { bytes } = names;
    for (let i = 0; i < namesPerChunk; i++) {
      const start = uint32At(bytes, i * 4);
      if (start === 0 || marked[first + i] !== 1) continue;
      const weight = cardWeight(bytes, start, shape, weights);
      cards[first + i] = ((cards[first + i] ?? 0) & 0xff00) | weight;
    }
  }
}
