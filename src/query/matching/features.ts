/** Compares a candidate with what is asked for: the features that its score is made of. */
import { type ComparedName, type NameEvidence, nameEvidence, type WeightOf } from './name-likeness.ts';
import { isSameForm, type Profile, type Registration } from './profile.ts';
import type { AskedCompany } from './question.ts';

/**
 * How well a candidate agrees with what is asked for, each 0 (not at all) to 1 (wholly); null where the question says
 * nothing of it, or the record nothing to compare it with.
 */
export interface Features {
  /** The likeness of that name of the company which is most alike, legal forms aside. */
  readonly name: number | null;
  readonly legalForm: number | null;
  readonly country: number | null;
  readonly city: number | null;
  readonly registrationNumber: number | null;
}

/** The name of a company that is most like the one that is asked for. */
export interface BestName extends NameEvidence {
  /** Place in {@link Profile.names}; 0 is the legal name. */
  readonly place: number;
}

/** Null where no name is asked for, or none is alike. */
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
/** A form that is rare in the country is more often a slip. */
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

/** The country of the headquarters says a little less than that of the legal address. */
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

/** Where a register is named, numbers of other registers don't count. */
function registrationFeature(asked: Registration | null, known: readonly Registration[]): number | null {
  if (asked === null || known.length === 0) return null;
  const same = known.filter(({ number }) => number === asked.number);
  if (same.length === 0) return 0;
  return asked.authority === null || same.some(({ authority }) => authority === asked.authority)
    ? 1
    : otherRegister;
}
const otherRegister = 0.2;
