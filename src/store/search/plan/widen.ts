/**
 * Adds to every word of a question the terms that it may mean besides the typed one: other spellings, joined and split
 * words, the whole of an unfinished word, a legal form that is mistyped or not finished.
 */
import { alwaysConnectors, connector } from '../../../lei/names/fold.ts';
import { formMark, isForm, mayBeSplit } from '../../../lei/names/name-terms.ts';
import { otherWritings } from '../../../lei/names/other-writings.ts';
import { farSpellingsAmong, findFarSpellings } from '../index/far-spellings.ts';
import { findSpellings } from '../index/spellings.ts';
import type { Term } from '../index/term-blocks.ts';
import { weightOf } from '../index/weights.ts';
import { certainty, certaintyMistyped, searchLimits } from '../limits.ts';
import type { IndexParts } from '../parts.ts';
import { type DocumentList, setOf, sizeOf, type Union, withoutRepeats } from '../sets/document-list.ts';
import { formWordsBegunBy } from '../text/form-words.ts';
import { beginsForm, formsBegunBy } from '../text/meant-forms.ts';
import { exchangedAtSeams, lettersMin } from '../text/word-pieces.ts';
import { addMeantForms, wordsOfForm } from './forms.ts';
import { addInitials, addLongInitials, addMissingInitials } from './initials.ts';
import { addMeaning, type QueryPlan, type QueryWord, wholeWord } from './query-plan.ts';
import { termsBeside } from './terms-beside.ts';

export function widen(parts: IndexParts, plan: QueryPlan): void {
  const tail = wordsOfForm(plan);
  plan.words.forEach((word, i) => {
    parts.timeLimit.largeStep();
    const lists: DocumentList[] = [...word.typed];
    if (!isForm(word.text)) {
      lists.push(...addSpellings(parts, plan, i, word));
      lists.push(...addSplits(parts, plan, i, word, tail));
      if (i === plan.words.length - 1) {
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
  let found = addShortForm(parts, plan) || isInitials || isMissing;
  for (const word of maybeTwiceMistyped(plan)) {
    const others = required.filter((one) => one !== word).map(({ union }) => union);
    const far = farSpellings(parts, word.text, others);
    const meaning = { ...wholeWord, word: plan.words.indexOf(word) };
    for (const { term, certainty: sure } of far) addMeaning(plan, term, { ...meaning, certainty: sure });
    const isNear = isNearWord(word);
    word.union = [...word.union, ...far.map(({ term }) => parts.sets.listOf(term))];
    word.telling = word.union;
    const weight = Math.min(word.weight, weightOfMeanings(parts, word));
    // A word with one error is more likely meant than all those with two.
    word.weight = isNear ? Math.round((word.weight + weight) / 2) : weight;
    found ||= far.length > 0;
  }
  return found;
}

/** Whether the word was guessed to be a legal form or part of one, or begins a word of legal forms. */
function maybeForm({ text, union, telling }: QueryWord): boolean {
  return isForm(text) || union !== telling || formWordsBegunBy(text).length > 0;
}

/** Spellings with two errors: first words with the same first letter; the rest is in alphabetical order. */
function farSpellings(parts: IndexParts, text: string, others: readonly Union[]): MeantTerm[] {
  parts.timeLimit.largeStep();
  const beside = termsBeside(parts, others, searchLimits.farSpellingsAmongMax);
  const near = beside === null ? findFarSpellings(parts, text) : farSpellingsAmong(parts, text, beside);
  const far = [...near].flatMap(([id, { distance, sameStart }]) => (distance > 1 ? [{ id, sameStart }] : []));
  far.sort(
    (one, other) => Number(other.sameStart) - Number(one.sameStart) || parts.terms.compare(one.id, other.id),
  );
  const kept = new Map(far.slice(0, searchLimits.farSpellingsMax).map((one) => [one.id, one]));
  return parts.terms.byIds(kept.keys()).map((term) => {
    return { term, certainty: certaintyMistyped(2, kept.get(term.id)?.sameStart === true) };
  });
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

interface MeantTerm {
  readonly term: Term;
  readonly certainty: number;
}

/** Adds other spellings, even of words that are too short to be taken for mistyped. */
function otherwiseWritten(parts: IndexParts, text: string): MeantTerm[] {
  return otherWritings(text).flatMap((spelling) => {
    const term = parts.terms.find(spelling);
    return term === null ? [] : [{ term, certainty: certainty.otherwiseWritten }];
  });
}

/** Nearest first, then most frequent, then alphabetically. */
function nearestSpellings(parts: IndexParts, text: string): MeantTerm[] {
  const near = findSpellings(parts, text);
  for (const exchanged of exchangedAtSeams(text)) {
    const term = parts.terms.find(exchanged);
    const isSameStart = exchanged[0] === text[0];
    if (term !== null) near.set(term.id, { distance: 1, sameStart: isSameStart, length: text.length });
  }
  const spellings = parts.terms.byIds(near.keys()).flatMap((term) => {
    const word = near.get(term.id);
    return word === undefined ? [] : [{ term, ...word }];
  });
  spellings.sort(
    (a, b) =>
      a.distance - b.distance ||
      b.term.frequency - a.term.frequency ||
      parts.terms.compare(a.term.id, b.term.id),
  );
  return spellings.slice(0, searchLimits.spellingsMax).map(({ term, distance, sameStart }) => {
    return { term, certainty: certaintyMistyped(distance, sameStart) };
  });
}

/**
 * "gazprombank" for Gazprom Bank: every place where both halves are words that some name has together.
 * @param tail the words of the legal form at the end of the question
 */
function addSplits(
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
function addShortForm(parts: IndexParts, plan: QueryPlan): boolean {
  const [word] = plan.words;
  if (word === undefined || word.typed.length > 0 || !mayBeSplit(word.text)) return false;
  const lists: DocumentList[] = [];
  for (let at = 2; at < joinedFormLettersMin && at <= word.text.length - shortestNameLetters; at++) {
    const { token } = formsBegunBy(word.text.slice(0, at));
    const [form, name] = [parts.terms.find(formMark + token), parts.terms.find(word.text.slice(at))];
    if (form === null || name === null) continue;
    const second = { terms: [name], certainty: certainty.joined, form: null };
    const list = addPair(parts, plan, 0, form, second);
    if (list !== null) lists.push(list);
  }
  if (lists.length === 0) return false;
  word.union = [...word.union, ...lists];
  word.telling = word.union;
  return true;
}

const shortestNameLetters = 3;

/**
 * Records that a word may mean a term and one of some others together. Beside words that tell something, a question insists on no
 * form: if the others are forms of several words, or if too many documents have both to be listed, the term alone counts, too.
 * @returns the documents that answer it; null for none
 */
function addPair(
  parts: IndexParts,
  plan: QueryPlan,
  word: number,
  first: Term,
  { terms, certainty: sure, form }: SecondHalf,
): DocumentList | null {
  const list = parts.sets.listOf(first);
  const unions = [[list], terms.map((term) => parts.sets.listOf(term))];
  const { documents, total } = parts.sets.intersect(unions, 0, searchLimits.driverDocumentsMax);
  if (documents.length === 0) return null;
  weighHalves(parts, plan.words[word], [first, ...terms]);
  const meaning = { word, certainty: sure, pair: plan.pairs++ };
  addMeaning(plan, first, { ...meaning, half: 0 });
  for (const term of terms) addMeaning(plan, term, { ...meaning, half: 1 });
  const isOptional = form === 'begun' || (form === 'whole' && total > documents.length);
  if (!isOptional || !isBesideTelling(plan, word)) return setOf(documents);
  addMeaning(plan, first, { ...wholeWord, word, certainty: sure * certainty.partOfForm });
  return list;
}

/** A word that no name has may say as much as the rarer of two words that it may be. */
function weighHalves({ weights }: IndexParts, word: QueryWord | undefined, halves: readonly Term[]): void {
  if (word === undefined || word.typed.length > 0) return;
  word.weight = Math.max(word.weight, ...halves.map(({ id }) => weights[id] ?? 0));
}

/** Tells if another word of the question is in few companies' names. */
function isBesideTelling({ words }: QueryPlan, at: number): boolean {
  return words.some(({ light, typed }, other) => {
    return other !== at && !light && typed.length > 0 && sizeOf(typed) <= searchLimits.driverDocumentsMax;
  });
}

/** "2018" is not 20 18. */
function isNumber(text: string): boolean {
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
  const halves: readonly SecondHalf[] = [
    { terms: word === null ? [] : [word], certainty: certainty.joined, form: null },
    { terms: found([token]), certainty: certainty.joined, form: 'whole' },
    { terms: asked, certainty: certainty.partOfForm, form: 'begun' },
  ];
  return halves.filter(({ terms }) => terms.length > 0);
}

/** The terms that an unfinished last word may become. */
export function addCompletions(
  parts: IndexParts,
  plan: QueryPlan,
  i: number,
  word: QueryWord,
): readonly Term[] {
  const prefix = word.text;
  const [from, to] = parts.terms.range(prefix);
  const stored = parts.terms.completions(prefix);
  const terms =
    stored === null ? parts.terms.beginning(prefix, searchLimits.completionsMax) : parts.terms.byIds(stored);
  if (terms.length === 0) return [];
  plan.begun = { meaning: { ...wholeWord, word: i, certainty: certainty.begun }, from, to, prefix };
  return terms;
}

/** "gazprom bank" for Gazprombank: two words may mean one term. */
function addJoins(parts: IndexParts, plan: QueryPlan): void {
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
