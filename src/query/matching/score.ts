/**
 * Computes the score of a candidate: the probability that it is the wanted company. The weights of names, legal forms
 * and countries come from a logistic regression on half of the questions of test/bench/match (by its fit.ts). Those of
 * cities and registration numbers are chosen by hand, because the bench asks for neither.
 */
import { type BestName, type Features, foreignForm, unknownForm } from './features.ts';
import type { Profile } from './profile.ts';

/** In natural logarithms of odds. */
const weights = {
  base: 6.79,
  /** For each share of {@link NameEvidence}. */
  slips: -2.88,
  otherWords: -2.1,
  extra: -1.91,
  added: -0.63,
  missing: -6.44,
  /** Added once, if there is any. */
  anySlip: -0.92,
  anyOtherWord: -2,
  anyExtra: -2.57,
  anyMissing: -2.92,
  /** The question's name agrees with a name other than the legal one. */
  otherName: -4.47,
  sameForm: 0.95,
  otherForm: -2.85,
  /** A form that is foreign to the country, which is the requested one. */
  foreignInCountry: 0.79,
  unknownForm: -4.79,
  sameCountry: 0.46,
  otherCountry: -6.99,
  replaced: -2.91,
  /** The same, by how common the words are: many companies share a common name with one more word or another form. */
  common: -5.51,
  commonSlips: -1.72,
  commonExtra: -3.92,
  commonAdded: -2.19,
  commonSwapped: -2.93,
  commonOtherForm: -3.07,
  commonForeignForm: -4.26,
} as const;
type Weighed = Readonly<Record<keyof typeof weights, number>>;

const weightsOfPlace = { sameCity: 1.5, otherCity: -0.7, sameNumber: 5, otherNumber: -3 } as const;
/** The weight of a registration number if the question has no name. */
const numberAlone = 3.5;
const nothingAlike = -6;

/** @param name null if none is similar or the question has none; `features.name` says which */
export function scoreOf(features: Features, name: BestName | null, profile: Profile): number {
  const { otherCity, sameCity } = weightsOfPlace;
  const odds = oddsOfName(features, name, profile) + between(features.city, otherCity, sameCity);
  return 1 / (1 + Math.exp(-odds));
}

function oddsOfName(features: Features, name: BestName | null, profile: Profile): number {
  const { registrationNumber: number } = features;
  if (name !== null) {
    const { otherNumber, sameNumber } = weightsOfPlace;
    return weighed(weighedOf(features, name, profile)) + between(number, otherNumber, sameNumber);
  }
  const rest = oddsOfCountry(features) + (profile.isReplaced ? weights.replaced : 0);
  if (features.name === null && number !== null) return rest + between(number, nothingAlike, numberAlone);
  return rest + nothingAlike + between(number, weightsOfPlace.otherNumber, weightsOfPlace.sameNumber);
}

function oddsOfCountry(features: Features): number {
  const { sameCountry, otherCountry } = countryAgrees(features);
  return sameCountry * weights.sameCountry + otherCountry * weights.otherCountry;
}

/** A company with only its headquarters in the country gets no bonus. */
function countryAgrees({ country }: Features) {
  return { sameCountry: Number(country === 1), otherCountry: Number(country === 0) };
}

/** The share of each weight that counts for a candidate with a similar name. */
export function weighedOf(features: Features, name: BestName, { isReplaced }: Profile): Weighed {
  const { slips, otherWords, extra, added, missing, swapped, place } = name;
  const { legalForm } = features;
  const common = commonnessOf(name);
  const country = countryAgrees(features);
  const isForeign = Number(legalForm === foreignForm);
  return {
    base: 1,
    slips,
    otherWords,
    extra,
    added,
    missing,
    anySlip: Number(slips > 0),
    anyOtherWord: Number(otherWords > 0),
    anyExtra: Number(extra > 0),
    anyMissing: Number(missing > 0),
    otherName: Number(place > 0),
    sameForm: Number(legalForm === 1),
    otherForm: Number(legalForm === 0),
    foreignInCountry: isForeign * country.sameCountry,
    unknownForm: Number(legalForm === unknownForm),
    ...country,
    replaced: Number(isReplaced),
    common,
    commonSlips: common * slips,
    commonExtra: extra > 0 ? common : 0,
    commonAdded: added > 0 ? common : 0,
    commonSwapped: swapped ? common : 0,
    commonOtherForm: legalForm === 0 ? common : 0,
    commonForeignForm: common * isForeign,
  };
}

/** From near 0 for rare words to 3.3 for names without a distinctive word. */
function commonnessOf({ said }: BestName): number {
  return 1 / (0.3 + said);
}

function weighed(shares: Weighed): number {
  let odds = 0;
  for (const name of weightNames) odds += weights[name] * shares[name];
  return odds;
}

/** In the order of the regression's weights. */
export const weightNames = Object.keys(weights).filter(
  (name): name is keyof typeof weights => name in weights,
);

/** From `none` for a feature of 0 to `whole` for 1; 0 if it is unknown. */
function between(feature: number | null, none: number, whole: number): number {
  return feature === null ? 0 : none + (whole - none) * feature;
}
