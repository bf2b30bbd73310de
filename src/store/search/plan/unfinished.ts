/** Reads words of a question as the beginnings of others: the last one while it is typed, and abbreviated ones. */
import { isForm } from '../../../lei/names/name-terms.ts';
import type { Term } from '../index/term-blocks.ts';
import { certainty, searchLimits } from '../limits.ts';
import type { IndexParts } from '../parts.ts';
import { isFormWord } from '../text/form-words.ts';
import { formsBegunBy } from '../text/meant-forms.ts';
import { lettersMin } from '../text/word-pieces.ts';
import { wordsWithDot } from '../text/words-with-dot.ts';
import { addLists, addMeaning, type QueryPlan, type QueryWord, wholeWord } from './query-plan.ts';

type Begun = NonNullable<QueryPlan['begun']>;

/** The last word may become any word that begins with it. @returns the most frequent ones */
export function addCompletions(
  parts: IndexParts,
  plan: QueryPlan,
  i: number,
  word: QueryWord,
  how: Partial<Begun> = {},
): readonly Term[] {
  const terms = completionsOf(parts, word.text);
  if (terms.length > 0) beginWord(parts, plan, i, word, how);
  return terms;
}

/** Lets the last word mean any word that begins with it. */
export function beginWord(
  parts: IndexParts,
  plan: QueryPlan,
  i: number,
  { text: prefix }: QueryWord,
  how: Partial<Begun>,
): void {
  const [from, to] = parts.terms.range(prefix);
  const meaning = { ...wholeWord, word: i, certainty: certainty.begun };
  plan.begun = { meaning, from, to, prefix, repeats: prefix.length > 1, isInOrder: false, ...how };
}

/**
 * "kleos spa" may be Kleos Space, too: the one legal form of the question, if it is its last word. A full stop ends it, and shorter
 * forms begin too many words.
 */
export function beginWordByForm({ terms }: IndexParts, plan: QueryPlan): void {
  if (plan.formsAsked !== 1 || plan.words.some(({ text }) => isForm(text)) || plan.q.endsWith('.')) return;
  const last = plan.allWords.at(-1) ?? '';
  if (last.length < shortestBegunByForm || formsBegunBy(last).token === '') return;
  const [from, to] = terms.range(last);
  plan.begunByForm = { from: terms.find(last) === null ? from : from + 1, to };
}

const shortestBegunByForm = 3;

function completionsOf({ terms }: IndexParts, prefix: string): readonly Term[] {
  const stored = terms.completions(prefix);
  return stored === null ? terms.beginning(prefix, searchLimits.completionsMax) : terms.byIds(stored);
}

/**
 * "larkm. tech services" for Larkmoor Technology Services: words with a dot behind, and those that no name has, may be
 * abbreviated wherever they stand.
 * @returns whether there are any
 */
export function addAbbreviated(parts: IndexParts, plan: QueryPlan): boolean {
  const dotted = wordsWithDot(plan.q);
  let found = false;
  for (const [i, word] of plan.words.slice(0, -1).entries()) {
    const isUnknown = word.typed.length === 0 && word.text.length >= lettersMin;
    if (isForm(word.text) || isFormWord(word.text) || !(isUnknown || dotted.has(word.text))) continue;
    parts.timeLimit.largeStep();
    const terms = completionsOf(parts, word.text);
    for (const term of terms) addMeaning(plan, term, { ...wholeWord, word: i, certainty: certainty.begun });
    addLists(
      word,
      terms.map((term) => parts.sets.listOf(term)),
    );
    found ||= terms.length > 0;
  }
  return found;
}
