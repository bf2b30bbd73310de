/**
 * Adds to every word of a question the terms that it may mean besides the typed one: other spellings, joined and split
 * words, the whole of an unfinished word, a legal form that is mistyped or not finished.
 */
import { isForm } from '../../../lei/names/name-terms.ts';
import { weightOf } from '../index/weights.ts';
import { searchLimits } from '../limits.ts';
import type { IndexParts } from '../parts.ts';
import { type DocumentList, sizeOf, withoutRepeats } from '../sets/document-list.ts';
import { formWordsBegunBy } from '../text/form-words.ts';
import { lettersMin } from '../text/word-pieces.ts';
import { addMeantForms, wordsOfForm } from './forms.ts';
import { addInitials, addLongInitials, addMissingInitials } from './initials.ts';
import { farSpellings, nearestSpellings, otherwiseWritten } from './meant-words.ts';
import { addMistypedSpaces } from './mistyped-spaces.ts';
import { addMeaning, type QueryPlan, type QueryWord, wholeWord } from './query-plan.ts';
import { addJoins, addShortForm, addSplits } from './spaces.ts';
import { addAbbreviated, addCompletions } from './unfinished.ts';

export function widen(parts: IndexParts, plan: QueryPlan): void {
  const tail = wordsOfForm(plan);
  plan.words.forEach((word, i) => {
    parts.timeLimit.largeStep();
    const lists: DocumentList[] = [...word.typed];
    if (!isForm(word.text)) {
      lists.push(...addSpellings(parts, plan, i, word));
      lists.push(...addSplits(parts, plan, i, word, tail));
      if (i === plan.words.length - 1 && !plan.apart.has(word.text)) {
        lists.push(...addCompletions(parts, plan, i, word).map((term) => parts.sets.listOf(term)));
      }
    }
    word.union = withoutRepeats(lists);
  });
  addJoins(parts, plan);
  addInitials(parts, plan);
  for (const word of plan.words) {
    word.telling = word.union;
    weighUnknown(parts, word);
  }
  addMeantForms(parts, plan, tail);
}

/**
 * A word that no name has says the less, the more companies have any of its meanings so far. If it can only be two words, it
 * says no more than an unknown word or than the rarer of the two.
 */
function weighUnknown(parts: IndexParts, word: QueryWord): void {
  if (word.typed.length > 0 || word.union.length === 0) return;
  const weight = weightOfMeanings(parts, word);
  word.weight = isNearWord(word) ? weight : Math.min(weight, word.weight);
}

/** True if the word may mean a single word of names; it may also be two words typed as one. */
function isNearWord({ union }: QueryWord): boolean {
  return union.some(({ term }) => term !== null);
}

function weightOfMeanings({ shape }: IndexParts, { union }: QueryWord): number {
  return weightOf(sizeOf(union), shape.documents, 1);
}

/** The words that no name has and that are no part of a legal form: they may have two errors. */
export function maybeTwiceMistyped(plan: QueryPlan): readonly QueryWord[] {
  const unknown = plan.words.filter(
    (word) => word.typed.length === 0 && word.text.length >= lettersMin && !maybeForm(word),
  );
  return unknown.slice(0, searchLimits.twiceMistypedWordsMax);
}

/**
 * Adds spellings with two errors, initials in another order or with one more, and a short legal form in front.
 * @param required the words that names must have
 * @returns whether there are any
 */
export function widenFurther(parts: IndexParts, plan: QueryPlan, required: readonly QueryWord[]): boolean {
  const isInitials = addLongInitials(parts, plan);
  const isMissing = addMissingInitials(parts, plan);
  const isForm = addShortForm(parts, plan);
  const isTwice = addFarSpellings(parts, plan, required, maybeTwiceMistyped(plan));
  return isForm || isInitials || isMissing || isTwice;
}

/**
 * Adds the spellings of the words with two errors.
 * @param required the words that names must have
 * @returns whether there are any
 */
function addFarSpellings(
  parts: IndexParts,
  plan: QueryPlan,
  required: readonly QueryWord[],
  words: readonly QueryWord[],
): boolean {
  let found = false;
  for (const word of words) {
    const others = required.filter((one) => one !== word).map(({ union }) => union);
    const far = farSpellings(parts, word.text, others);
    const meaning = { ...wholeWord, word: plan.words.indexOf(word) };
    for (const { term, certainty: sure } of far) addMeaning(plan, term, { ...meaning, certainty: sure });
    const isNear = isNearWord(word);
    word.union = [...word.union, ...far.map(({ term }) => parts.sets.listOf(term))];
    word.telling = word.union;
    if (word.typed.length === 0) weighTwiceMistyped(parts, word, isNear);
    found ||= far.length > 0;
  }
  return found;
}

/** @param isNear whether the word may also have one error, which is more likely than all those with two */
function weighTwiceMistyped(parts: IndexParts, word: QueryWord, isNear: boolean): void {
  const weight = Math.min(word.weight, weightOfMeanings(parts, word));
  word.weight = isNear ? Math.round((word.weight + weight) / 2) : weight;
}

/**
 * Adds words that were abbreviated, and those that were joined or split and mistyped, for a question that no company fits.
 * @param required the words that names must have
 * @returns whether there are any
 */
export function widenMost(parts: IndexParts, plan: QueryPlan, required: readonly QueryWord[]): boolean {
  const isAbbreviated = addAbbreviated(parts, plan);
  return addMistypedSpaces(parts, plan, required) || isAbbreviated;
}

/** Whether the word was guessed to be a legal form or part of one, or begins a word of legal forms. */
function maybeForm({ text, union, telling }: QueryWord): boolean {
  return isForm(text) || union !== telling || formWordsBegunBy(text).length > 0;
}

function addSpellings(parts: IndexParts, plan: QueryPlan, i: number, word: QueryWord): DocumentList[] {
  const sameWord = otherwiseWritten(parts, word.text);
  const known = new Set(sameWord.map(({ term }) => term.id));
  const mistyped = nearestSpellings(parts, word.text).filter(({ term }) => !known.has(term.id));
  const taken = [...sameWord, ...mistyped];
  for (const { term, certainty: sure } of taken)
    addMeaning(plan, term, { ...wholeWord, word: i, certainty: sure });
  return taken.map(({ term }) => parts.sets.listOf(term));
}
