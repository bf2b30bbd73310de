/** Reads two words of a question as one with a typing error, and one word as two of which one has a typing error. */
import { mayBeSplit } from '../../../lei/names/name-terms.ts';
import type { Term } from '../index/term-blocks.ts';
import { certainty, searchLimits } from '../limits.ts';
import type { IndexParts } from '../parts.ts';
import type { DocumentList } from '../sets/document-list.ts';
import { isFormWord, nearFormWords } from '../text/form-words.ts';
import { formsBegunBy } from '../text/meant-forms.ts';
import { lettersMin } from '../text/word-pieces.ts';
import { wordsWithDot } from '../text/words-with-dot.ts';
import { type MeantTerm, nearestSpellings, spellingsAmong } from './meant-words.ts';
import {
  addLists,
  addMeaning,
  type QueryPlan,
  type QueryWord,
  typedElseMeant,
  wholeWord,
} from './query-plan.ts';
import { addPair, isNumber } from './spaces.ts';
import { termsBeside } from './terms-beside.ts';

/**
 * "larkm oortimbre" and "larkmoortimbre" for Larkmoor Timber: two words that are one with an error, and one that is two with an
 * error.
 * @param required the words that names must have
 * @returns whether there are any
 */
export function addMistypedSpaces(
  parts: IndexParts,
  plan: QueryPlan,
  required: readonly QueryWord[],
): boolean {
  const unions = plan.words.map(({ union }) => union);
  addMistypedJoins(parts, plan);
  const unknown = plan.words.filter(mayBeMistypedSplit);
  for (const word of unknown.slice(0, searchLimits.twiceMistypedWordsMax)) {
    addLists(word, mistypedSplits(parts, plan, word, required));
    if (word === plan.words.at(-1)) addLists(word, mistypedWithForm(parts, plan, word));
  }
  return plan.words.some(({ union }, at) => union !== unions[at]);
}

/** Words of one letter are initials, and one with a dot behind ends there: "acct. no." is not Accton. */
function addMistypedJoins(parts: IndexParts, plan: QueryPlan): void {
  const dotted = wordsWithDot(plan.q);
  for (const [i, first] of plan.words.entries()) {
    const second = plan.words[i + 1];
    if (second === undefined || dotted.has(first.text) || !mayBeHalves(first, second)) continue;
    const text = first.text + second.text;
    if (parts.terms.find(text) !== null) continue;
    parts.timeLimit.largeStep();
    for (const { term, certainty: sure, errors } of nearestSpellings(parts, text)) {
      if (errors > 1) continue;
      for (const [at, word] of [first, second].entries()) {
        addLists(word, [parts.sets.listOf(term)]);
        addMeaning(plan, term, { ...wholeWord, word: i + at, certainty: sure * certainty.joined });
      }
    }
  }
}

function mayBeHalves(first: QueryWord, second: QueryWord): boolean {
  const isUnknown = first.typed.length === 0 || second.typed.length === 0;
  const areWords = mayBeSplit(first.text) && mayBeSplit(second.text);
  const letters = first.text + second.text;
  return isUnknown && areWords && letters.length >= 2 * shortestMistypedHalf && !isFormWord(letters);
}

/** Shorter halves of words are found by chance. */
const shortestMistypedHalf = 3;

/** True for a word that no name has and that is no legal form, nor guessed to be one. */
function mayBeMistypedSplit({ text, typed, union, telling }: QueryWord): boolean {
  const isUnknown = typed.length === 0 && union === telling && !isFormWord(text);
  return isUnknown && text.length >= shortestMistypedHalf + lettersMin && mayBeSplit(text) && !isNumber(text);
}

/** At every place one half may be a word, and the other one a mistyped word that some name has with it. */
function mistypedSplits(
  parts: IndexParts,
  plan: QueryPlan,
  word: QueryWord,
  required: readonly QueryWord[],
): DocumentList[] {
  const i = plan.words.indexOf(word);
  const others = required.filter((one) => one !== word);
  const lists: (DocumentList | null)[] = [];
  for (let at = shortestMistypedHalf; at <= word.text.length - shortestMistypedHalf; at++) {
    parts.timeLimit.largeStep();
    const [first, second] = [word.text.slice(0, at), word.text.slice(at)];
    for (const [known, mistyped] of [[first, second] as const, [second, first] as const]) {
      const term = parts.terms.find(known);
      if (term === null) continue;
      for (const { term: other, certainty: sure } of mistypedBeside(parts, term, mistyped, others)) {
        const half = { terms: [other], certainty: sure * certainty.joined, form: null };
        lists.push(addPair(parts, plan, i, term, half));
      }
    }
  }
  return lists.filter((list) => list !== null);
}

/** The words with one error: if few companies have the term and the other words, those among theirs. */
function mistypedBeside(
  parts: IndexParts,
  term: Term,
  mistyped: string,
  others: readonly QueryWord[],
): readonly MeantTerm[] {
  if (mistyped.length < lettersMin) return [];
  const words = [[parts.sets.listOf(term)], ...typedElseMeant(others)];
  const beside = termsBeside(parts, words, searchLimits.scoredDocumentsMax);
  return beside === null ? nearestSpellings(parts, mistyped) : spellingsAmong(parts, mistyped, beside);
}

/**
 * "larkmorlimited", "larkmoorlimtied", and "larkmoorlimited" although Larkmoor is no limited: a legal form was joined to the
 * name, and either the name or the form is wrong.
 */
function mistypedWithForm(parts: IndexParts, plan: QueryPlan, { text }: QueryWord): DocumentList[] {
  const lists: DocumentList[] = [];
  for (let at = lettersMin; at <= text.length - 2; at++) {
    for (const { term, certainty: sure } of namesBeforeForm(parts, text.slice(0, at), text.slice(at))) {
      addMeaning(plan, term, {
        ...wholeWord,
        word: plan.words.length - 1,
        certainty: sure * certainty.joined,
      });
      lists.push(parts.sets.listOf(term));
    }
  }
  return lists;
}

function namesBeforeForm(parts: IndexParts, name: string, form: string): readonly MeantTerm[] {
  const isForm = formsBegunBy(form).token !== '';
  if (!isForm && nearFormWords(form).length === 0) return [];
  const term = parts.terms.find(name);
  if (term !== null) return [{ term, certainty: certainty.partOfForm, errors: 0 }];
  return isForm ? nearestSpellings(parts, name) : [];
}
