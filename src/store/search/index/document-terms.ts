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
  const terms: number[] = [];
  forEachName(row, document, (from, to) => {
    for (let term = from; term < to; term += 3) terms.push(uint24At(row, term));
  });
  return terms;
}

/** The ids of the terms of each name of a document, in their order. */
export function termsOfNames(row: Uint8Array, document: number): number[][] {
  const names: number[][] = [];
  forEachName(row, document, (from, to) => {
    names.push(Array.from({ length: (to - from) / 3 }, (_, term) => uint24At(row, from + term * 3)));
  });
  return names;
}

/** @param use receives where the terms of a name begin in the row, and where they end */
function forEachName(row: Uint8Array, document: number, use: (from: number, to: number) => void): void {
  const start = placeInRow(row, document);
  let at = start + 5;
  for (let names = row[start + 4] ?? 0; names > 0; names--) {
    const end = at + 2 + (row[at + 1] ?? 0) * 3;
    use(at + 2, end);
    at = end;
  }
}
