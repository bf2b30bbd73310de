/** Compares a candidate with the question: computes the features for its score. */
import { type ComparedName, type NameEvidence, nameEvidence, type WeightOf } from './name-likeness.ts';
import { isSameForm, type Profile, type Registration } from './profile.ts';
import type { AskedCompany } from './question.ts';

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

/** The company's name that is most similar to the question's. */
export interface BestName extends NameEvidence {
  /** Index in {@link Profile.names}; 0 is the legal name. */
  readonly place: number;
}

/** Null if the question has no name, or no name is similar. */
export function bestNameOf(
  { compared }: AskedCompany,
  { names }: Profile,
  weightOf: WeightOf,
): BestName | null {
  if (compared === null) return null;
  let best: BestName | null = null;
  for (const [place, name] of names.entries()) {
    const evidence = nameEvidence(compared, name, weightOf);
    if (evidence !== null && (best === null || likenessOf(evidence) > likenessOf(best))) {
      best = { ...evidence, place };
    }
  }
  return best;
}

/** @returns 0 to 1 */
function likenessOf({ slips, extra, added, missing, swapped }: NameEvidence): number {
  return Math.max(0, 1 - slips - extra - added - missing - (swapped ? swappedLoss : 0));
}
const swappedLoss = 0.02;

export function featuresOf(
  asked: AskedCompany,
  profile: Profile,
  name: BestName | null,
  shareIn: ShareIn,
): Features {
  return {
    name: asked.compared === null ? null : name === null ? 0 : likenessOf(name),
    legalForm: formFeature(asked.compared?.forms ?? [], profile, shareIn),
    country: asked.country === null ? null : countryFeature(asked.country, profile),
    city: cityFeature(asked.city, profile.cities),
    registrationNumber: registrationFeature(asked.registration, profile.registrations),
  };
}

/** A company with a legal form rarely has a record without one. */
export const unknownForm = 0.4;
/** A form that is rare in the country is more often an error. */
export const foreignForm = 0.2;
const foreignShareMax = 0.005;

/** Share of the companies of a country that have a legal form. */
type ShareIn = (country: string, form: string) => number;

function formFeature(asked: readonly string[], { forms, country }: Profile, shareIn: ShareIn): number | null {
  if (asked.length === 0) return null;
  if (forms.size === 0) return unknownForm;
  if (asked.some((form) => [...forms].some((other) => isSameForm(form, other)))) return 1;
  const isForeign = country !== null && asked.every((form) => shareIn(country, form) < foreignShareMax);
  return isForeign ? foreignForm : 0;
}

/** The headquarters' country says a little less than that of the legal address. */
function countryFeature(asked: string, { country, countries }: Profile): number | null {
  if (countries.size === 0) return null;
  if (country === asked) return 1;
  return countries.has(asked) ? 0.9 : 0;
}

function cityFeature(asked: ComparedName | null, known: readonly ComparedName[]): number | null {
  if (asked === null || known.length === 0) return null;
  const likeness = known.map((city) => {
    const evidence = nameEvidence(asked, city, () => 1);
    return evidence === null ? 0 : likenessOf(evidence);
  });
  return Math.max(...likeness);
}

/** If a register is given, numbers of other registers don't count. */
function registrationFeature(asked: Registration | null, known: readonly Registration[]): number | null {
  if (asked === null || known.length === 0) return null;
  const same = known.filter(({ number }) => number === asked.number);
  if (same.length === 0) return 0;
  return asked.authority === null || same.some(({ authority }) => authority === asked.authority)
    ? 1
    : otherRegister;
}
const otherRegister = 0.2;
