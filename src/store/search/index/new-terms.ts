/**
 * The terms that deltas brought after the index was built. Each is a row under its text, in order of the alphabet: its id
 * (three bytes), its frequency, and then either its documents with their length in bytes, or the number of its list.
 */
import { hashText } from '../../../bytes/hash.ts';
import { uint24At } from '../../../bytes/numbers-in-bytes.ts';
import { readVarint } from '../../../bytes/varint.ts';
import { type IndexShape, inlineDocumentsMax, type SearchTables } from '../format.ts';
import type { TimeLimit } from '../time-limit.ts';
import { readDeltas } from './deltas.ts';
import type { SpelledTerm, Term } from './term-blocks.ts';

/** Bytes that sort as the UTF-16 units of the text do. */
export function keyOfTerm(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

export function textOfKey(key: Uint8Array): string {
  return Buffer.from(key).swap16().toString('utf16le');
}

export interface NewTerms {
  find(text: string): Term | null;
  byId(id: number): Term;
  textOf(id: number): string;
  /** The first terms that some name has and that begin with the prefix, in order of the alphabet. */
  beginning(prefix: string, max: number): SpelledTerm[];
}

export function openNewTerms(
  tables: Pick<SearchTables, 'newTerms' | 'newTexts'>,
  { newTerms }: Pick<IndexShape, 'newTerms'>,
  timeLimit: TimeLimit,
): NewTerms {
  const find = (text: string): Term | null => {
    if (newTerms === 0) return null;
    timeLimit.smallStep();
    const row = tables.newTerms.getBinaryFast(keyOfTerm(text));
    return row === undefined ? null : readNewTerm(text, row);
  };
  const textOf = (id: number): string => {
    timeLimit.smallStep();
    const row = tables.newTexts.getBinaryFast(id);
    if (row === undefined) throw new Error(`The search index has no term ${id}.`);
    return textOfKey(row.subarray(0, row.length));
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
      const range = { start: keyOfTerm(prefix), end: keyOfTerm(`${prefix}\uffff`) };
      const terms: SpelledTerm[] = [];
      for (const { key, value } of tables.newTerms.getRange(range)) {
        if (!Buffer.isBuffer(key)) continue;
        const text = textOfKey(key);
        const term = readNewTerm(text, value);
        if (term.frequency > 0) terms.push({ text, term });
        if (terms.length === max) break;
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
