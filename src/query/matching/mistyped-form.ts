/** Reads a legal form that is mistyped at the end of a name: "Limitd", "e.UU.", "G.m.bH". */
import { foldedWords } from '../../lei/names/fold.ts';
import { formSpellings } from '../../lei/names/legal-forms.ts';
import { formMark } from '../../lei/names/name-terms.ts';
import { nearFormWords } from '../../store/search/text/form-words.ts';
import { type ComparedName, comparedParts } from './compared-name.ts';

/** The name with the form that its last words mean; null if they mean none, or are one. */
export function withMistypedForm(name: ComparedName): ComparedName | null {
  const words = foldedWords(name.text);
  for (let length = Math.min(tailWordsMax, words.length - 1); length > 0; length--) {
    const tail = words.slice(-length);
    // A last word that is a form, like the UU of "e.UU.", may be a part of the meant one.
    const token = length > 1 ? tokenOfInitials(tail) : name.forms.length === 0 ? tokenNear(tail) : null;
    if (token === null || name.forms.includes(formMark + token)) continue;
    const compared = comparedParts(name.text, { core: words.slice(0, -length), forms: [token] });
    return { ...compared, askedNumbers: name.askedNumbers };
  }
  return null;
}

const tailWordsMax = 3;
const initialsMax = 3;

/** The form whose spelling has one other letter. */
function tokenNear([word = '']: readonly string[]): string | null {
  const near = nearFormWords(word).filter(({ distance }) => distance === 1);
  return near.map(({ spelling }) => formOf(spelling)).find((token) => token !== null) ?? null;
}

/** The form of initials of which one is doubled, or between which a full stop is missing. */
function tokenOfInitials(words: readonly string[]): string | null {
  if (words.some(({ length }) => length > initialsMax)) return null;
  const letters = words.join('');
  return formOf(letters) ?? formOf(letters.replace(/(.)\1/g, '$1'));
}

/** Of one word. */
function formOf(word: string): string | null {
  return formSpellings().next.get(word)?.token || null;
}
