/** Moves a legal form that stands between the words of a name behind them. */
import { foldedCharacters } from './fold.ts';
import { spellingsOfForms } from './script-forms.ts';

let innerForm: RegExp | null = null;

/** A legal form between the words of a name: in Greece before the line of business, in North Macedonia before the city. */
function innerForms(): RegExp {
  if (innerForm !== null) return innerForm;
  const spellings = spellingsOfForms('inside').map((spelling) =>
    foldedCharacters(spelling).replaceAll('.', '\\.?').replaceAll(' ', '\\s+'),
  );
  innerForm = new RegExp(`^(.+?)\\s+(${spellings.join('|')})\\s+(.+)$`, 'u');
  return innerForm;
}

const greekOrCyrillic = /[\u0370-\u04ff]/;

/** The text with such a form behind the other words, folded; the same text if it has none. */
export function withFormAtEnd(text: string): string {
  const found = greekOrCyrillic.test(text) ? innerForms().exec(foldedCharacters(text)) : null;
  return found === null ? text : `${found[1]} ${found[3]} ${found[2]}`;
}
