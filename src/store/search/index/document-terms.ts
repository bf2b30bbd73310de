/** Reads rows of names, which build/write-documents.ts describes. */
import { uint24At, uint32At } from '../../../bytes/numbers-in-bytes.ts';
import { namesPerChunk, type SearchTables } from '../format.ts';
import type { TimeLimit } from '../time-limit.ts';

/** The row of a document's names, valid until something else is read. */
export function rowOfNames({ names }: Pick<SearchTables, 'names'>, document: number): Uint8Array {
  const length = names.read(Math.floor(document / namesPerChunk));
  if (length === 0) throw new Error(`The search index has no document ${document}.`);
  return names.bytes;
}

/** Where a document begins in its row. */
export function placeInRow(row: Uint8Array, document: number): number {
  return uint32At(row, (document % namesPerChunk) * 4);
}

/** With more documents than this, those before are forgotten. */
const rememberedMax = 256;

/** The terms of documents, remembered because each word of a question asks about the same ones. */
export class DocumentTerms {
  readonly #tables: Pick<SearchTables, 'names'>;
  readonly #timeLimit: TimeLimit;
  readonly #known = new Map<number, readonly number[]>();

  constructor(tables: Pick<SearchTables, 'names'>, timeLimit: TimeLimit) {
    this.#tables = tables;
    this.#timeLimit = timeLimit;
  }

  /** The ids of all terms of all names of a document. */
  of(document: number): readonly number[] {
    const known = this.#known.get(document);
    if (known !== undefined) return known;
    this.#timeLimit.smallStep();
    const terms = termsIn(rowOfNames(this.#tables, document), document);
    if (this.#known.size >= rememberedMax) this.#known.clear();
    this.#known.set(document, terms);
    return terms;
  }
}

function termsIn(row: Uint8Array, document: number): number[] {
  const start = placeInRow(row, document);
  const terms: number[] = [];
  let at = start + 5;
  for (let names = row[start + 4] ?? 0; names > 0; names--) {
    const end = at + 2 + (row[at + 1] ?? 0) * 3;
    for (let term = at + 2; term < end; term += 3) terms.push(uint24At(row, term));
    at = end;
  }
  return terms;
}
