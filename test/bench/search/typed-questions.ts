/**
 * Makes fifteen kinds of questions from names as they are written, legal forms included: words are dropped, moved and
 * mistyped wherever they stand. Unlike in questions.ts, a company with the same words and another legal form is a wrong
 * answer, unless the question names no form.
 */
import { foldedWords } from '../../../src/lei/names/fold.ts';
import { splitLegalForms } from '../../../src/lei/names/legal-forms.ts';
import { isForm, nameKey, nameTerms } from '../../../src/lei/names/name-terms.ts';
import type { LinkedCompany } from '../../support/index-companies.ts';
import { oneError, otherConnector, otherForms } from './questions.ts';
import { createRandom, type Random } from './random.ts';

export const typedKinds = [
  'exact',
  'lower case',
  'no form',
  'other form',
  'one error',
  'two errors',
  'word dropped',
  'words moved',
  'unfinished',
  'joined',
  'split',
  'other name',
  'no diacritics',
  'connector',
  'initials',
] as const;
export type TypedKind = (typeof typedKinds)[number];

export interface TypedQuestion {
  readonly kind: TypedKind;
  readonly q: string;
  /** The name that it was made from. */
  readonly name: string;
  /** Entity numbers of the companies with this name; without legal form, if the question has none of it. */
  readonly right: ReadonlySet<number>;
}

/** Entity numbers by a key. Most keys have one, and a set for each of millions would not fit the memory. */
type EntitiesByKey = Map<string, number | Set<number>>;

/** The companies by the whole of each name, and by its core. */
export interface NamesOfAll {
  readonly whole: EntitiesByKey;
  readonly core: EntitiesByKey;
}

export function namesOfAll(companies: Iterable<LinkedCompany>): NamesOfAll {
  const names: NamesOfAll = { whole: new Map(), core: new Map() };
  for (const { entity, names: own } of companies) {
    for (const { name } of own) {
      addTo(names.whole, wholeKey(name), entity);
      addTo(names.core, keyOf(name), entity);
    }
  }
  return names;
}

function addTo(map: EntitiesByKey, key: string, entity: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, entity);
  else if (typeof known !== 'number') known.add(entity);
  else if (known !== entity) map.set(key, new Set([known, entity]));
}

function entitiesOf(map: EntitiesByKey, key: string): ReadonlySet<number> {
  const known = map.get(key);
  return typeof known === 'number' ? new Set([known]) : (known ?? new Set());
}

/** Words apart or joined, connectors aside, but with the legal form. */
export function wholeKey(name: string): string {
  return [...nameTerms(name)].filter((term) => term !== '&').join('');
}

/** At most `perKind` questions of each kind. Questions that are the whole name of another company are left out. */
export function makeTypedQuestions(
  candidates: readonly LinkedCompany[],
  all: NamesOfAll,
  perKind: number,
  seed: number,
): TypedQuestion[] {
  const random = createRandom(seed);
  const questions: TypedQuestion[] = [];
  for (const kind of typedKinds) {
    let made = 0;
    for (let tries = 0; tries < perKind * 100 && made < perKind; tries++) {
      const question = makeQuestion(kind, random.of(candidates), all, random);
      if (question === null) continue;
      questions.push(question);
      made++;
    }
  }
  return questions;
}

/** Null if the company's name does not suit that kind, or the question is the name of another company. */
function makeQuestion(
  kind: TypedKind,
  { entity, names: [legal, other] }: LinkedCompany,
  all: NamesOfAll,
  random: Random,
): TypedQuestion | null {
  const name = (kind === 'other name' ? other : legal)?.name;
  const q = name === undefined ? null : changes[kind](name, random);
  if (name === undefined || q === null || q.length < 2) return null;
  const right = rightAnswers(kind, q, name, all);
  const named = [...entitiesOf(all.whole, wholeKey(q))];
  return right.has(entity) && named.every((one) => right.has(one)) ? { kind, q, name, right } : null;
}

/** A question of all words of a name, joined or split too, without its form is about every company with these words. */
function rightAnswers(kind: TypedKind, q: string, name: string, all: NamesOfAll): ReadonlySet<number> {
  const isWithoutForm = kind === 'no form' || kind === 'other form' || (kind === 'unfinished' && !hasForm(q));
  const lacksOnlyForm = () =>
    !hasForm(q) && (sortedWords(q) === sortedWords(name) || keyOf(q) === keyOf(name));
  return isWithoutForm || lacksOnlyForm()
    ? entitiesOf(all.core, keyOf(name))
    : entitiesOf(all.whole, wholeKey(name));
}

/**
 * Whether a question without a legal form is the whole name of companies that are not right, forms aside. By the rule of the
 * kinds without a form it is about those: "Gulf Bank", made of Gulf Commercial Bank, is Gulf Bank KSCP.
 */
export function isNameOfOthers({ q, right }: Pick<TypedQuestion, 'q' | 'right'>, all: NamesOfAll): boolean {
  return !hasForm(q) && [...entitiesOf(all.core, keyOf(q))].some((entity) => !right.has(entity));
}

/** The words of a name without its legal form, joined. */
function keyOf(name: string): string {
  return nameKey(nameTerms(name));
}

function hasForm(text: string): boolean {
  return nameTerms(text).some(isForm);
}

function sortedWords(text: string): string {
  return nameTerms(text)
    .filter((term) => !isForm(term))
    .sort()
    .join(' ');
}

type Change = (name: string, random: Random) => string | null;

const letters = /^\p{L}+$/u;

const changes: Record<TypedKind, Change> = {
  exact: (name) => name,
  'lower case': (name) => name.toLowerCase(),
  'no form': (name) => {
    const words = foldedWords(name);
    const { core } = splitLegalForms(words);
    return core.length === 0 || core.length === words.length ? null : core.join(' ');
  },
  'other form': (name, random) => {
    const { core } = splitLegalForms(foldedWords(name));
    return core.length === 0 ? null : `${core.join(' ')} ${random.of(otherForms)}`;
  },
  'one error': (name, random) => mistyped(name, random, 1),
  'two errors': (name, random) => mistyped(name, random, 2),
  'word dropped': (name, random) => {
    const words = wordsOf(name);
    if (words.length < 3) return null;
    words.splice(random.whole(words.length), 1);
    const q = words.join(' ');
    return isOnlyForms(q) ? null : q;
  },
  'words moved': (name, random) => {
    const words = random.number() < 0.5 ? wordsOf(name) : splitLegalForms(foldedWords(name)).core.slice();
    if (words.length < 2) return null;
    if (random.number() < 0.5) words.push(words.shift() ?? '');
    else words.splice(random.whole(words.length - 1), 0, words.pop() ?? '');
    return words.join(' ');
  },
  unfinished: (name) => {
    const { core } = splitLegalForms(foldedWords(name));
    const last = core[core.length - 1] ?? '';
    if (core.length < 2 || !letters.test(last) || last.length < 5) return null;
    return [...core.slice(0, -1), last.slice(0, Math.ceil(last.length * 0.6))].join(' ');
  },
  joined: (name, random) => {
    const words = wordsOf(name);
    const places = words.flatMap((word, at) =>
      letters.test(word) && letters.test(words[at + 1] ?? '') ? [at] : [],
    );
    if (places.length === 0) return null;
    const at = random.of(places);
    words.splice(at, 2, `${words[at]}${words[at + 1]}`);
    return words.join(' ');
  },
  split: (name, random) => {
    const words = wordsOf(name);
    const places = words.flatMap((word, at) => (letters.test(word) && word.length >= 6 ? [at] : []));
    if (places.length === 0) return null;
    const at = random.of(places);
    const word = words[at] ?? '';
    const cut = 1 + random.whole(word.length - 2);
    words.splice(at, 1, word.slice(0, cut), word.slice(cut));
    return words.join(' ');
  },
  'other name': (name) => name,
  'no diacritics': (name) => {
    // The vowels of other scripts are marks too, which nobody leaves out.
    const plain = name.normalize('NFD').replace(/(?<=\p{Script=Latin})\p{M}+/gu, '');
    const ascii = plain.replace(/ł/g, 'l').replace(/ø/g, 'o');
    return ascii === name.normalize('NFD') ? null : ascii;
  },
  connector: otherConnector,
  initials: (name, random) => {
    const dotted = /(?:^|\s)((?:[A-Z]\.?\s?){2,3})(?=\s[\p{L}\p{N}]{3})/u.exec(name)?.[1]?.trim();
    if (dotted === undefined || /^(?:AG|SA|BV|NV|AB|AS|OY|CO|DE|AND)$/.test(dotted)) return null;
    const only = [...dotted.replace(/[^A-Z]/g, '')];
    // Nobody moves the letters of PLC or PTY.
    const areWord = splitLegalForms(foldedWords(name)).core.includes(only.join('').toLowerCase());
    if (only.length < 2 || !areWord) return null;
    const ways = [only.join(''), only.join(' '), `${only.join('.')}.`, only.toReversed().join(' ')];
    const changed = name.replace(dotted, random.of(ways));
    return changed === name ? null : changed;
  },
};

/** A question of legal forms and nothing else is about every company that has them. */
function isOnlyForms(q: string): boolean {
  return splitLegalForms(foldedWords(`name ${q}`)).core.length === 1;
}

function wordsOf(name: string): string[] {
  return name.split(/\s+/).filter((word) => word !== '');
}

/** Errors in words of four letters or more, the words of the legal form included. */
function mistyped(name: string, random: Random, errors: number): string | null {
  const words = wordsOf(name.toLowerCase());
  const places = words.flatMap((word, at) => (/^[a-z]+$/.test(word) && word.length >= 4 ? [at] : []));
  if (places.length === 0) return null;
  for (let error = 0; error < errors; error++) {
    const at = random.of(places);
    words[at] = oneError(words[at] ?? '', random);
  }
  const q = words.join(' ');
  return q === name.toLowerCase() ? null : q;
}
