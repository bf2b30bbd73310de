/** Changes lists of documents: writes only those rows of a long list in which documents are added or removed. */
import type { ChangedRows } from '../../row-file/changes.ts';
import { copyOfRow, type RowTable } from '../../row-file/rows.ts';
import { packedRows, rowsOf, rowsOfList } from '../build/write-postings.ts';
import { chunksPerRow, inlineDocumentsMax, listedDocumentsMax } from '../format.ts';
import type { Term } from '../index/term-blocks.ts';
import { ListReader } from '../sets/chunk-reader.ts';
import { withoutTimeLimit } from '../time-limit.ts';
import { changedRow, type ListChange, withChange } from './list-rows.ts';

export type TermDocuments = Pick<Term, 'frequency' | 'inline' | 'list'>;

export interface DocumentLists {
  /** All documents of a term, ascending. */
  read(term: TermDocuments): Uint32Array;
  /** Changes the list of a term. @returns where its documents are afterwards */
  change(term: TermDocuments, change: ListChange): TermDocuments;
  /** The next free row of the table of postings. */
  readonly next: number;
}

/** Reads all documents of a term, ascending. @param places how many numbers documents may have */
export function openListReader(postings: RowTable, places: number): DocumentLists['read'] {
  const reader = new ListReader({ postings }, places, withoutTimeLimit());
  return ({ frequency, inline, list }) => {
    const stored = { frequency, documents: inline, list, term: null };
    return reader.documentsOf(stored) ?? reader.readWhole(stored);
  };
}

/** @param next the next free row of the table; @param places how many numbers documents may have */
export function openLists(table: ChangedRows, next: number, places: number): DocumentLists {
  const read = openListReader(table, places);
  let free = next;
  const write = (documents: Uint32Array, list: number): TermDocuments => {
    const frequency = documents.length;
    if (frequency <= inlineDocumentsMax) return { frequency, inline: documents, list: 0 };
    for (const [key, row] of packedRows(list, documents, places)) table.put(key, row);
    return { frequency, inline: null, list };
  };
  const remove = ({ frequency, inline, list }: TermDocuments) => {
    if (inline !== null) return;
    const end = list + rowsOfList(frequency, places);
    for (let row = list; row < end; row++) table.remove(row);
  };
  const changeRows = (list: number, perRow: number, { added, removed }: ListChange) => {
    const more = new Map(rowsOf(added, perRow));
    const less = new Map(rowsOf(removed, perRow));
    for (const row of new Set([...more.keys(), ...less.keys()])) {
      const change = { added: more.get(row) ?? none, removed: less.get(row) ?? none };
      const after = changedRow(copyOfRow(table, list + row), change, row * perRow, perRow);
      if (after.length > 0) table.put(list + row, after);
      else table.remove(list + row);
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
