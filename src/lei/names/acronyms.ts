/** Recognises short names: letters of a longer name, which people put beside it. */
import { readCountry, readCountryCode } from '../countries.ts';
import { connector, foldedWords } from './fold.ts';
import { splitLegalForms } from './legal-forms.ts';
import { isSurelyNumber } from './ordinals.ts';
import { placeOf, stateOf } from './places.ts';

/** Short names in capitals, as people put them in brackets behind the whole: (BAT), (E.C.M). */
export function isAcronym(text: string, name: string): boolean {
  const letters = capitalsOf(text);
  if (letters === null) return false;
  const initials = initialsOf(foldedWords(name));
  return initials.startsWith(letters.toLowerCase().slice(0, 1)) || initials.includes(letters.toLowerCase());
}

/** The capitals of what may be a short name, without full stops; null for other texts. */
function capitalsOf(text: string): string | null {
  const letters = text.replace(/[.\s]/g, '');
  return /^[\p{Lu}\p{N}&-]{2,8}$/u.test(letters) ? letters : null;
}

/** Whether capitals are made of the letters of a name, numbers aside: NAGICO for National General Insurance Co. */
export function isShortNameOf(text: string, name: string): boolean {
  const letters = foldedLetters(capitalsOf(text) ?? '').replace(/\p{N}/gu, '');
  return letters !== '' && isMadeOf(letters, foldedLetters(name));
}

/** Whether capitals are made of the beginnings of a name's words, in their order: words may be left out, but not the first. */
export function isInitialsOf(text: string, name: string): boolean {
  const letters = foldedLetters(capitalsOf(text) ?? '');
  const [first = '', ...others] = foldedWords(name);
  const reached = new Set(endsOf(first, letters, 0));
  for (const word of others) {
    for (const end of [...reached].flatMap((at) => endsOf(word, letters, at))) reached.add(end);
  }
  return letters !== '' && reached.has(letters.length);
}

/** Where the beginnings of a word that stand at a place of the letters end. */
function endsOf(word: string, letters: string, at: number): number[] {
  const ends: number[] = [];
  for (let length = 1; length <= word.length && letters.startsWith(word.slice(0, length), at); length++) {
    ends.push(at + length);
  }
  return ends;
}

/** Whether capitals beside a name are a place or a legal form, which many companies have there: (BERMUDA), (SL), (PVT.). */
export function saysOther(text: string): boolean {
  const words = foldedWords(text);
  const isPlace = placeOf(words) !== null || stateOf(words) !== null || readCountryCode(text) !== null;
  return isPlace || australianStates.has(text) || splitLegalForms(['x', ...words]).core.length === 1;
}

function foldedLetters(text: string): string {
  return foldedWords(text)
    .filter((word) => word !== connector)
    .join('');
}

/** The first letters of the words of a name, small words aside. */
function initialsOf(words: readonly string[]): string {
  return words.map((word) => (word === connector ? '' : word.charAt(0))).join('');
}

/** True if a text begins with the first letter and has the others behind it, in their order. */
export function isMadeOf(letters: string, text: string): boolean {
  if (text.charAt(0) !== letters.charAt(0)) return false;
  let at = 0;
  for (const letter of letters) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** The short name of a trust in brackets, which need not be made of its letters: not its country or state, nor its number. */
export function isCodeOfTrust(text: string): boolean {
  const [, code = ''] = /\b(?:trust|settlement|estate)\s*\((\p{Lu}{3,5})\)$/iu.exec(text) ?? [];
  if (code !== code.toUpperCase() || code === '') return false;
  return (
    readCountry(code) === null && !australianStates.has(code) && !isSurelyNumber(['', code.toLowerCase()], 1)
  );
}
const australianStates = new Set(['NSW', 'VIC', 'QLD', 'TAS', 'ACT']);
