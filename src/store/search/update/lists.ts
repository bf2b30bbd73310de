/** Changes lists of documents: writes only those rows of a long list in which documents are added or removed. */
import { lowerBound } from '../../../bytes/binary-search.ts';
import { packRow, packShortList, rowsOfList } from '../build/write-postings.ts';
import {
  chunkDocuments,
  chunksPerRow,
  inlineDocumentsMax,
  listedDocumentsMax,
  type SearchTables,
} from '../format.ts';
import { readDeltas } from '../index/deltas.ts';
import type { Term } from '../index/term-blocks.ts';
import { ChunkReader } from '../sets/chunk-reader.ts';
import type { DocumentList } from '../sets/document-list.ts';
import { withoutTimeLimit } from '../time-limit.ts';
import { changedRow, type ListChange, withChange } from './list-rows.ts';

export type TermDocuments = Pick<Term, 'frequency' | 'inline' | 'list'>;

export interface Lists {
  /** All documents of a term, ascending. */
  read(term: TermDocuments): Uint32Array;
  /** Changes the list of a term. @returns where its documents are afterwards */
  change(term: TermDocuments, change: ListChange): TermDocuments;
  /** The next free row of the table of postings. */
  readonly next: number;
}

/** @param next the next free row of the table; @param places how many numbers documents may have */
export function openLists(table: SearchTables['postings'], next: number, places: number): Lists {
  const reader = new ChunkReader({ postings: table }, places, withoutTimeLimit());
  let free = next;
  const read = ({ frequency, inline, list }: TermDocuments): Uint32Array => {
    if (inline !== null) return inline;
    if (frequency > listedDocumentsMax) return readLong(reader, { frequency, documents: null, list }, places);
    const row = table.getBinary(list);
    if (row === undefined) throw new Error(`The search index has no list ${list}.`);
    return readDeltas(row, 0, frequency);
  };
  const write = (documents: Uint32Array, list: number): TermDocuments => {
    const frequency = documents.length;
    if (frequency <= inlineDocumentsMax) return { frequency, inline: documents, list: 0 };
    if (frequency <= listedDocumentsMax) table.putSync(list, packShortList(documents));
    else {
      const perRow = chunksPerRow(frequency, places);
      for (const [row, part] of rowsOf(documents, perRow))
        table.putSync(list + row, packRow(part, row, perRow));
    }
    return { frequency, inline: null, list };
  };
  const remove = ({ frequency, inline, list }: TermDocuments) => {
    if (inline !== null) return;
    const end = list + rowsOfList(frequency, places);
    for (let row = list; row < end; row++) table.removeSync(row);
  };
  const changeRows = (list: number, perRow: number, { added, removed }: ListChange) => {
    const more = new Map(rowsOf(added, perRow));
    const less = new Map(rowsOf(removed, perRow));
    for (const row of new Set([...more.keys(), ...less.keys()])) {
      const change = { added: more.get(row) ?? none, removed: less.get(row) ?? none };
      const after = changedRow(table.getBinary(list + row), change, row * perRow, perRow);
      if (after.length > 0) table.putSync(list + row, after);
      else table.removeSync(list + row);
    }
  };
  return {
    read,
    change(term, change) {
      const frequency = term.frequency + change.added.length - change.removed.length;
      if (isLaidOutAlike(term.frequency, frequency, places)) {
        changeRows(term.list, chunksPerRow(frequency, places), change);
        return { frequency, inline: null, list: term.list };
      }
      const documents = withChange(read(term), change);
      const short = Math.max(term.frequency, frequency) <= listedDocumentsMax;
      if (short && term.inline === null && frequency > inlineDocumentsMax) return write(documents, term.list);
      remove(term);
      const list = free;
      if (frequency > inlineDocumentsMax) free += rowsOfList(frequency, places);
      return write(documents, list);
    },
    get next() {
      return free;
    },
  };
}

const none = new Uint32Array(0);

/** Whether a long list keeps the same division into rows. */
function isLaidOutAlike(before: number, after: number, places: number): boolean {
  return (
    Math.min(before, after) > listedDocumentsMax &&
    chunksPerRow(before, places) === chunksPerRow(after, places)
  );
}

function readLong(reader: ChunkReader, list: DocumentList, places: number): Uint32Array {
  const all = new Uint32Array(list.frequency);
  reader.open(list);
  let length = 0;
  for (let chunk = 0; chunk * chunkDocuments < places; chunk++) {
    reader.enter(chunk);
    length = reader.appendTo(all, length, chunk);
  }
  return all;
}

/** Splits documents (ascending) into those of each row. */
function* rowsOf(documents: Uint32Array, perRow: number): Generator<[row: number, documents: Uint32Array]> {
  for (let from = 0; from < documents.length; ) {
    const row = Math.floor((documents[from] ?? 0) / chunkDocuments / perRow);
    const to = lowerBound(documents, (row + 1) * perRow * chunkDocuments, from);
    yield [row, documents.subarray(from, to)];
    from = to;
  }
}
