/** Prepares a name for comparison with others. */
import { isForm, nameKey, nameParts, termsOf } from '../../lei/names/name-terms.ts';
import { withoutNumberSigns } from '../../lei/names/ordinals.ts';
import { matchLimits } from './limits.ts';

/** A name prepared for comparison. */
export interface ComparedName {
  readonly text: string;
  /** Core terms in order, without legal forms. */
  readonly core: readonly string[];
  /** The folded words of the core, not cut. */
  readonly words: readonly string[];
  /** Terms of the legal forms. */
  readonly forms: readonly string[];
  readonly key: string;
  /** A transliterated name: its words are compared by their sound as well. */
  readonly isTransliterated: boolean;
}

export function comparedName(text: string, isTransliterated = false): ComparedName {
  const { core, forms } = nameParts(text);
  const parts = { core: withoutNumberSigns(core), forms };
  const terms = termsOf(text, parts).slice(0, matchLimits.termsMax);
  return {
    text,
    core: terms.filter((term) => !isForm(term)),
    words: parts.core,
    forms: formsIn(terms, text),
    key: nameKey(terms),
    isTransliterated,
  };
}

/** Their terms are those of the English forms, which lists in English write for companies of all countries. */
const russianForms = /\b(?:ao|oao|pao|zao)\b/i;
const russianTerms = new Map([
  ['§jsc', '§ао'],
  ['§ojsc', '§оао'],
  ['§pjsc', '§пао'],
  ['§cjsc', '§зао'],
]);

function formsIn(terms: readonly string[], text: string): readonly string[] {
  const forms = terms.filter(isForm);
  return russianForms.test(text) ? forms.map((form) => russianTerms.get(form) ?? form) : forms;
}
