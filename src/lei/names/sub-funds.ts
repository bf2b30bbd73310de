/** Reads the names of sub-funds, which have the umbrella's name in front: "Larkmoor SICAV - Global Bond". */
import { isLight, nameParts } from './name-terms.ts';
import { splitAt } from './parties.ts';

/** An umbrella and one of its sub-funds. */
interface SubFund {
  readonly umbrella: string;
  readonly part: string;
}

const betweenParts = /\s+[-–—]\s*(?=\S)|(?<=\S)[-–—:]\s+/g;
/** The end of the umbrella's name, which may have a dash before it: "Larkmoor SICAV - RAIF". */
const formOfFund = /^(?:s\.?c\.?a\.?,? )?(?:sicav|sicar|raif|sif|fis|fcp|icav|plc)(?:[\s-]|$)/i;

/** A fund's name in its two parts; null for a name of one. The dash of "2035 - 2039" is between numbers. */
export function subFundIn(name: string): SubFund | null {
  for (const { index, 0: dash } of name.matchAll(betweenParts)) {
    const [umbrella, part] = [name.slice(0, index), name.slice(index + dash.length)];
    const isRange = /\d$/.test(umbrella) && /^\d/.test(part);
    if (umbrella !== '' && !isRange && !formOfFund.test(part)) return { umbrella, part };
  }
  return null;
}

/** Words of sub-funds that do not tell one from another. */
export const usualOfSubFunds: ReadonlySet<string> = new Set(
  'fund funds fonds fondo fondos portfolio sub subfund segregated compartment sp cell'.split(' '),
);

/**
 * The places of the words, from `start` on, that some letters stand for: BGF of "BlackRock Global Funds", UBSIF. None if they are
 * not the first letters of several words, of which a short one may be whole.
 */
export function initialsOf(letters: string, words: readonly string[], start: number): readonly number[] {
  const places = letters.length < initialsMin ? null : initialsFrom(letters, words, start);
  return places !== null && places.length > 1 ? places : [];
}
const initialsMin = 3;
const shortWordMax = 4;

function initialsFrom(letters: string, words: readonly string[], at: number): readonly number[] | null {
  if (letters === '') return [];
  const word = words[at];
  if (word === undefined) return null;
  const taken = word.length <= shortWordMax ? [word, word.charAt(0)] : [word.charAt(0)];
  for (const begun of taken) {
    const rest = letters.startsWith(begun) ? initialsFrom(letters.slice(begun.length), words, at + 1) : null;
    if (rest !== null) return [at, ...rest];
  }
  return isLight(word) ? initialsFrom(letters, words, at + 1) : null;
}

const kindOfPart =
  '(?:sub-?\\s?fund|compartment|segregated (?:portfolio|account)|(?:protected )?cell|series|portfolio|teilfonds|' +
  'teilgesellschaftsverm(?:ö|oe)gen|compartiment|comparto|compartimento|subfondo)';
/** "Global Bond, a sub-fund of Larkmoor SICAV". */
const partOf = new RegExp(
  `(?:[,;(–-]\\s*(?:(?:an?|the|ein|un) )?|\\s(?:an?|the|ein|un) )(?:separate )?${kindOfPart} (?:of|in|within|der|des|von|du|de|del|della)(?: (?:the|la))?(?=\\s)`,
  'i',
);
/** "Larkmoor SICAV, Sub-Fund: Global Bond". */
const partCalled =
  /[\s,;(–-]+(?:sub-?\s?fund|compartment|teilfonds|compartiment|comparto)[\s:–-]+(?=[^\s(,])/i;
/** "Larkmoor SICAV, acting for and on behalf of its sub-fund Global Bond". */
const partBehind = new RegExp(
  '[\\s,;(–-]+(?:(?:acting|solely|only|in its own name|and|but),? )*(?:(?:for and )?on behalf of|o/b/o|for (?:the )?account of|in respect of|für rechnung (?:des|der)|pour le compte d[eu]) ' +
    `(?:(?:its|the|le|la|son) )?(?:(${kindOfPart})[\\s:]+(?!of ))?`,
  'i',
);
const vehicle =
  /\b(?:sicav|icav|spc|pcc|vcc|icc|ucits|fcp|raif|umbrella|funds|etfs?|(?:fund|trust)(?! (?:management|services|company|co|managers|administration|bank|corp)))\b/i;

const currency = '(?:eur|usd|gbp|chf|jpy|aud|cad|sek|nok|dkk|sgd|hkd|cnh|pln|czk|zar)';
const income = '(?:acc|accumulation|accumulating|dist|dis|distribution|distributing|hedged|hdg)';
/** "Class A EUR Acc", "I USD": shares of one fund. */
const shareClass = new RegExp(
  `[\\s,;(–-]+(?:share )?(?:(?:class|klasse|classe|anteilklasse|clase) [a-z]{1,2}\\d{0,2}(?:[\\s-]+(?:${currency}|${income}))*|[a-z]{1,2}\\d{0,2}[\\s-]+(?:${income}[\\s-]+)?${currency}(?:[\\s-]+${income})*)[\\s)]*$`,
  'i',
);

/** The same text if no class of shares stands behind it. */
export function withoutShareClass(text: string): string {
  return text.replace(shareClass, '');
}

/** Whom an umbrella acts for. */
interface ActedFor extends SubFund {
  /** The text calls it a sub-fund. Companies that are no funds act for each other as well. */
  readonly isCalledSo: boolean;
  /** Its name has a word of funds, and no legal form. */
  readonly isFund: boolean;
}

/** The parties of a text in which one acts for the other; null for other texts. */
export function actedFor(text: string): ActedFor | null {
  const kind = partBehind.exec(text)?.[1];
  const { before = '', after = '' } = splitAt(text, partBehind) ?? {};
  if (before === '' || after === '') return null;
  const isCalledSo = kind !== undefined || /\b(?:SP|segregated portfolio)\.?$/i.test(after);
  const isFund = fundWord.test(after) && nameParts(after).forms.length === 0;
  return { umbrella: before, part: after, isCalledSo, isFund };
}

/** Words that sub-funds' names have, and hardly any city's. */
const fundWord =
  /\b(?:(?:sub-?)?funds?|fonds|fondo|feeder|portfolio|compartment|segregated|etfs?|ucits|index|bonds?|debt|loans?|credit|equit(?:y|ies)|aktien|obligation\p{L}*|growth|income|return|balanced|conservative|dividend|opportunit(?:y|ies)|strategy|markets|selection|duration)\b/iu;
const wordsOfPlaceMax = 2;

/** True for words behind a fund's name that may name its sub-fund. A place, a number or a company with a legal form does not. */
export function mayBeSubFund(text: string): boolean {
  const { core, forms } = nameParts(text);
  const isPlace = core.length <= wordsOfPlaceMax && !/^\s*[-–—]/.test(text);
  return forms.length === 0 && (!isPlace || fundWord.test(text));
}

/** Names of a sub-fund as records have them, of a text that has its parts in another order or words between them. */
export function namesOfSubFund(text: string): readonly string[] {
  const named = splitAt(text, partOf);
  if (named !== null && named.before !== '' && named.after !== '')
    return [`${named.after} - ${named.before}`];
  const called = splitAt(text, partCalled);
  if (called !== null && called.before !== '' && called.after !== '')
    return [`${called.before} - ${called.after}`];
  const reversed = /^(.{3,}?)(?:\s*[(,;]\s*|\s+[-–—]\s*)([^()]*(?:\([^()]*\)[^()]*)*?)\)?$/u.exec(text);
  const [, part = '', umbrella = ''] = reversed ?? [];
  return vehicle.test(umbrella) ? [`${umbrella} - ${part}`] : [];
}
