/** Compares a candidate with the question: computes the features for its score. */
import { initialsKey, initialsMark } from '../../lei/names/name-terms.ts';
import { compareNumbers } from '../../lei/registration-numbers.ts';
import type { ComparedName } from './compared-name.ts';
import { initialsEvidence, type KnownWords, type NameEvidence, nameEvidence } from './name-likeness.ts';
import { isSameForm, type KnownName, type NameOrigin, type Profile, type Registration } from './profile.ts';
import type { AskedCity, AskedCompany, AskedReading } from './question.ts';

/**
 * How well a candidate agrees with the question, each 0 (not at all) to 1 (fully); null if the question does not
 * mention it, or the record has nothing to compare with.
 */
export interface Features {
  /** The similarity of the company's most similar name, without legal forms. */
  readonly name: number | null;
  readonly legalForm: number | null;
  readonly country: number | null;
  readonly city: number | null;
  readonly registrationNumber: number | null;
}

/** A name of the company beside a reading of the question's. */
export interface ComparedNames extends NameEvidence {
  readonly reading: AskedReading;
  readonly origin: NameOrigin;
  /** Both are whole names: no words were read out of them. */
  readonly areWhole: boolean;
}

/** All pairs of a reading and a name of the company that have a word in common, and the initials of a name. */
export function comparedNames(
  { readings, acronym, placeWords }: AskedCompany,
  profile: Profile,
  weightOf: KnownWords['weightOf'],
): readonly ComparedNames[] {
  const isPlace = (word: string) => placeWords.has(word) || profile.placeWords.has(word);
  const [reading] = readings;
  const isShort = acronym !== null && profile.names.some((name) => hasInitials(name, acronym));
  const short: readonly ComparedNames[] =
    isShort && reading !== undefined
      ? [{ ...initialsEvidence, reading, origin: 'initials', areWhole: false }]
      : [];
  return [...short, ...pairsOfNames(readings, profile, { weightOf, isPlace })];
}

function hasInitials({ core }: KnownName, letters: string): boolean {
  return initialsKey(core) === initialsMark + letters;
}

function pairsOfNames(
  readings: readonly AskedReading[],
  profile: Profile,
  words: KnownWords,
): readonly ComparedNames[] {
  return readings.flatMap((reading) =>
    profile.names.flatMap((name: KnownName) => {
      if (isOfSubFund(reading, name, profile)) return [];
      const evidence = nameEvidence(reading.compared, name, words);
      if (evidence === null || isOfTrustee(reading.compared, name, evidence)) return [];
      if (isBetterAsWritten(reading.compared, name, evidence)) return [];
      const origin = reading.compared.transliteration !== null ? 'transliterated' : name.origin;
      return [{ ...evidence, reading, origin, areWhole: reading.isAsItStands && name.isAsItStands }];
    }),
  );
}

/**
 * Two names of other scripts, in Latin letters, that differ by words or have Chinese characters by their sound. As they are
 * written, the weights of their words are known, and such characters differ although they sound alike.
 */
function isBetterAsWritten(asked: ComparedName, known: ComparedName, { missing }: NameEvidence): boolean {
  const [one, other] = [asked.transliteration, known.transliteration];
  return one !== null && other !== null && (missing > 0 || one.isBySound || other.isBySound);
}

/**
 * The reading and the name are of a fund and its sub-fund: the reading has a sub-fund that the name lacks, or it is an umbrella
 * without the sub-fund of the question.
 */
function isOfSubFund(reading: AskedReading, { partAt }: KnownName, { isFund }: Profile): boolean {
  return reading.isSubFund ? partAt === 0 : reading.isUmbrella && isFund;
}

/**
 * A trust is not its trustee, which may have many others: a name of both is compared with such names alone, unless the words that say
 * so are mistyped.
 */
function isOfTrustee(
  asked: ComparedName,
  known: ComparedName,
  { missing, cut, extra }: NameEvidence,
): boolean {
  if (asked.namesTrustee === known.namesTrustee) return false;
  return asked.namesTrustee || missing + cut + extra > 0;
}

/** @returns 0 to 1 */
function likenessOf({ slips, extra, added, places, missing, cut, swapped }: NameEvidence): number {
  return Math.max(0, 1 - slips - extra - added - missing - (places + cut) / 2 - (swapped ? swappedLoss : 0));
}
const swappedLoss = 0.02;

/**
 * The features of a company by a pair of names; by null if the question has no name, or none is similar. The others are compared
 * once.
 */
export function featuresOf(
  asked: AskedCompany,
  profile: Profile,
  shareIn: ShareIn,
): (names: ComparedNames | null) => Features {
  const others = {
    country: asked.country === null ? null : countryFeature(asked.country, profile),
    city: cityFeature(asked.city, profile),
    registrationNumber: registrationFeature(asked.registration, profile.registrations),
  };
  return (names) => {
    const forms = names?.reading.compared.forms ?? asked.readings[0]?.compared.forms ?? [];
    return {
      name: asked.name === null ? null : names === null ? 0 : likenessOf(names),
      legalForm: formFeature(forms, profile, shareIn),
      ...others,
    };
  };
}

/** A company with a legal form rarely has a record without one. */
export const unknownForm = 0.4;
/** An English form that stands for one of another language: KONE Corporation for KONE Oyj. */
export const translatedForm = 0.8;
/** A form that is rare in the country. */
export const foreignForm = 0.2;
const foreignShareMax = 0.005;

/** Share of the companies of a country that have a legal form. */
type ShareIn = (country: string, form: string) => number;

/** Forms that lists in English write for those of all languages. */
const englishForms = new Set('§ltd §plc §corp §inc §co §coltd §jsc §llc §pvtltd §pjsc'.split(' '));
/** Where they are the country's own. */
const englishCountries = new Set(
  'GB US CA AU NZ IE IN PK BD LK ZA NG KE GH UG TZ ZM ZW SG HK MY PH BM KY VG GG JE IM MT CY MU BS BB JM TT GI'.split(
    ' ',
  ),
);

function formFeature(asked: readonly string[], { forms, country }: Profile, shareIn: ShareIn): number | null {
  if (asked.length === 0) return null;
  if (forms.size === 0) return unknownForm;
  if (asked.some((form) => [...forms].some((other) => isSameForm(form, other)))) return 1;
  const isEnglish =
    asked.every((form) => englishForms.has(form)) && !forms.values().some((form) => englishForms.has(form));
  if (isEnglish && country !== null && !englishCountries.has(country)) return translatedForm;
  const isForeign = country !== null && asked.every((form) => shareIn(country, form) < foreignShareMax);
  return isForeign ? foreignForm : 0;
}

/** The headquarters' country says a little less than that of the legal address. */
function countryFeature(asked: string, { country, countries }: Profile): number | null {
  if (countries.size === 0) return null;
  if (country === asked) return 1;
  return countries.has(asked) ? 0.9 : 0;
}

/** Words of cities are no words of companies. */
const allTelling: KnownWords = { weightOf: () => 1, isPlace: () => false };

function cityFeature(asked: AskedCity | null, { cities, cityKeys }: Profile): number | null {
  if (asked === null || cities.length === 0) return null;
  if (cityKeys.has(asked.key)) return 1;
  const likeness = cities.map((city) => {
    const evidence = nameEvidence(asked.compared, city, allTelling);
    return evidence === null ? 0 : likenessOf(evidence);
  });
  return Math.max(...likeness);
}

/** If a register is given, numbers of other registers don't count. */
function registrationFeature(asked: Registration | null, known: readonly Registration[]): number | null {
  if (asked === null || known.length === 0) return null;
  const compared = known.map(({ authority, number }) => ({
    authority,
    agreement: compareNumbers(asked.number, number),
  }));
  const same = compared.filter(({ agreement }) => agreement === 'same');
  if (same.length === 0) return compared.some(({ agreement }) => agreement === 'different') ? 0 : null;
  return asked.authority === null || same.some(({ authority }) => authority === asked.authority)
    ? 1
    : otherRegister;
}
const otherRegister = 0.2;
