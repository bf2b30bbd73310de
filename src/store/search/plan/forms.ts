/** Adds the legal forms that words of a question may mean: mistyped, in part, or in another place. */
import { formMark, mayBeSplit } from '../../../lei/names/name-terms.ts';
import type { Term } from '../index/term-blocks.ts';
import { certainty, certaintyMistyped, searchLimits } from '../limits.ts';
import type { IndexParts } from '../parts.ts';
import { type DocumentList, sizeOf, type Union } from '../sets/document-list.ts';
import {
  formsNear,
  formsWithWord,
  formWordsFarFrom,
  isFormWord,
  isWordOfForm,
  nearFormWords,
} from '../text/form-words.ts';
import { formsInLetters } from '../text/forms-in-letters.ts';
import { formsBegunBy, formsWithFurther, isWordOf, type MeantForm, meantForms } from '../text/meant-forms.ts';
import { addMeaning, type QueryPlan, type QueryWord, typedElseMeant, wholeWord } from './query-plan.ts';
import { termsBeside } from './terms-beside.ts';

/**
 * "sanlam limitd" for Sanlam Limited, "tesla spółka z ograniczoną" for Tesla sp. z o.o.: all those words mean the form.
 * @param tail the words of the legal form at the end of the question
 */
export function addMeantForms(parts: IndexParts, plan: QueryPlan, tail: readonly string[]): void {
  for (const form of meantForms(textsOf(plan.words), unknownOf(plan))) {
    const text = formMark + form.token;
    const term = parts.terms.find(text);
    if (term !== null) addForm(parts, plan, form, term, form.certainty);
    // "larkmoor co energy" for Larkmoor Energy Co., Ltd. Only a form that was written may be a part of another one, or a
    // mistyped one together with a written one: "larkmoor privte ltd".
    for (const whole of parts.relatedForms(text).terms) {
      const isWritten = form.certainty >= certainty.joined || plan.relatedForms.has(whole.id);
      if (isWritten) addForm(parts, plan, form, whole, form.certainty * certainty.partOfForm);
    }
  }
  if (tail.length > 0) addFormsWithLast(parts, plan, tail);
  if (tail.length > 1) addFormsWithFirst(parts, plan, tail);
  addMistypedForms(parts, plan);
  addFormsOfWords(parts, plan);
  addFormsInLetters(parts, plan);
}

function textsOf(words: readonly QueryWord[]): string[] {
  return words.map(({ text }) => text);
}

/** The words that no name has. */
function unknownOf({ words }: QueryPlan): ReadonlySet<string> {
  return new Set(textsOf(words.filter(({ typed }) => typed.length === 0)));
}

/**
 * "larkmoor corpor ation limited" for Larkmoor Corporation Limited: the form at the end of the question is only a part of that of
 * all these words, which counts as asked for.
 */
function addFormsWithLast(parts: IndexParts, plan: QueryPlan, tail: readonly string[]): void {
  const words = textsOf(plan.words);
  const [before, last] = [plan.words.at(-2), plan.words.at(-1)];
  if (last === undefined) return;
  const isCommon = sizeOf(last.typed) > searchLimits.fittingDocumentsMax;
  if (isCommon && (before === undefined || !isFormWord(before.text + last.text))) return;
  for (const form of meantForms([...words, ...tail], unknownOf(plan))) {
    const term = parts.terms.find(formMark + form.token);
    if (term === null || form.from >= words.length || form.to !== words.length + tail.length) continue;
    addForm(parts, plan, { ...form, to: words.length }, term, form.certainty);
    countAsAsked(plan, term);
  }
}

/**
 * "limited larkmoor public company" for Larkmoor Public Company Limited. The first word then tells no more than the form, and names
 * may lack it: "company larkmoor private limited" may be any Larkmoor. Together with a form of one word it is found as typed.
 */
function addFormsWithFirst(parts: IndexParts, plan: QueryPlan, tail: readonly string[]): void {
  const [first] = plan.words;
  if (first === undefined || plan.words.length === 1) return;
  for (const token of formsWithFurther(tail, first.text)) {
    const term = parts.terms.find(formMark + token);
    if (term === null) continue;
    first.light = true;
    first.weight = Math.min(first.weight, parts.weights[term.id] ?? 1);
    addMeaning(plan, term, { ...wholeWord, word: 0, certainty: certainty.joined });
    countAsAsked(plan, term);
  }
}

/** The form counts as asked for, like those that the form at the end of the question is a part of. */
function countAsAsked(plan: QueryPlan, { id }: Term): void {
  plan.relatedForms = new Set([...plan.relatedForms, id]);
}

/** The words of the legal form at the end of a question, behind its other words. */
export function wordsOfForm({ allWords, words, formsAsked }: QueryPlan): readonly string[] {
  if (formsAsked === 0) return [];
  return words.every(({ text }, at) => allWords[at] === text) ? allWords.slice(words.length) : [];
}

/** "citibank association" for Citibank, National Association: a word may be all that was typed of a form. */
function addFormsOfWords(parts: IndexParts, plan: QueryPlan): void {
  for (const word of plan.words.keys()) {
    for (const token of formsOfWord(parts, plan.words, word)) {
      const term = parts.terms.find(formMark + token);
      if (term === null || plan.meanings.get(term.id)?.some((meaning) => meaning.word === word)) continue;
      addForm(parts, plan, { from: word, to: word + 1 }, term, certainty.wordOfForm);
    }
  }
}

/**
 * The forms that a word is a part of. A common one is a word of the name. A single letter means a form only beside another
 * word of it ("z ograniczoną"), or at the end, where it may begin one ("larkmoor d" for Larkmoor d.o.o.).
 */
function formsOfWord(parts: IndexParts, words: readonly QueryWord[], at: number): readonly string[] {
  const text = words[at]?.text ?? '';
  const tokens = formsWithWord(text);
  if (isCommonWord(parts, text)) return [];
  if (text.length > 1) return tokens;
  const beside = [words[at - 1]?.text, words[at + 1]?.text];
  const begun = at === words.length - 1 ? formsBegunBy(text).longer : [];
  return tokens.filter(
    (token) => begun.includes(token) || beside.some((other) => isWordOfForm(other, token)),
  );
}

/** True if many names have the word in their core. */
function isCommonWord({ terms, shape }: IndexParts, text: string): boolean {
  return (terms.find(text)?.frequency ?? 0) > shape.documents * searchLimits.commonWordShare;
}

/** "larkmoor limtied holdings": a word that no name has may be a form with an error wherever it stands behind the first. */
function addMistypedForms(parts: IndexParts, plan: QueryPlan): void {
  for (const [word, { text, typed }] of plan.words.entries()) {
    if (word === 0 || typed.length > 0) continue;
    for (const { spelling, distance } of nearFormWords(text)) {
      const sure = certainty.mistyped[distance] ?? 0;
      const form = parts.terms.find(formMark + formsBegunBy(spelling).token);
      if (form !== null) addForm(parts, plan, { from: word, to: word + 1 }, form, sure);
    }
  }
}

/** "larkmoor limide" for Larkmoor Limited, "larkmoor gmh" for Larkmoor GmbH: the last word may be a form that is further off. */
export function addFarForms(parts: IndexParts, plan: QueryPlan): void {
  const last = plan.words.length - 1;
  const word = plan.words[last];
  if (word === undefined || last === 0 || word.typed.length > 0 || word.union !== word.telling) return;
  // Behind the word a form was typed.
  if (plan.formsAsked > 0) return;
  for (const { spelling, distance } of formWordsFarFrom(word.text)) {
    const term = parts.terms.find(formMark + formsBegunBy(spelling).token);
    // Forms are few, so that strange letters say nothing.
    const sure = certaintyMistyped({ distance, sameStart: spelling[0] === word.text[0], hasLetters: true });
    if (term !== null) addMeaning(plan, term, { ...wholeWord, word: last, certainty: sure });
  }
}

/**
 * "larkmoor società" for Larkmoor società semplice: the last word may be a word of any form, or misspelled for one, that the few
 * companies with all other words have. It means these forms then.
 * @returns the reading that these companies answer; null if there are none
 */
export function readingByForms(parts: IndexParts, plan: QueryPlan): readonly Union[] | null {
  const last = plan.words.length - 1;
  const word = plan.words[last];
  if (word === undefined || last === 0 || word.union !== word.telling || !mayBeSplit(word.text)) return null;
  const near = formsNear(word.text);
  if (near.length === 0) return null;
  const others = typedElseMeant(plan.words.slice(0, last));
  const beside = termsBeside(parts, others, searchLimits.fittingDocumentsMax);
  if (beside === null) return null;
  const forms: DocumentList[] = [];
  for (const { token, distance } of near) {
    const term = parts.terms.find(formMark + token);
    if (term === null || !beside.has(term.id)) continue;
    const sure = certainty.wordOfForm * (certainty.mistyped[distance] ?? 0);
    addMeaning(plan, term, { ...wholeWord, word: last, certainty: sure });
    forms.push(parts.sets.listOf(term));
  }
  return forms.length === 0 ? null : [...others, forms];
}

/** "紅百合有限公司 上海": the letters of a whole form say as little as it does at the end of a name. */
function addFormsInLetters(parts: IndexParts, plan: QueryPlan): void {
  for (const form of formsInLetters(plan.allWords)) {
    const term = parts.terms.find(formMark + form.token);
    if (term === null) continue;
    for (const [i, word] of plan.words.entries()) {
      if (!form.terms.has(word.text)) continue;
      word.weight = Math.min(word.weight, parts.weights[term.id] ?? 1);
      addFormTo(parts, plan, i, term, form.certainty);
    }
  }
}

type WordsOfForm = Pick<MeantForm, 'from' | 'to'>;

function addForm(parts: IndexParts, plan: QueryPlan, form: WordsOfForm, term: Term, sure: number): void {
  for (const i of plan.words.keys()) {
    if (isWordOf(form, i, plan.words.length)) addFormTo(parts, plan, i, term, sure);
  }
}

function addFormTo(parts: IndexParts, plan: QueryPlan, i: number, term: Term, sure: number): void {
  const word = plan.words[i];
  if (word === undefined) return;
  word.union = [...word.union, parts.sets.listOf(term)];
  // A word that no name has says as little as the form.
  if (word.typed.length === 0) word.weight = Math.min(word.weight, parts.weights[term.id] ?? 1);
  addMeaning(plan, term, { ...wholeWord, word: i, certainty: sure });
}
