/**
 * Finds companies by the hash of their whole name or identifier. Those that have the question as one come before all other
 * hits; those that have a part of it are hits among others.
 */
import { unspacedCharacters } from '../../../lei/names/characters.ts';
import { betweenWords, foldedWords } from '../../../lei/names/fold.ts';
import { splitLegalForms } from '../../../lei/names/legal-forms.ts';
import {
  formMark,
  isForm,
  nameKey,
  nameTerms,
  termsOf,
  termsOfWords,
} from '../../../lei/names/name-terms.ts';
import { typedIdentifiers } from '../../../lei/names/typed-identifiers.ts';
import { identifierNameIndex } from '../format.ts';
import { findKey } from '../index/keys.ts';
import { searchLimits } from '../limits.ts';
import type { IndexParts } from '../parts.ts';
import { type QueryPlan, weightOfAll } from '../plan/query-plan.ts';
import { DocumentScorer } from '../score/score.ts';
import type { Union } from '../sets/document-list.ts';
import { sortedKeys } from '../sets/sorted.ts';
import { formJoined } from '../text/form-words.ts';
import { namesBeforePart, wordsWithFormsApart } from '../text/forms-in-letters.ts';

/** Document → index of the name that equals the question; -1 for an identifier. */
export type PinnedDocuments = ReadonlyMap<number, number>;

/** @param terms the terms of `q` */
export function pinnedDocuments(
  { tables, shape }: IndexParts,
  q: string,
  terms: readonly string[],
): PinnedDocuments {
  const pinned = new Map<number, number>();
  const pin = (kind: 'name' | 'identifier', key: string) => {
    if (key === '') return;
    const hits = findKey(tables, shape.keyBuckets, kind, key, searchLimits.pinnedDocumentsMax);
    for (const { document, nameIndex } of hits) {
      if (pinned.size >= searchLimits.pinnedDocumentsMax || pinned.has(document)) continue;
      pinned.set(document, nameIndex === identifierNameIndex ? -1 : nameIndex);
    }
  };
  for (const identifier of typedIdentifiers(q)) pin('identifier', identifier);
  // A legal form may be part of the name, such as the UAB of UAB Bank Limited. Its few companies go first: those named Bank
  // may be too many.
  if (terms.some(isForm)) pin('name', nameKey(foldedWords(q)));
  pin('name', nameKey(terms));
  const otherwise = withOtherLetters(q);
  if (otherwise !== q) pin('name', nameKey(nameTerms(otherwise)));
  return pinned;
}

/**
 * The question with letters in the place of bare ones that connect two words, and the other way round: "maria e silva" may be
 * Maria E. Silva. A full stop makes the difference.
 */
function withOtherLetters(q: string): string {
  return q.replace(maybeConnectors, (_, letter: string, stop: string) =>
    stop === '' ? `${letter}.` : letter,
  );
}

const maybeConnectors = new RegExp(`(?<=\\s)([${[...betweenWords].join('')}])(\\.?)(?=\\s)`, 'giu');

/** True if the question is an identifier, or a whole name with its legal forms. */
export function isNamed(parts: IndexParts, plan: QueryPlan, pinned: PinnedDocuments): boolean {
  const scorer = new DocumentScorer(parts, plan);
  const first = pinned.entries().take(searchLimits.fittingDocumentsMax);
  return first.some(([document, name]) => name < 0 || scorer.hasFormsAsTyped(document, name));
}

/**
 * The companies whose whole name, legal forms aside, is a part of the question: all but one of its words, or its first ones.
 * Ascending. Names that many companies have are left out.
 */
export function namedByPart({ tables, shape }: IndexParts, plan: QueryPlan): Uint32Array {
  const found = new Set<number>();
  for (const words of partsOfQuestion(plan)) {
    const key = nameKey(termsOf(plan.q, splitLegalForms(words)));
    const hits = findKey(tables, shape.keyBuckets, 'name', key, searchLimits.fittingDocumentsMax + 1);
    if (hits.length > searchLimits.fittingDocumentsMax) continue;
    for (const { document } of hits) found.add(document);
  }
  return Uint32Array.from(found).sort();
}

/**
 * The question without one of its words, if the others weigh enough, and its beginnings: "larkmoor bank ltd (london branch)". A
 * beginning of one word must weigh enough, too.
 */
function* partsOfQuestion(plan: QueryPlan): Generator<readonly string[]> {
  for (const words of wordsWithFormsApart(plan.allWords)) yield* partsOfWords(plan, words);
  for (const name of namesBeforePart(plan.allWords)) yield name.split(' ');
}

function* partsOfWords(plan: QueryPlan, typed: readonly string[]): Generator<readonly string[]> {
  if (typed.length > searchLimits.partsOfQuestionWordsMax) return;
  const weights = new Map(plan.words.map(({ text, weight }) => [text, weight]));
  const weightOf = (word: string) =>
    termsOfWords([word]).reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);
  const whole = weightOfAll(plan);
  for (const [at, word] of typed.entries()) {
    const rest = whole - (weightOf(word) || whole);
    if (rest >= whole * searchLimits.relaxedWeightMin) yield typed.toSpliced(at, 1);
  }
  const outweighs = weightOf(typed[0] ?? '') >= whole * searchLimits.relaxedWeightMin;
  for (let count = typed.length - 2; count > (outweighs ? 0 : 1); count--) yield typed.slice(0, count);
}

/**
 * "larkmoorprivatelimited" as "larkmoor private limited", if a company of this form has the name: of several such names the
 * longest, null if there is none. The first word is one of no name, and others are the letters of a form: "larkmoors.p.a.".
 */
export function withFormApart({ tables, shape, terms, sets }: IndexParts, q: string): string | null {
  const [first = '', ...others] = foldedWords(q);
  if (others.some(({ length }) => length > 2) || terms.find(first) !== null) return null;
  const letters = [first, ...others].join('');
  for (let at = letters.length - 2; at > 0; at--) {
    const [name, { token, words }] = [letters.slice(0, at), formJoined(letters.slice(at))];
    const form = token === '' ? null : terms.find(formMark + token);
    if (form === null) continue;
    const named = findKey(tables, shape.keyBuckets, 'name', name, searchLimits.fittingDocumentsMax);
    if (named.some(({ document }) => sets.termsOf(document).includes(form.id))) return `${name} ${words}`;
  }
  return null;
}

/**
 * "崇越科技股份 有限公司" without the space, which stands in the legal form, if a company has that for its name; null if none has,
 * and if no space is between characters of scripts without spaces.
 */
export function withoutSpaces({ tables, shape }: IndexParts, q: string): string | null {
  const closed = q.replace(spacesBetweenUnspaced, '');
  if (closed === q) return null;
  const named = findKey(tables, shape.keyBuckets, 'name', nameKey(nameTerms(closed)), 1);
  return named.length > 0 ? closed : null;
}

const spacesBetweenUnspaced = new RegExp(`(?<=[${unspacedCharacters}])\\s+(?=[${unspacedCharacters}])`, 'gu');

/** Those of the pinned companies that pass the filters. */
export function passing(
  { sets }: IndexParts,
  pinned: PinnedDocuments,
  filters: readonly Union[],
): PinnedDocuments {
  if (filters.length === 0 || pinned.size === 0) return pinned;
  const documents = sets.members(filters, sortedKeys(pinned));
  return new Map(Array.from(documents, (document) => [document, pinned.get(document) ?? -1]));
}
