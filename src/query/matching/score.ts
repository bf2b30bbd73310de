/**
 * Adds up the evidence for and against a candidate, in logarithms of odds against "none of them". The weights come from
 * a regression on the questions of test/bench/match (by its fit.ts).
 */

import { grades, gradesMax } from '../../store/search/score/grades.ts';
import { type ComparedNames, type Features, foreignForm, translatedForm, unknownForm } from './features.ts';
import { matchLimits } from './limits.ts';
import type { Profile } from './profile.ts';
import { weights } from './weights.ts';

type WeightedFeatures = Readonly<Record<keyof typeof weights, number>>;

/** In the order of the regression's weights. */
export const weightNames = Object.keys(weights).filter(
  (name): name is keyof typeof weights => name in weights,
);

/** The weight of a registration number if the question has no name, chosen by hand: the bench asks for none alone. */
const numberAlone = 3.5;
const nothingAlike = -6;

/** What speaks for and against a company. */
export interface Evidence {
  readonly features: Features;
  readonly names: ComparedNames | null;
  /** In logarithms, against none of the companies. */
  readonly odds: number;
}

/** The chance of each company to be the right one; what they lack to one is the chance of none. */
export function chancesOf(companies: readonly Evidence[]): readonly number[] {
  const wholes = companies.map((each) => isEqualAsItStands(each) && each.names?.areWhole === true);
  const equal = wholes.includes(true) ? wholes : companies.map(isEqualAsItStands);
  const oddsWhere = (isEqual: boolean) =>
    companies.filter((_, at) => equal[at] === isEqual).map(({ odds }) => odds);
  // A name that is equal as it stands, where nothing else speaks against it, is that company's before all others.
  const wanted = Math.max(0, ...oddsWhere(false)) + leadOfEqualName;
  const raise = Math.max(0, wanted - Math.max(...oddsWhere(true)));
  const chances = companies.map(({ odds }, at) => Math.exp(odds + (equal[at] === true ? raise : 0)));
  const all = chances.reduce((sum, chance) => sum + chance, 1);
  return chances.map((chance) => chance / all);
}
const leadOfEqualName = 3;

function isEqualAsItStands({ names, features: { country, city } }: Evidence): boolean {
  return (
    names?.isExact === true &&
    names.reading.isAsItStands &&
    country !== 0 &&
    (city ?? 1) >= matchLimits.sameCityMin
  );
}

/** Whether the evidence names another company, whatever its sum is: by number, by name, by form, or as another party. */
export function speaksAgainst({ features, names }: Evidence): boolean {
  return (
    features.registrationNumber === 0 ||
    names?.reading.isOther === true ||
    names?.numbers === 'other' ||
    isFarTransliteration(features, names) ||
    isOtherForm(features) ||
    isNamesake(features, names)
  );
}

/**
 * Whether the company may be another one of several: by a number, by a sub-fund's name, as another trust, with other words, or
 * because others have these initials.
 */
export function isOneOfSeveral(evidence: Evidence): boolean {
  const { features, names } = evidence;
  if (features.registrationNumber === 1 || names === null) return false;
  return (
    names.numbers !== 'agreeing' ||
    names.lacksPart ||
    lacksUmbrella(evidence) ||
    isOtherTrust(names) ||
    isMereWord(evidence) ||
    isOtherWord(evidence) ||
    (names.origin === 'initials' && !isHere(features))
  );
}

/** Whether the question is a word that says too little about the company, in no city or another one. */
function isMereWord({ features: { city }, names }: Evidence): boolean {
  return names?.isMereWord === true && (city ?? 0) < matchLimits.sameCityMin;
}

/** Whether the question is a mistyped word, which may be another company's name. The shorter it is, the more must agree. */
function isOtherWord({ features: { city, country, legalForm }, names }: Evidence): boolean {
  const letters = names?.mistypedLetters ?? null;
  if (letters === null) return false;
  if (letters === 0) return true;
  if ((city ?? 0) >= matchLimits.sameCityMin) return false;
  if (legalForm !== null && legalForm !== 1) return true;
  const isHere = (country ?? 0) > 0;
  if (letters < matchLimits.mistypedInCountryMin) return !isHere || legalForm === null;
  return letters < matchLimits.mistypedAloneMin && !isHere;
}

/** Whether the company's name has all words of the question: it may be the wanted one as well as a sub-fund of these words. */
export function hasAllWords({ features, names }: Evidence): boolean {
  if (names === null || names.reading.isShortened || features.country === 0) return false;
  return names.slips + names.extra + names.added === 0 && !names.lacksPart;
}

/** Whether a sub-fund may be that of another umbrella, which the question leaves out, or which is left out of it. */
function lacksUmbrella({ features: { country }, names }: Evidence): boolean {
  if (names === null || names.umbrella === 'named') return false;
  return names.reading.isShortened || (names.umbrella === 'lacking' && (country ?? 0) === 0);
}

/** Whether one of the names is a trust's, with a trustee beside it, and the other does not have the same words. */
function isOtherTrust(names: ComparedNames | null): boolean {
  if (names === null) return false;
  const { reading, origin, extra, added, missing, umbrella } = names;
  const differs = umbrella !== 'named' || extra + added + missing > 0;
  if (reading.isTrust || origin === 'trust') return differs || reading.isShortened;
  return reading.compared.namesTrustee && differs;
}

/** Whether a name in Latin letters lacks so much of the other one that its known words alone are the same. */
function isFarTransliteration({ name }: Features, names: ComparedNames | null): boolean {
  return names?.origin === 'transliterated' && (name ?? 0) < matchLimits.transliteratedLikenessMin;
}

/** Whether a name of few or usual words, without a legal form that agrees, belongs to a company of another city. */
function isNamesake({ city, legalForm }: Features, names: ComparedNames | null): boolean {
  if (names === null || names.reading.isBranch || city === null) return false;
  return city < matchLimits.sameCityMin && legalForm !== 1 && names.said < matchLimits.tellingNameMin;
}

/** Whether a legal form that excludes the company's stands alone: no place and no number speak for the company. */
function isOtherForm({ legalForm, country, city, registrationNumber }: Features): boolean {
  if (legalForm !== 0 && legalForm !== foreignForm) return false;
  return (country ?? 0) === 0 && (city ?? 0) < matchLimits.sameCityMin && registrationNumber !== 1;
}

/** The evidence of everything but a name. */
export function oddsWithoutName(features: Features, profile: Profile): number {
  const { registrationNumber: number } = features;
  const rest = weighed(weighedOfRecord(features, profile));
  if (features.name === null && number !== null) return rest + between(number, nothingAlike, numberAlone);
  return rest + weighed(sharesOfNumber(features)) + nothingAlike;
}

/** The evidence of a pair of names, and of everything else. */
export function oddsOf(features: Features, names: ComparedNames, profile: Profile): number {
  const odds = weighed(weighedOf(features, names, profile));
  const isOther = names.numbers === 'other' && features.registrationNumber !== 1;
  return isOther ? Math.min(odds, oddsOfOtherNumber) : odds;
}
/** Too little for a company that may be the wanted one. */
const oddsOfOtherNumber = -2.5;

function sharesOfNumber({ registrationNumber }: Features) {
  return {
    sameNumber: registrationNumber ?? 0,
    otherNumber: registrationNumber === null ? 0 : 1 - registrationNumber,
  };
}

function weighedOfRecord({ country }: Features, { isReplaced }: Profile): Partial<WeightedFeatures> {
  return {
    sameCountry: Number(country === 1),
    otherCountry: Number(country === 0),
    replaced: Number(isReplaced),
  };
}

/** How a place that was read out of the name agrees with the company's. */
function placeAgreement(
  { reading: { place } }: ComparedNames,
  { countries, cityKeys }: Profile,
): number | null {
  if (place === null) return null;
  if (place.city !== null && cityKeys.has(place.city)) return 1;
  return place.city === null && place.country !== null && countries.has(place.country) ? 1 : 0;
}

/** The share of each weight that counts for a pair of names. */
export function weighedOf(features: Features, names: ComparedNames, profile: Profile): WeightedFeatures {
  return {
    base: 1,
    ...sharesOfNames(names),
    ...sharesOfForm(features, isHere(features)),
    ...sharesOfPlace(features, names),
    ...sharesOfReading(names, profile, features),
    ...sharesOfRecord(profile, names, features),
    ...sharesOfNumber(features),
    ...sharesOfCommonness(features, names, profile),
  };
}

function sharesOfNames(names: ComparedNames) {
  const { isExact, slips, otherWords, extra, usualExtra, added, places, missing, cut, origin } = names;
  return {
    exact: Number(isExact),
    equal: Number(isEqual(names)),
    slips,
    otherWords,
    extra,
    usualExtra,
    added,
    places,
    missing,
    cut,
    anySlip: Number(slips > 0),
    anyOtherWord: Number(otherWords > 0),
    anyExtra: Number(extra > 0),
    anyMissing: Number(missing > 0),
    exchanged: Number(missing > 0 && extra > 0),
    otherName: Number(origin === 'other'),
    shortName: Number(origin === 'short'),
    transliterated: Number(origin === 'transliterated'),
    initials: Number(origin === 'initials'),
  };
}

function isEqual({ slips, extra, added, places, missing, cut, swapped }: ComparedNames): boolean {
  return slips + extra + added + places + missing + cut === 0 && !swapped;
}

/** True if the country, of the legal address or the headquarters, or the city speaks for the company. */
function isHere({ country, city }: Features): boolean {
  return (country ?? 0) > 0 || (city ?? 0) > 0.9;
}

function sharesOfForm({ legalForm }: Features, here: boolean) {
  const is = (form: number) => Number(legalForm === form);
  const isForeign = is(foreignForm);
  return {
    sameForm: is(1),
    translatedForm: is(translatedForm),
    translatedFormHere: is(translatedForm) * Number(here),
    otherForm: is(0),
    foreignForm: isForeign,
    otherFormHere: (is(0) + isForeign) * Number(here),
    unknownForm: is(unknownForm),
    unknownFormHere: is(unknownForm) * Number(here),
  };
}

/** The country and the city of a branch are those of the branch. */
function sharesOfPlace(
  { country, city, legalForm }: Features,
  { isExact, reading: { isBranch } }: ComparedNames,
) {
  const otherCountry = isOtherCountry(country, isBranch);
  const otherCity = otherCityOf(country, city, isBranch);
  return {
    sameCountry: Number(country === 1 && !isBranch),
    headquartersCountry: Number(country === 0.9),
    otherCountry,
    otherCountryExact: otherCountry * Number(isExact),
    otherCountrySameForm: otherCountry * Number(legalForm === 1),
    sameCity: isBranch ? 0 : (city ?? 0),
    otherCity,
    otherCityHere: otherCity * Number((country ?? 0) > 0),
  };
}

function isOtherCountry(country: number | null, isBranch: boolean): number {
  return Number(country === 0 && !isBranch);
}

/** Another country has other cities anyway. */
function otherCityOf(country: number | null, city: number | null, isBranch: boolean): number {
  return city === null || isBranch || country === 0 ? 0 : 1 - city;
}

function sharesOfReading(names: ComparedNames, profile: Profile, { country }: Features) {
  const { isBranch, isShortened, isOther } = names.reading;
  const agreement = placeAgreement(names, profile);
  return {
    branch: Number(isBranch),
    branchHere: Number(isBranch && profile.isBranch) * (agreement ?? Number(country === 1)),
    branchRecord: Number(profile.isBranch && !isBranch),
    placeAgrees: Number(agreement === 1 && !isBranch),
    placeDiffers: Number(agreement === 0 && !isBranch),
    shortened: Number(isShortened),
    otherParty: Number(isOther),
  };
}

function sharesOfRecord({ isReplaced, grade, standing }: Profile, names: ComparedNames, features: Features) {
  const children = Math.max(0, grade - grades.live) / (gradesMax - 1 - grades.live);
  return {
    replaced: Number(isReplaced),
    lapsed: Number(grade === grades.lapsed || grade === grades.lapsed + 1),
    ended: Number(grade <= grades.inactive),
    children,
    // Companies of one group have its name with another word or another form, and sit in other countries.
    groupExtra: children * Number(names.extra > 0),
    groupOtherForm: children * Number(features.legalForm === 0 || features.legalForm === foreignForm),
    groupOtherCountry: children * isOtherCountry(features.country, names.reading.isBranch),
    standing,
  };
}

/** Many companies share a common name, with one more word or another form, or in another place. */
function sharesOfCommonness(features: Features, names: ComparedNames, { standing }: Profile) {
  const { legalForm, country, city } = features;
  const { slips, extra, added, missing, swapped, isExact, reading } = names;
  const common = commonnessOf(names);
  const where = (is: boolean) => (is ? common : 0);
  return {
    common,
    commonSlips: common * slips,
    commonExtra: where(extra > 0),
    commonAdded: where(added > 0),
    commonMissing: where(missing > 0),
    commonSwapped: where(swapped),
    commonOtherForm: where(legalForm === 0),
    commonForeignForm: where(legalForm === foreignForm),
    commonUnknownForm: where(legalForm === unknownForm),
    commonOtherCountry: common * isOtherCountry(country, reading.isBranch),
    commonOtherCity: common * otherCityOf(country, city, reading.isBranch),
    commonShortened: where(reading.isShortened),
    commonHere: where(isHere(features)),
    commonExact: where(isExact),
    commonStanding: common * standing,
  };
}

/** From near 0 for rare words to 3.3 for names without a distinctive word. */
function commonnessOf({ said }: ComparedNames): number {
  return 1 / (0.3 + said);
}

function weighed(shares: Partial<WeightedFeatures>): number {
  let odds = 0;
  for (const name of weightNames) odds += weights[name] * (shares[name] ?? 0);
  return odds;
}

/** From `none` for a feature of 0 to `whole` for 1; 0 if it is unknown. */
function between(feature: number | null, none: number, whole: number): number {
  return feature === null ? 0 : none + (whole - none) * feature;
}
