/** Looks up terms of the vocabulary: by text, by id, or by beginning. */
import { lowerBound } from '../../../bytes/binary-search.ts';
import { isForm } from '../../../lei/names/name-terms.ts';
import type { IndexShape, SearchTables } from '../format.ts';
import type { TimeLimit } from '../time-limit.ts';
import { newTermRows, openNewTerms, readNewTerm } from './new-terms.ts';
import { allOldTerms, openOldTerms } from './old-terms.ts';
import type { SpelledTerm, Term } from './term-blocks.ts';

export interface TermReader {
  /** Null if no name has it. */
  find(text: string): Term | null;
  byId(id: number): Term;
  /** The same for several ids, in order of the ids; terms that stand close to each other are read together. */
  byIds(ids: Iterable<number>): Term[];
  textOf(id: number): string;
  /** The ids of old terms that begin with the prefix: from the first number to below the second. */
  range(prefix: string): readonly [number, number];
  /** The first terms that begin with the prefix, in alphabetical order. */
  beginning(prefix: string, max: number): Term[];
  /** Whether a new term begins with the prefix. */
  newBegins(id: number, prefix: string): boolean;
  /** Alphabetical order of two ids. */
  compare(a: number, b: number): number;
  /** Ids of the most frequent terms that begin with the prefix; null where only few terms do. */
  completions(prefix: string): Uint32Array | null;
}

/** All terms, those that no name has any more included: those of the build in alphabetical order, and then the new ones. */
export function* allTerms(tables: SearchTables, shape: IndexShape): Generator<SpelledTerm> {
  yield* allOldTerms(tables, shape);
  for (const [text, row] of newTermRows(tables)) yield { text, term: readNewTerm(text, row) };
}

export function openTermReader(tables: SearchTables, shape: IndexShape, timeLimit: TimeLimit): TermReader {
  const old = openOldTerms(tables, shape, timeLimit);
  const added = openNewTerms(tables, shape, timeLimit);
  const textOf = (id: number) => (id < shape.terms ? old : added).textOf(id);
  const find = (text: string): Term | null => {
    const term = old.find(text) ?? added.find(text);
    return term === null || term.frequency === 0 ? null : term;
  };
  // An index has only a few hundred legal forms, and every word of a question is also looked up as one.
  const forms = new Map<string, Term>();
  for (let id = shape.formsFrom; id < shape.formsTo; id++) {
    const term = old.byId(id);
    if (term.frequency > 0) forms.set(old.textOf(id), term);
  }
  return {
    find: (text) => (isForm(text) ? (forms.get(text) ?? null) : find(text)),
    byId: (id) => (id < shape.terms ? old : added).byId(id),
    byIds: (ids) => {
      const ascending = Uint32Array.from(ids).sort();
      const oldEnd = lowerBound(ascending, shape.terms);
      const ofNew = Array.from(ascending.subarray(oldEnd), (id) => added.byId(id));
      return [...old.byIds(ascending.subarray(0, oldEnd)), ...ofNew];
    },
    textOf,
    range: old.range,
    beginning: (prefix, max) => {
      const more = added.beginning(prefix, max);
      const all = old.beginning(prefix, max);
      if (more.length > 0) all.push(...more);
      if (more.length > 0) all.sort((a, b) => (a.text < b.text ? -1 : 1));
      return all.slice(0, max).map(({ term }) => term);
    },
    newBegins: (id, prefix) => added.textOf(id).startsWith(prefix),
    compare: (a, b) => {
      if (a < shape.terms && b < shape.terms) return a - b;
      return textOf(a) < textOf(b) ? -1 : 1;
    },
    completions: (prefix) => {
      const bytes = tables.completions.getBinary(Buffer.from(prefix, 'utf16le'));
      if (bytes === undefined) return null;
      return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32LE(i * 4));
    },
  };
}
