/**
 * The legal forms of names in scripts other than Latin. `script-forms.txt` has a line for each: the countries that use it
 * (ISO 3166-1 alpha-2), its short token, where it stands in a name besides at the end, and its spellings. The forms are
 * those of the Entity Legal Form list and of the company laws of countries that the list lacks; plurals and some longer
 * spellings are only names of that list. If two forms have the same spelling, it belongs to the first.
 */
import { tableLines } from '../table-lines.ts';

/**
 * `front`: a single word of it may begin a name. `inside`: it may stand between the words. `joined`: there may be no space
 * between it and the name.
 */
type FormPlace = 'front' | 'inside' | 'joined';

interface ScriptForm {
  readonly token: string;
  readonly places: readonly string[];
  /** As they are written. */
  readonly spellings: readonly string[];
}

/** All forms, read anew at each call. */
export function scriptForms(): readonly ScriptForm[] {
  return tableLines(new URL('./script-forms.txt', import.meta.url)).map((line) => {
    const [, token = '', places = '', spellings = ''] = line.split('\t');
    return { token, places: places.split(','), spellings: spellings.split('|') };
  });
}

/** The spellings of the forms that may stand there, the longest first. */
export function spellingsOfForms(place: FormPlace): readonly string[] {
  return scriptForms()
    .filter(({ places }) => places.includes(place))
    .flatMap(({ spellings }) => spellings)
    .sort((a, b) => b.length - a.length);
}
