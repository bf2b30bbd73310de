/**
 * Makes `folded-forms.txt`, the spellings of legal forms as legal-forms.ts reads them: `bun run fold-forms`. Folding them
 * took every thread that reads names 0.1 s of its start.
 *
 * The spellings come from the Entity Legal Form list (ISO 20275, version 1.5 of 2023-09-28, as published by GLEIF, CC0
 * 1.0): local names, transliterated names and abbreviations of each form, without those that distinguish companies
 * rather than their form (banks, funds, trusts, foundations, associations, public bodies) and without abbreviations
 * that are ordinary words or names. `legal-form-names.txt` also has spellings that names use but the list lacks (Ltd,
 * Pvt, S. de R.L. de C.V. and the like). Each line is a form: its short token, then all spellings. A spelling with a
 * missing word counts as well: {@link lackingOneWord}. Forms in scripts other than Latin are those of script-forms.ts.
 *
 * `form-spellings.txt` has the everyday spellings of each market: market (ISO 3166-1 alpha-2), token, spellings, and the
 * source that shows them.
 */
import { writeFileSync } from 'node:fs';
import { tableLines } from '../table-lines.ts';
import { foldedWords } from './fold.ts';
import { scriptForms } from './script-forms.ts';

interface Spelling {
  readonly token: string;
  readonly words: readonly string[];
}

/**
 * Lines of `folded-forms.txt`: token, tab, folded words. If two forms have the same spelling, it belongs to the first.
 * Spellings that begin with the same words stand together, the shortest first.
 */
export function foldedForms(): string {
  const spellings = [...readSpellings()];
  // Added last: a spelling that is a form by itself stays that form.
  const lacking = spellings.flatMap(({ token, words }) =>
    lackingOneWord(words).map((rest) => ({ token, words: rest })),
  );
  const first = new Map<string, Spelling>();
  for (const each of [...spellings, ...lacking]) {
    const spelling = each.words.join(' ');
    if (!first.has(spelling)) first.set(spelling, each);
  }
  const lines = together([...first.values()], 0).map(({ token, words }) => `${token}\t${words.join(' ')}\n`);
  return lines.join('');
}

/** @param at how many words the spellings have in common */
function together(spellings: readonly Spelling[], at: number): Spelling[] {
  const whole = spellings.filter(({ words }) => words.length === at);
  const longer = spellings.filter(({ words }) => words.length > at);
  const byWord = Map.groupBy(longer, ({ words }) => words[at]);
  return [...whole, ...byWord.values().flatMap((begun) => together(begun, at + 1))];
}

function* readSpellings(): Generator<Spelling> {
  for (const line of tableLines(new URL('./form-spellings.txt', import.meta.url))) {
    const [, token = '', phrases = ''] = line.split('\t');
    yield* spellingsIn(token, phrases.split('|'));
  }
  for (const { token, spellings } of scriptForms()) yield* spellingsIn(token, spellings);
  for (const line of tableLines(new URL('./legal-form-names.txt', import.meta.url))) {
    const [token = '', phrases = ''] = line.split('\t');
    yield* spellingsIn(token, phrases.split('|'));
  }
}

function* spellingsIn(token: string, phrases: readonly string[]): Generator<Spelling> {
  for (const phrase of phrases) {
    const words = foldedWords(phrase);
    if (words.length > 0) yield { token, words };
  }
}

const smallLettersMax = 3;
/** Words from this length on help to recognise a form. */
const tellingLettersMin = 5;
const tellingWordsMin = 2;

/** "For profit corporation" is the opposite of "not for profit corporation". */
const negations = new Set(['not', 'non']);

/**
 * The folded words of a form without one of the inner words, in each way that still identifies the form, as in "spółka
 * ograniczoną odpowiedzialnością". A small word may be missing, or a longer one if a small word still joins the rest
 * ("sabiedrība ar atbildību"). Otherwise too much of a name, or of a form with a typing error, would count as a form.
 */
export function lackingOneWord(words: readonly string[]): string[][] {
  return words.flatMap((word, at) => {
    if (at === 0 || at === words.length - 1 || negations.has(word)) return [];
    const rest = words.toSpliced(at, 1);
    const isJoined = rest.slice(1, -1).some(isSmall);
    return (isSmall(word) || isJoined) && countTelling(rest) >= tellingWordsMin ? [rest] : [];
  });
}

function isSmall({ length }: string): boolean {
  return length <= smallLettersMax;
}

function countTelling(words: readonly string[]): number {
  return words.filter(({ length }) => length >= tellingLettersMin).length;
}

if (import.meta.main) writeFileSync(new URL('./folded-forms.txt', import.meta.url), foldedForms());
