/**
 * Plans a question: lists the terms that each of its words may mean. The first plan takes the words as typed; widen.ts
 * adds other meanings if these find too few companies.
 */
import { alwaysConnectors, connector, foldedWords } from '../../../lei/names/fold.ts';
import { tokenOfSpelling } from '../../../lei/names/legal-forms.ts';
import { formMark, isForm, isLight, nameParts } from '../../../lei/names/name-terms.ts';
import type { Term } from '../index/term-blocks.ts';
import { certainty, searchLimits } from '../limits.ts';
import type { IndexParts } from '../parts.ts';
import type { DocumentList, Union } from '../sets/document-list.ts';
import { formsInLetters } from '../text/forms-in-letters.ts';
import { lettersApart } from '../text/letters-apart.ts';
import { formsBegunBy } from '../text/meant-forms.ts';

/** One term that a word may mean. */
export interface Meaning {
  /** Index of the word in {@link QueryPlan.words}. */
  readonly word: number;
  readonly certainty: number;
  /** For a word that may be two terms typed as one: number of the pair, and which half this term is; otherwise -1. */
  readonly pair: number;
  readonly half: 0 | 1;
}

/** Pair number of a meaning that is a whole term. */
export const wholeWord = { pair: -1, half: 0 } as const;

/** A word of the question. */
export interface QueryWord {
  readonly text: string;
  /** 1 to 255: how much it says about a company. */
  weight: number;
  /** Names may lack it without being ranked lower. */
  light: boolean;
  /** Documents that have the word as typed. */
  typed: Union;
  /** Documents that have any of its meanings. */
  union: Union;
  /** Documents that have a meaning other than a guessed legal form. */
  telling: Union;
}

export interface QueryPlan {
  /** The question as it was typed. */
  readonly q: string;
  /** Its folded words, those of legal forms included. Read when they are first needed: most questions need none. */
  readonly allWords: readonly string[];
  readonly words: QueryWord[];
  /** The words that were typed as two or three single letters: "S C trade". */
  readonly apart: ReadonlySet<string>;
  /** Term id → the words that may mean it. */
  readonly meanings: Map<number, Meaning[]>;
  /** Hashes of those terms. */
  readonly hashes: Set<number>;
  /** Ids of the legal forms in the question that some name has. */
  readonly forms: ReadonlySet<number>;
  /** Count of legal forms in the question, those that no name has included. */
  readonly formsAsked: number;
  /**
   * Ids of what is related to the legal forms of the question: the forms that contain one of them or are contained in one,
   * and the words that one of them may also be (parts.ts). Forms that other words of the question make together with one
   * of them are added later.
   */
  relatedForms: ReadonlySet<number>;
  /** Ids of the forms of the question as words of names; none if the question has only forms. */
  formsAsWords: ReadonlySet<number>;
  /**
   * The terms that an unfinished last word may mean: from id `from` up to `to` (exclusive), and new ones that begin
   * with it.
   */
  begun: {
    readonly meaning: Meaning;
    readonly from: number;
    readonly to: number;
    readonly prefix: string;
    /** Whether the word may be one that the question has before it, too: "johnson & jo". */
    readonly repeats: boolean;
    /**
     * Whether a name counts only if it begins with the other words and the begun one, or consists of the other words and a
     * legal form that the word begins. A name with the word as typed counts anyway.
     */
    readonly isInOrder: boolean;
  } | null;
  /** The ids, up to `to` (exclusive), of the words that the legal form at the end of the question may begin. */
  begunByForm: { readonly from: number; readonly to: number } | null;
  pairs: number;
  /** How many words of the question repeat an earlier one. */
  readonly repeated: number;
  /** Whether it has a legal form twice: "GmbH & Co. GmbH". */
  readonly repeatsForm: boolean;
}

/**
 * Weight of a word that no name has and that means no other. It is below the weight of the rarest word, because the word may be
 * a typing error.
 */
const unknownWeight = 150;

/** Plans a question as typed. @param questionTerms the terms of `q`, at least one */
export function planAsTyped(parts: IndexParts, q: string, questionTerms: readonly string[]): QueryPlan {
  const words = questionTerms.slice(0, searchLimits.wordsReadMax);
  const core = words.filter((word) => !isForm(word));
  const formsTyped = words.filter(isForm);
  const asForms = [...new Set(formsTyped)];
  // A legal form alone is a question for all companies that have it.
  const asked = core.length > 0 ? core : words;
  const forms = asForms.map((text) => ({ text, term: parts.terms.find(text) }));
  const related = asForms.map((form) => parts.relatedForms(form));
  const asWords =
    core.length > 0 ? [...related.map(({ asWord }) => asWord), rareFormAsWord(parts, q, forms)] : [];
  let allWords: readonly string[] | null = null;
  const plan: QueryPlan = {
    q,
    get allWords() {
      allWords ??= foldedWords(q);
      return allWords;
    },
    words: [],
    apart: wordsApart(q, core),
    meanings: new Map(),
    hashes: new Set(),
    forms: idsOf(forms.flatMap(({ term }) => term ?? [])),
    formsAsked: asForms.length,
    relatedForms: allOf([...related.map(({ ids }) => ids), ...asWords]),
    formsAsWords: allOf(asWords),
    begun: null,
    begunByForm: null,
    pairs: 0,
    repeated: asked.length - new Set(asked).size,
    repeatsForm: formsTyped.length > asForms.length,
  };
  const typed = [...new Set(asked)].map((word) => typedTerms(parts, word, plan.relatedForms));
  for (const { text, terms } of rarest(plan, typed)) {
    addWord(parts, plan, text, terms);
  }
  addConnectors(parts, plan);
  return plan;
}

/** "legendre et" begins Legendre et Associés: in the middle of a name the word is a connector, and at an end it is a word. */
function addConnectors({ terms }: IndexParts, plan: QueryPlan): void {
  for (const [word, { text }] of plan.words.entries()) {
    if (!alwaysConnectors.has(text)) continue;
    const term = terms.find(connector);
    if (term !== null) addMeaning(plan, term, { ...wholeWord, word, certainty: certainty.otherwiseWritten });
  }
}

/**
 * The terms of a question of several legal forms and nothing else, whose first form names take for a name; else none.
 * @param terms the terms of `q`
 */
export function formsAlone(q: string, terms: readonly string[]): string[] {
  if (tokenOfSpelling(terms.filter((term) => !isForm(term)).join(' ')) === '') return [];
  // Behind the word of a name, all are forms.
  const { core, forms } = nameParts(`name ${q}`);
  return core.length === 1 && forms.length > 1 ? forms.map((form) => formMark + form) : [];
}

/** "beheer anl" may be ANL Beheer, although "anl" is a legal form, too: the last word, if it is a form of few companies. */
function rareFormAsWord(
  { terms, shape }: IndexParts,
  q: string,
  forms: readonly { readonly text: string; readonly term: Term | null }[],
): ReadonlySet<number> {
  const few = shape.documents * searchLimits.rareFormShare;
  const rare = forms.filter(({ term }) => term === null || term.frequency <= few);
  if (rare.length === 0) return noIds;
  const last = foldedWords(q).at(-1) ?? '';
  const token = formMark + formsBegunBy(last).token;
  const word = rare.some(({ text }) => text === token) ? terms.find(last) : null;
  return word === null ? noIds : new Set([word.id]);
}

/** A legal form may be typed letter by letter too: "larkmoor s a". */
function wordsApart(q: string, core: readonly string[]): ReadonlySet<string> {
  const letters = lettersApart(q);
  return letters.size === 0 ? letters : new Set(core.filter((word) => letters.has(word)));
}

const noIds: ReadonlySet<number> = new Set();

/** Most questions have one form, whose ids are kept. */
function allOf(sets: readonly ReadonlySet<number>[]): ReadonlySet<number> {
  const filled = sets.filter(({ size }) => size > 0);
  return filled.length > 1 ? new Set(filled.flatMap((ids) => [...ids])) : (filled[0] ?? noIds);
}

function idsOf(terms: readonly Term[]): Set<number> {
  return new Set(terms.map(({ id }) => id));
}

interface TypedWord {
  readonly text: string;
  readonly terms: readonly Term[];
}

/**
 * A word may be a term of its own; at the end of a name, a legal form: "limited", "as"; and a form together with one of the
 * question: "ltd larkmoor co".
 * @param related ids of the forms that contain a form of the question, or are contained in one
 */
function typedTerms(parts: IndexParts, text: string, related: ReadonlySet<number>): TypedWord {
  const plain = isForm(text) ? text.slice(formMark.length) : text;
  const [word, form] = [parts.terms.find(plain), parts.terms.find(formMark + plain)];
  const wholes = form === null || isForm(text) ? [] : parts.relatedForms(formMark + plain).terms;
  const terms = [word, form, ...wholes.filter(({ id }) => related.has(id))].filter((term) => term !== null);
  return { text, terms };
}

/**
 * Limits the words of a question to the rarest that any name has, and keeps their order. The letters of a form between others are
 * rare, because most names have it at an end, and tell nothing.
 */
function rarest({ allWords }: QueryPlan, words: readonly TypedWord[]): readonly TypedWord[] {
  if (words.length <= searchLimits.queryWordsMax) return words;
  const forms = formsInLetters(allWords).map(({ terms }) => terms);
  const isOfForm = ({ text }: TypedWord) => forms.some((terms) => terms.has(text));
  const count = ({ terms }: TypedWord) => terms.reduce((sum, term) => sum + term.frequency, 0);
  const known = words.filter(({ terms }) => terms.length > 0);
  const order = (a: TypedWord, b: TypedWord) =>
    Number(isOfForm(a)) - Number(isOfForm(b)) || count(a) - count(b);
  const kept = new Set([...known].sort(order).slice(0, searchLimits.queryWordsMax));
  return words.filter((word) => kept.has(word));
}

function addWord(parts: IndexParts, plan: QueryPlan, text: string, terms: readonly Term[]): void {
  const word = plan.words.length;
  const typed = terms.map((term) => parts.sets.listOf(term));
  const [main] = terms;
  const weight = main === undefined ? unknownWeight : (parts.weights[main.id] ?? 1);
  for (const term of terms) addMeaning(plan, term, { word, certainty: certainty.typed, ...wholeWord });
  plan.words.push({
    text,
    weight,
    light: isLight(text) && !plan.apart.has(text),
    typed,
    union: typed,
    telling: typed,
  });
}

/** The weight of the whole question. */
export function weightOfAll({ words }: QueryPlan): number {
  return words.reduce((sum, { weight }) => sum + weight, 0);
}

/** Records that a word may mean a term. */
export function addMeaning(plan: QueryPlan, { id, hash }: Term, meaning: Meaning): void {
  plan.hashes.add(hash);
  const known = plan.meanings.get(id);
  if (known === undefined) plan.meanings.set(id, [meaning]);
  else known.push(meaning);
}

/** The documents of each word as typed; as meant, if no name has it. */
export function typedElseMeant(words: readonly QueryWord[]): Union[] {
  return words.map(({ typed, union }) => (typed.length > 0 ? typed : union));
}

/** Adds the documents of meanings that are no guessed legal forms. */
export function addLists(word: QueryWord, lists: readonly DocumentList[]): void {
  if (lists.length === 0) return;
  word.union = [...word.union, ...lists];
  word.telling = [...word.telling, ...lists];
}
