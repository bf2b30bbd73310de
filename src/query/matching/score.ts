/**
 * The score of a candidate: the chance that it is the company that is meant, from what speaks for it and against it. The
 * weights of names, legal forms and countries are a logistic regression on half of the questions of test/bench/match;
 * those of cities and registration numbers are chosen by hand, as the bench asks for neither.
 */
import { type BestName, type Features, unknownForm } from './features.ts';
import type { Profile } from './profile.ts';

/** In natural logarithms of odds. */
const weights = {
  base: 7.1,
  /** For each share of {@link NameEvidence}. */
  slips: -4.6,
  extra: -8.3,
  missing: -5.9,
  /** Once where there is any. */
  anySlip: -1.6,
  anyExtra: -2.4,
  anyMissing: -2.8,
  /** The name agrees with another one than the legal name. */
  otherName: -3.9,
  sameForm: 1.1,
  otherForm: -0.9,
  unknownForm: -4.5,
  sameCountry: 0.5,
  otherCountry: -6.6,
  replaced: -1.4,
  sameCity: 1.5,
  otherCity: -0.7,
  sameNumber: 5,
  otherNumber: -3,
} as const;

/** The same, by how common the words are: many companies have a common name with a word more or another form. */
const weightsOfCommon = { base: -6.2, slips: -3.3, anyExtra: -1.4, swapped: -2.7, otherForm: -2.7 } as const;

/** What a registration number says without a name. */
const numberAlone = 3.5;
const nothingAlike = -6;

/** @param name null where none is alike or none is asked for; `features.name` tells which */
export function scoreOf(features: Features, name: BestName | null, { isReplaced }: Profile): number {
  const odds =
    oddsOfName(features, name) +
    oddsOfCountry(features.country) +
    between(features.city, weights.otherCity, weights.sameCity) +
    (isReplaced ? weights.replaced : 0);
  return 1 / (1 + Math.exp(-odds));
}

function oddsOfName(features: Features, name: BestName | null): number {
  const number = features.registrationNumber;
  if (features.name === null)
    return number === null ? nothingAlike : between(number, nothingAlike, numberAlone);
  const ofNumber = between(number, weights.otherNumber, weights.sameNumber);
  if (name === null) return nothingAlike + ofNumber;
  return oddsOfWords(name) + oddsOfForm(features.legalForm, commonnessOf(name)) + ofNumber;
}

function oddsOfWords(name: BestName): number {
  const { slips, extra, missing, swapped, place } = name;
  const once = (is: boolean, weight: number) => (is ? weight : 0);
  const common =
    weightsOfCommon.base +
    weightsOfCommon.slips * slips +
    once(extra > 0, weightsOfCommon.anyExtra) +
    once(swapped, weightsOfCommon.swapped);
  return (
    weights.base +
    weights.slips * slips +
    weights.extra * extra +
    weights.missing * missing +
    once(slips > 0, weights.anySlip) +
    once(extra > 0, weights.anyExtra) +
    once(missing > 0, weights.anyMissing) +
    once(place > 0, weights.otherName) +
    common * commonnessOf(name)
  );
}

/** From near 0 for rare words to 3.3 for names of which no word says anything. */
function commonnessOf({ said }: BestName): number {
  return 1 / (0.3 + said);
}

function oddsOfForm(form: number | null, common: number): number {
  if (form === null) return 0;
  if (form === unknownForm) return weights.unknownForm;
  return form === 1 ? weights.sameForm : weights.otherForm + weightsOfCommon.otherForm * common;
}

/** That of the headquarters instead of the legal address is no hint. */
function oddsOfCountry(country: number | null): number {
  if (country === null || (country > 0 && country < 1)) return 0;
  return country === 1 ? weights.sameCountry : weights.otherCountry;
}

/** From `none` where a feature is 0 to `whole` where it is 1; 0 where it says nothing. */
function between(feature: number | null, none: number, whole: number): number {
  return feature === null ? 0 : none + (whole - none) * feature;
}
