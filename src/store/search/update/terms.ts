/** Changes the vocabulary: the documents of each term that companies gained or lost, and new terms. */
import { ByteWriter } from '../../../bytes/byte-writer.ts';
import { isForm } from '../../../lei/names/name-terms.ts';
import { copyOfRow } from '../../row-file/rows.ts';
import { packDocuments } from '../build/write-terms.ts';
import { type IndexShape, termsPerBlock } from '../format.ts';
import { keyOfTerm, openNewTerms } from '../index/new-terms.ts';
import { openOldTerms } from '../index/old-terms.ts';
import { passDocuments, passText, type Term } from '../index/term-blocks.ts';
import { withoutTimeLimit } from '../time-limit.ts';
import type { ChangedTables } from './changed-tables.ts';
import type { ListChange } from './list-rows.ts';
import type { DocumentLists, TermDocuments } from './lists.ts';

/** A term whose number of documents changed. */
export interface ChangedTerm {
  readonly text: string;
  readonly id: number;
  readonly before: number;
  readonly after: number;
}

interface PendingTerm {
  readonly id: number;
  /** Null for a new term. */
  readonly term: Term | null;
  readonly added: number[];
  readonly removed: number[];
}

export class TermChanges {
  private readonly tables: ChangedTables;
  private readonly shape: IndexShape;
  private readonly pending = new Map<string, PendingTerm>();
  private readonly find: (text: string) => Term | null;
  private newTerms: number;
  /** Whether a legal form was added that no name had when the index was built: forms need consecutive numbers. */
  newForm = false;

  constructor(tables: ChangedTables, shape: IndexShape) {
    this.tables = tables;
    this.shape = shape;
    this.newTerms = shape.newTerms;
    const old = openOldTerms(tables, shape, withoutTimeLimit());
    const added = openNewTerms(tables, shape, withoutTimeLimit());
    this.find = (text) => old.find(text) ?? added.find(text);
  }

  /** How many terms there are in addition to those of the build. */
  get newCount(): number {
    return this.newTerms;
  }

  /** The id of a term; a new one gets the next. */
  idOf(text: string): number {
    return this.of(text).id;
  }

  add(text: string, document: number): void {
    this.of(text).added.push(document);
  }

  remove(text: string, document: number): void {
    this.of(text).removed.push(document);
  }

  private of(text: string): PendingTerm {
    const known = this.pending.get(text);
    if (known !== undefined) return known;
    const term = this.find(text);
    if (term === null && isForm(text)) this.newForm = true;
    const id = term?.id ?? this.shape.terms + this.newTerms++;
    const pending = { id, term, added: [], removed: [] };
    this.pending.set(text, pending);
    return pending;
  }

  /** Writes all changes. @returns the terms whose number of documents changed */
  write(lists: DocumentLists): ChangedTerm[] {
    const changed: ChangedTerm[] = [];
    const blocks = new Map<number, Map<number, TermDocuments>>();
    for (const [text, pending] of this.pending) {
      const { id, term } = pending;
      if (pending.added.length === 0 && pending.removed.length === 0) continue;
      const change = listChange(pending);
      const before = term ?? { frequency: 0, inline: new Uint32Array(0), list: 0 };
      const documents = lists.change(before, change);
      if (documents.frequency !== before.frequency) {
        changed.push({ text, id, before: before.frequency, after: documents.frequency });
      }
      if (id >= this.shape.terms) this.writeNew(text, id, documents);
      else noteIn(blocks, id, documents);
    }
    for (const [block, terms] of [...blocks].sort(([a], [b]) => a - b)) this.writeBlock(block, terms);
    return changed;
  }

  private writeNew(text: string, id: number, documents: TermDocuments): void {
    row.clear();
    row.uint24(id);
    packDocuments(row, documents);
    this.tables.newTerms.putSync(keyOfTerm(text), row.view());
  }

  private writeBlock(block: number, changes: ReadonlyMap<number, TermDocuments>): void {
    const { terms } = this.tables;
    const bytes = copyOfRow(terms, block);
    if (bytes === null) throw new Error(`The search index has no terms ${block}.`);
    terms.put(block, packBlockAnew(bytes, block * termsPerBlock, changes));
  }
}

/** A block with other documents of some terms; all else is copied as bytes. @param first id of its first term */
function packBlockAnew(
  block: Uint8Array,
  first: number,
  changes: ReadonlyMap<number, TermDocuments>,
): Buffer {
  row.clear();
  const cursor = { bytes: block, at: 0 };
  let copied = 0;
  for (let id = first; cursor.at < block.length; id++) {
    passText(cursor);
    const end = cursor.at;
    passDocuments(cursor);
    const documents = changes.get(id);
    if (documents === undefined) continue;
    row.append(block.subarray(copied, end));
    packDocuments(row, documents);
    copied = cursor.at;
  }
  row.append(block.subarray(copied));
  return row.view();
}

const row = new ByteWriter();

function listChange({ added, removed }: PendingTerm): ListChange {
  return { added: Uint32Array.from(added).sort(), removed: Uint32Array.from(removed).sort() };
}

function noteIn(blocks: Map<number, Map<number, TermDocuments>>, id: number, documents: TermDocuments): void {
  const block = Math.floor(id / termsPerBlock);
  const known = blocks.get(block) ?? new Map<number, TermDocuments>();
  blocks.set(block, known.set(id, documents));
}
