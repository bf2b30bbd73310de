/** Hands over all companies of a search, or all that have words in their names, as entities. */
import { uint24At, uint32At } from '../../bytes/numbers-in-bytes.ts';
import { formMark, initialsMark, isForm, nameTerms } from '../../lei/names/name-terms.ts';
import type { Steps } from '../steps.ts';
import { namesPerChunk } from './format.ts';
import { findKey } from './index/keys.ts';
import type { IndexParts } from './parts.ts';
import { gradeOfDocument } from './score/score.ts';
import type { RankedEntity, TimedOut } from './search-reader.ts';
import type { Union } from './sets/document-list.ts';
import { inTime } from './time-limit.ts';

/** Documents whose entities are read in one step: about half a millisecond of work. */
const documentsPerStep = 1_000;

/** The row of a document's names, valid until the next read, and where the document stands in it. */
function placeOf(
  { tables }: IndexParts,
  document: number,
): { readonly row: Uint8Array; readonly at: number } {
  const row = tables.names.getBinaryFast(Math.floor(document / namesPerChunk));
  if (row === undefined) throw new Error(`The search index has no document ${document}.`);
  return { row, at: uint32At(row, (document % namesPerChunk) * 4) };
}

/** The entities of documents, in their order. */
export function* entitiesOf(parts: IndexParts, documents: Uint32Array): Steps<Uint32Array> {
  const entities = new Uint32Array(documents.length);
  for (let i = 0; i < documents.length; i++) {
    if (i % documentsPerStep === documentsPerStep - 1) yield;
    const { row, at } = placeOf(parts, documents[i] ?? 0);
    entities[i] = uint32At(row, at);
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
  return findKey(tables, shape.keyBuckets, 'name', initialsMark + letters, max).map(({ document }) => {
    const { row, at } = placeOf(parts, document);
    return { entity: uint32At(row, at), grade: gradeOfDocument(shape, document) };
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
  const kept = new Uint32Array(documents.length);
  let count = 0;
  for (let i = 0; i < documents.length; i++) {
    if (i % documentsPerStep === documentsPerStep - 1) yield;
    const document = documents[i] ?? 0;
    const { row, at } = placeOf(parts, document);
    const terms = firstName(row, at);
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
