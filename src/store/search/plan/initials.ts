/** Reads the initials of a question in another order, apart, or with one more. */
import { mayBeSplit } from '../../../lei/names/name-terms.ts';
import { oneMore } from '../index/far-spellings.ts';
import { certainty, certaintyMistyped } from '../limits.ts';
import type { IndexParts } from '../parts.ts';
import { addMeaning, type QueryPlan, type QueryWord, wholeWord } from './query-plan.ts';

/** "t lindqvist r" for R. T. Lindqvist, "vl" for L. V.: initials in another order, or apart. */
export function addInitials(parts: IndexParts, plan: QueryPlan): void {
  const initials = plan.words.filter(
    ({ text }) => isLetters(text) && (text.length === 1 || plan.apart.has(text)),
  );
  const letters = initials.reduce((sum, { text }) => sum + text.length, 0);
  if (initials.length > 1 && letters <= initialsMax) addOrders(parts, plan, initials);
  for (const word of plan.words) {
    const most = word.typed.length === 0 || plan.apart.has(word.text) ? initialsMax : initialsMax - 1;
    if (!word.light && word.text.length > 1 && word.text.length <= most && isLetters(word.text)) {
      addOrders(parts, plan, [word]);
    }
  }
}

const initialsMax = 3;

/** "b c n capital markets" for NCB Capital Markets, although there is a Bcn Trading. @returns whether any word may be meant */
export function addLongInitials(parts: IndexParts, plan: QueryPlan): boolean {
  const known = plan.words.filter(
    ({ text, typed, union, telling }) =>
      typed.length > 0 && union === telling && text.length === initialsMax && isLetters(text),
  );
  const unions = known.map(({ union }) => union);
  for (const word of known) {
    addOrders(parts, plan, [word]);
    word.telling = word.union;
  }
  return known.some(({ union }, at) => union !== unions[at]);
}

const oneMissing = certaintyMistyped({ distance: 1, sameStart: true, hasLetters: true });

/** "m a pension fund" for M. A. F. Pension Fund: one of several letters is missing. @returns whether any word may be meant */
export function addMissingInitials(parts: IndexParts, plan: QueryPlan): boolean {
  let found = false;
  for (const [i, word] of plan.words.entries()) {
    // A word that may be a legal form would also find companies by the form alone.
    if (!plan.apart.has(word.text) || word.union !== word.telling) continue;
    for (const text of new Set(oneMore(word.text))) {
      const term = parts.terms.find(text);
      if (term === null) continue;
      addMeaning(plan, term, { ...wholeWord, word: i, certainty: oneMissing });
      word.union = [...word.union, parts.sets.listOf(term)];
      found = true;
    }
    word.telling = word.union;
  }
  return found;
}

function isLetters(text: string): boolean {
  return /^\p{L}+$/u.test(text) && mayBeSplit(text + text);
}

/** Every other order of the letters of the words that is a term means all these words. */
function addOrders(parts: IndexParts, plan: QueryPlan, words: readonly QueryWord[]): void {
  const typed = words.map(({ text }) => text).join('');
  for (const order of new Set(ordersOf(typed))) {
    const term = words.length === 1 && order === typed ? null : parts.terms.find(order);
    if (term === null) continue;
    const sure = order === typed ? certainty.joined : certainty.initialsMoved;
    for (const word of words) {
      word.union = [...word.union, parts.sets.listOf(term)];
      addMeaning(plan, term, { ...wholeWord, word: plan.words.indexOf(word), certainty: sure });
    }
  }
}

function ordersOf(letters: string): string[] {
  if (letters.length < 2) return [letters];
  return Array.from(letters, (first, at) =>
    ordersOf(letters.slice(0, at) + letters.slice(at + 1)).map((rest) => first + rest),
  ).flat();
}
