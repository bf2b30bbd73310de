/** Recognises short names: letters of a longer name, which people put beside it. */
import { readCountry } from '../countries.ts';
import { connector, foldedWords } from './fold.ts';
import { isSurelyNumber } from './ordinals.ts';

/** Short names in capitals, as people put them in brackets behind the whole: (BAT), (E.C.M). */
export function isAcronym(text: string, name: string): boolean {
  const letters = text.replace(/[.\s]/g, '');
  if (letters.length < 2 || letters.length > 8 || !/^[\p{Lu}\p{N}&-]+$/u.test(letters)) return false;
  const initials = initialsOf(foldedWords(name));
  return initials.startsWith(letters.toLowerCase().slice(0, 1)) || initials.includes(letters.toLowerCase());
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
