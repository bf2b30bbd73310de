/** Prepares a name for comparison with others. */
import { withAnyLetter, wordsLike } from '../../lei/names/damaged-text.ts';
import type { SplitName } from '../../lei/names/legal-forms.ts';
import { isForm, nameKey, nameParts, termsOf } from '../../lei/names/name-terms.ts';
import { ordinalsOf, withoutNumberSigns } from '../../lei/names/ordinals.ts';
import { trustIn } from '../../lei/names/parties.ts';
import { subFundIn } from '../../lei/names/sub-funds.ts';
import type { Transliteration } from '../../lei/names/transliterate.ts';
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
  /** Of a sub-fund: where its own part of the core begins, behind the umbrella's; 0 for other names. */
  readonly partAt: number;
  /** The numbers of the core, by their place. */
  readonly ordinals: readonly (string | null)[];
  /** The numbers of the whole question, of which the name may be a part. None for a known name. */
  readonly askedNumbers: ReadonlySet<string>;
  /** What words of the core with lost letters may be, by their place. Null for words that lost none. */
  readonly likeLost: readonly (RegExp | null)[];
  /** Whether it names a trustee beside the trust. */
  readonly namesTrustee: boolean;
  /** How a name of another script was put in Latin letters; null for a name as it is written. */
  readonly transliteration: Transliteration | null;
}

export function comparedName(text: string): ComparedName {
  return comparedParts(text, nameParts(text));
}

/** The name in Latin letters; its words are compared by their sound as well. */
export function comparedTransliteration(transliteration: Transliteration): ComparedName {
  return { ...comparedName(transliteration.text), transliteration };
}

/** @param core and forms of the text, which may be read otherwise than they stand */
export function comparedParts(text: string, { core, forms }: SplitName): ComparedName {
  const parts = { core: withoutNumberSigns(core), forms };
  const terms = termsOf(text, parts).slice(0, matchLimits.termsMax);
  const own = terms.filter((term) => !isForm(term));
  return {
    text,
    core: own,
    words: parts.core,
    forms: formsIn(terms, text),
    key: nameKey(terms),
    partAt: 0,
    ordinals: ordinalsOf(own, text),
    askedNumbers: noNumbers,
    likeLost: likeLost(text, own.length),
    namesTrustee: trustIn(text) !== null,
    transliteration: null,
  };
}

/** The name of a fund, which may be one of an umbrella. */
export function comparedFund(text: string): ComparedName {
  const fund = comparedName(text);
  const { core } = comparedName(subFundIn(text)?.part ?? '');
  const at = fund.core.length - core.length;
  const isEnd = core.length > 0 && core.every((word, place) => word === fund.core[at + place]);
  return { ...fund, partAt: isEnd ? at : 0 };
}

const noNumbers: ReadonlySet<string> = new Set();

/** Of the words of the core with any letter for a lost one, if they are as many. */
function likeLost(text: string, words: number): readonly (RegExp | null)[] {
  const spelled = withAnyLetter(text);
  const like = spelled === null ? [] : withoutNumberSigns(nameParts(spelled).core);
  return like.length === words ? like.map(wordsLike) : [];
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
