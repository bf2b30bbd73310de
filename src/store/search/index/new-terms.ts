/**
 * Reads the terms that deltas brought after the index was built. Each is a row under its text, in alphabetical order:
 * its id (three bytes), its frequency, and then either its documents with their length in bytes, or the number of its
 * list.
 */
import { firstNotBefore } from '../../../bytes/binary-search.ts';
import { hashText } from '../../../bytes/hash.ts';
import { readVarint, uint24At } from '../../../bytes/numbers-in-bytes.ts';
import { type IndexShape, inlineDocumentsMax, type SearchTables } from '../format.ts';
import { readDeltas } from '../sets/document-list.ts';
import type { TimeLimit } from '../time-limit.ts';
import type { SpelledTerm, Term } from './term-blocks.ts';

/** Bytes that sort like the UTF-16 units of the text. */
export function keyOfTerm(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

/** The rows of all new terms by text, in alphabetical order. */
export function* newTermRows({
  newTerms,
}: Pick<SearchTables, 'newTerms'>): Generator<[text: string, row: Buffer]> {
  for (const { key, value } of newTerms.getRange({})) {
    if (Buffer.isBuffer(key)) yield [Buffer.from(key).swap16().toString('utf16le'), value];
  }
}

interface NewTerms {
  find(text: string): Term | null;
  byId(id: number): Term;
  textOf(id: number): string;
  /** The first terms that some name has and that begin with the prefix, in alphabetical order. */
  beginning(prefix: string, max: number): SpelledTerm[];
}

/** The texts of all new terms. */
interface TermTexts {
  readonly known: ReadonlySet<string>;
  /** In alphabetical order. */
  readonly sorted: readonly string[];
  readonly byId: ReadonlyMap<number, string>;
}

/** Kept in memory from the first use on: most words looked up are not new terms, and memory is cheaper than a read. */
function readTexts(tables: Pick<SearchTables, 'newTerms'>): TermTexts {
  const sorted: string[] = [];
  const byId = new Map<number, string>();
  for (const [text, row] of newTermRows(tables)) {
    sorted.push(text);
    byId.set(uint24At(row, 0), text);
  }
  return { known: new Set(sorted), sorted, byId };
}

export function openNewTerms(
  tables: Pick<SearchTables, 'newTerms'>,
  { newTerms }: Pick<IndexShape, 'newTerms'>,
  timeLimit: TimeLimit,
): NewTerms {
  let texts: TermTexts | null = null;
  const all = () => {
    texts ??= readTexts(tables);
    return texts;
  };
  const find = (text: string): Term | null => {
    if (newTerms === 0 || !all().known.has(text)) return null;
    timeLimit.smallStep();
    const row = tables.newTerms.getBinaryFast(keyOfTerm(text));
    return row === undefined ? null : readNewTerm(text, row);
  };
  const textOf = (id: number): string => {
    const text = all().byId.get(id);
    if (text === undefined) throw new Error(`The search index has no term ${id}.`);
    return text;
  };
  return {
    find,
    byId: (id) => {
      const term = find(textOf(id));
      if (term === null) throw new Error(`The search index has no row of its term ${id}.`);
      return term;
    },
    textOf,
    beginning: (prefix, max) => {
      if (newTerms === 0) return [];
      const { sorted } = all();
      const terms: SpelledTerm[] = [];
      const first = firstNotBefore(0, sorted.length, (place) => (sorted[place] ?? '') < prefix);
      for (let place = first; terms.length < max; place++) {
        const text = sorted[place];
        if (text === undefined || !text.startsWith(prefix)) break;
        const term = find(text);
        if (term !== null && term.frequency > 0) terms.push({ text, term });
      }
      return terms;
    },
  };
}

export function readNewTerm(text: string, row: Uint8Array): Term {
  const id = uint24At(row, 0);
  const cursor = { bytes: row, at: 3 };
  const frequency = readVarint(cursor);
  const payload = readVarint(cursor);
  const hash = hashText(text, 0);
  if (frequency > inlineDocumentsMax) return { id, hash, frequency, inline: null, list: payload };
  return { id, hash, frequency, inline: readDeltas(row, cursor.at, frequency), list: 0 };
}
