/** Reads a word of a question as two that were typed as one, and two words as one. */
import { alwaysConnectors, connector } from '../../../lei/names/fold.ts';
import { formMark, mayBeSplit } from '../../../lei/names/name-terms.ts';
import type { Term } from '../index/term-blocks.ts';
import { certainty, searchLimits } from '../limits.ts';
import type { IndexParts } from '../parts.ts';
import { type DocumentList, setOf, sizeOf } from '../sets/document-list.ts';
import { beginsForm, formsBegunBy } from '../text/meant-forms.ts';
import { addMeaning, type QueryPlan, type QueryWord, wholeWord } from './query-plan.ts';

/**
 * "gazprombank" for Gazprom Bank: every place where both halves are words that some name has together.
 * @param tail the words of the legal form at the end of the question
 */
export function addSplits(
  parts: IndexParts,
  plan: QueryPlan,
  i: number,
  { text }: QueryWord,
  tail: readonly string[],
): DocumentList[] {
  if (!mayBeSplit(text) || isNumber(text)) return [];
  // A second half of one letter is an initial and is tried in short words only ("hm" for H & M); a first half of one
  // letter is tried in all ("tmobile").
  const shortest = text.length < 4 ? 1 : 2;
  const next = plan.words[i + 1]?.text ?? tail[0];
  const lists: DocumentList[] = [];
  for (let at = text.length - shortest; at >= 1 && lists.length < searchLimits.splitsMax; at--) {
    const letters = text.slice(0, at);
    const pairs = firstHalves(parts, letters, i).flatMap((first) =>
      secondHalves(parts, plan, text.slice(at), next).map((second) => addPair(parts, plan, i, first, second)),
    );
    lists.push(...pairs.filter((list) => list !== null));
  }
  return lists;
}

/** The term of the letters, and the legal form in front that they are: "etablissementlarkmoor". */
function firstHalves(parts: IndexParts, letters: string, i: number): Term[] {
  const word = parts.terms.find(alwaysConnectors.has(letters) ? connector : letters);
  const token = i === 0 && letters.length >= joinedFormLettersMin ? formsBegunBy(letters).token : '';
  const form = token === '' ? null : parts.terms.find(formMark + token);
  return [word, form].filter((term) => term !== null);
}

/** Words begin with shorter forms by chance. */
const joinedFormLettersMin = 5;

/** "uabhokodo" for UAB Hokodo. @returns whether the first word may be a short form and the name */
export function addShortForm(parts: IndexParts, plan: QueryPlan): boolean {
  const [word] = plan.words;
  if (word === undefined) return false;
  const lists = shortFormsBefore(parts, word).flatMap(({ form, name }) => {
    const second = { terms: [name], certainty: certainty.joined, form: null };
    return addPair(parts, plan, 0, form, second) ?? [];
  });
  if (lists.length === 0) return false;
  word.union = [...word.union, ...lists];
  word.telling = word.union;
  return true;
}

/** The short forms that a word of no name begins with, each with the word that is left. */
export function shortFormsBefore(
  { terms }: IndexParts,
  { text, typed }: QueryWord,
): { readonly form: Term; readonly name: Term }[] {
  if (typed.length > 0 || !mayBeSplit(text)) return [];
  const most = Math.min(joinedFormLettersMin - 1, text.length - shortestNameLetters);
  const places = Array.from({ length: Math.max(0, most - 1) }, (_, at) => at + 2);
  return places.flatMap((at) => {
    const { token } = formsBegunBy(text.slice(0, at));
    const [form, name] = [terms.find(formMark + token), terms.find(text.slice(at))];
    return form === null || name === null ? [] : [{ form, name }];
  });
}

const shortestNameLetters = 3;

/**
 * Records that a word may mean a term and one of some others together. Beside words that tell something, a question insists
 * on no legal form: the term alone counts too if the others are forms that the letters only begin, or one form that more
 * documents have with the term than can be listed.
 * @returns the documents that answer it; null for none
 */
export function addPair(
  parts: IndexParts,
  plan: QueryPlan,
  word: number,
  first: Term,
  { terms, certainty: sure, form }: SecondHalf,
): DocumentList | null {
  const list = parts.sets.listOf(first);
  const unions = [[list], terms.map((term) => parts.sets.listOf(term))];
  const { documents, total } = parts.sets.intersect(unions, 0, searchLimits.driverDocumentsMax);
  if (documents.length === 0 || plan.pairs === searchLimits.pairsMax) return null;
  weighHalves(parts, plan.words[word], [first, ...terms]);
  const meaning = { word, certainty: sure, pair: plan.pairs++ };
  addMeaning(plan, first, { ...meaning, half: 0 });
  for (const term of terms) addMeaning(plan, term, { ...meaning, half: 1 });
  const isOptional = form === 'begun' || (form === 'whole' && total > documents.length);
  if (!isOptional || !isBesideTelling(plan, word)) return setOf(documents);
  addMeaning(plan, first, { ...wholeWord, word, certainty: sure * certainty.partOfForm });
  return list;
}

/** A word that no name has, and that means nothing else, may say as much as the rarer of two words that it may be. */
function weighHalves({ weights }: IndexParts, word: QueryWord | undefined, halves: readonly Term[]): void {
  if (word === undefined || word.union.length > 0) return;
  word.weight = Math.max(word.weight, ...halves.map(({ id }) => weights[id] ?? 0));
}

/** Tells if another word of the question is in few companies' names. */
function isBesideTelling({ words }: QueryPlan, at: number): boolean {
  return words.some(({ light, typed }, other) => {
    return other !== at && !light && typed.length > 0 && sizeOf(typed) <= searchLimits.driverDocumentsMax;
  });
}

/** "2018" is not 20 18. */
export function isNumber(text: string): boolean {
  return /^\d+$/.test(text);
}

interface SecondHalf {
  readonly terms: readonly Term[];
  readonly certainty: number;
  /** `whole`: the letters are the legal form; `begun`: they begin it, and other words go on with it; null: a word. */
  readonly form: 'whole' | 'begun' | null;
}

/**
 * The term of the letters; the legal form that they are, "larkmoorltd"; and those that they begin if the next word or the
 * question's form goes on with them, "larkmoorprivate limited", "larkmoorcoöperatie u.a.".
 */
function secondHalves(
  parts: IndexParts,
  plan: QueryPlan,
  letters: string,
  next: string | undefined,
): SecondHalf[] {
  const { token, longer } = formsBegunBy(letters);
  const found = (tokens: readonly string[]) =>
    tokens.flatMap((each) => parts.terms.find(formMark + each) ?? []);
  const word = parts.terms.find(alwaysConnectors.has(letters) ? connector : letters);
  const goesOn = beginsForm(letters, next);
  const begun = goesOn || plan.formsAsked > 0 ? found(longer) : [];
  const asked = begun.filter(({ id }) => goesOn || plan.forms.has(id) || plan.relatedForms.has(id));
  // "webco ltd" is rather Webcom Ltd than Web Co., Ltd.
  const isSure = goesOn && letters.length >= shortestNameLetters;
  const halves: readonly SecondHalf[] = [
    { terms: word === null ? [] : [word], certainty: certainty.joined, form: null },
    { terms: found([token]), certainty: certainty.joined, form: 'whole' },
    { terms: asked, certainty: isSure ? certainty.joined : certainty.partOfForm, form: 'begun' },
  ];
  return halves.filter(({ terms }) => terms.length > 0);
}

/** "gazprom bank" for Gazprombank: two words may mean one term. */
export function addJoins(parts: IndexParts, plan: QueryPlan): void {
  for (let i = 0; i + 1 < plan.words.length; i++) {
    const first = plan.words[i];
    const second = plan.words[i + 1];
    if (first === undefined || second === undefined) continue;
    const term = parts.terms.find(first.text + second.text);
    if (term === null) continue;
    const list = parts.sets.listOf(term);
    first.union = [...first.union, list];
    second.union = [...second.union, list];
    addMeaning(plan, term, { word: i, certainty: certainty.joined, ...wholeWord });
    addMeaning(plan, term, { word: i + 1, certainty: certainty.joined, ...wholeWord });
  }
}
