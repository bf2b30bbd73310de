/** Hands over all companies of a search, or all that have words in their names, as entities. */
import { uint24At, uint32At } from '../../bytes/numbers-in-bytes.ts';
import { formMark, initialsMark, isForm, nameTerms } from '../../lei/names/name-terms.ts';
import type { Steps } from '../steps.ts';
import { namesPerChunk } from './format.ts';
import { placeInRow, rowOfNames } from './index/document-terms.ts';
import { findKey } from './index/keys.ts';
import type { IndexParts } from './parts.ts';
import { gradeOfDocument } from './score/score.ts';
import type { RankedEntity, TimedOut } from './search-reader.ts';
import type { Union } from './sets/document-list.ts';
import { inTime } from './time-limit.ts';

/** Documents whose entities are read in one step: some 100 microseconds of work. */
const documentsPerStep = 500;

/** Reads rows of names. Documents in order, of which 32 share a row, read each row once. */
class NameRows {
  readonly #tables: IndexParts['tables'];
  #number = -1;
  #row: Uint8Array = new Uint8Array(0);

  constructor({ tables }: IndexParts) {
    this.#tables = tables;
  }

  /** Forgets the row: others have read since. */
  forget(): void {
    this.#number = -1;
  }

  /** The row of a document's names, valid until others read. */
  rowOf(document: number): Uint8Array {
    const number = Math.floor(document / namesPerChunk);
    if (number === this.#number) return this.#row;
    this.#number = number;
    this.#row = rowOfNames(this.#tables, document);
    return this.#row;
  }
}

/** The entities of documents, in their order. */
export function* entitiesOf(parts: IndexParts, documents: Uint32Array): Steps<Uint32Array> {
  const rows = new NameRows(parts);
  const entities = new Uint32Array(documents.length);
  for (let i = 0; i < documents.length; i++) {
    if (i % documentsPerStep === documentsPerStep - 1) {
      yield;
      rows.forget();
    }
    const document = documents[i] ?? 0;
    const row = rows.rowOf(document);
    entities[i] = uint32At(row, placeInRow(row, document));
  }
  return entities;
}

/** The companies with these initials of a name, in lower case, at most `max`: by rank, the best first. */
export function entitiesWithInitials(
  parts: IndexParts,
  letters: string,
  max: number,
): readonly RankedEntity[] {
  const { tables, shape, timeLimit } = parts;
  timeLimit.begin();
  const found = findKey(tables, shape.keyBuckets, 'name', initialsMark + letters, max);
  const rows = new NameRows(parts);
  return found.map(({ document }) => {
    const row = rows.rowOf(document);
    return { entity: uint32At(row, placeInRow(row, document)), grade: gradeOfDocument(shape, document) };
  });
}

/**
 * The entities of companies that have all words of a text in their legal name, or in all their names together; null if
 * the text has no word.
 */
export function* entitiesWithWords(
  parts: IndexParts,
  text: string,
  of: 'legalName' | 'names',
): Steps<Uint32Array | TimedOut | null> {
  const terms = [...new Set(nameTerms(text))];
  if (terms.length === 0) return null;
  const found = inTime(parts.timeLimit, () => {
    const words = terms.map((term) => meaningsOf(parts, term));
    const unions = words.map((meanings): Union => meanings.map((term) => parts.sets.listOf(term)));
    return { words, documents: parts.sets.intersect(unions, 0, Number.POSITIVE_INFINITY).documents };
  });
  if ('outcome' in found) return found;
  const { words, documents } = found;
  if (of === 'names') return yield* entitiesOf(parts, documents);
  const ids = words.map((terms) => terms.map(({ id }) => id));
  return yield* entitiesOf(parts, yield* withLegalName(parts, documents, ids));
}

/** A word may be a term of its own and a legal form: "limited", "as". */
function meaningsOf({ terms }: IndexParts, word: string) {
  const plain = isForm(word) ? word.slice(formMark.length) : word;
  return [plain, formMark + plain].flatMap((spelling) => terms.find(spelling) ?? []);
}

/** The documents whose legal name, the first of their names, has a term of each word. */
function* withLegalName(
  parts: IndexParts,
  documents: Uint32Array,
  words: readonly (readonly number[])[],
): Steps<Uint32Array> {
  const rows = new NameRows(parts);
  const kept = new Uint32Array(documents.length);
  let count = 0;
  for (let i = 0; i < documents.length; i++) {
    if (i % documentsPerStep === documentsPerStep - 1) {
      yield;
      rows.forget();
    }
    const document = documents[i] ?? 0;
    const row = rows.rowOf(document);
    const terms = firstName(row, placeInRow(row, document));
    if (words.every((ids) => ids.some((id) => terms.has(id)))) kept[count++] = document;
  }
  return kept.subarray(0, count);
}

/** The terms of a document's first name; none if it has no name. */
function firstName(row: Uint8Array, at: number): ReadonlySet<number> {
  const terms = new Set<number>();
  const names = row[at + 4] ?? 0;
  const count = names === 0 ? 0 : (row[at + 6] ?? 0);
  for (let term = 0; term < count; term++) terms.add(uint24At(row, at + 7 + term * 3));
  return terms;
}
