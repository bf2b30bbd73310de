/** Reads the texts of a company's record that a match compares. */
import type { Static } from '@sinclair/typebox';
import type { CompanySchema } from '../../lei/company.ts';
import { identifierKey } from '../../lei/names/name-terms.ts';
import type { PublicationReader } from '../../store/publication-reader.ts';
import { matchLimits } from './limits.ts';
import { type ComparedName, comparedName } from './name-likeness.ts';

/** One company prepared for comparison. */
export interface Profile {
  readonly lei: string;
  /** The legal name. */
  readonly name: string;
  /** The legal name, then the others in record order. */
  readonly names: readonly ComparedName[];
  /** Terms of its legal form, as names and the ISO 20275 list spell it. */
  readonly forms: ReadonlySet<string>;
  /** Of the legal address; null if the record has none. */
  readonly country: string | null;
  /** Countries of its addresses. */
  readonly countries: ReadonlySet<string>;
  /** Cities of its addresses. */
  readonly cities: readonly ComparedName[];
  /** Its numbers at registers and validation authorities. */
  readonly registrations: readonly Registration[];
  /** Whether the record is a duplicate, whose LEI must no longer be used. */
  readonly isReplaced: boolean;
}

export interface Registration {
  readonly authority: string | null;
  /** In the form of {@link identifierKey}. */
  readonly number: string;
}

type Company = Static<typeof CompanySchema>;

/** Null for an entity without a record. */
export function profileOf(publication: PublicationReader, entity: number): Profile | null {
  const text = publication.company(entity);
  if (text === null) return null;
  const company: Company = JSON.parse(Buffer.from(text.json).toString());
  return profileFrom(company);
}

function profileFrom({ lei, entity, registration, validation }: Company): Profile {
  const { legalAddress, headquartersAddress } = entity;
  const others = [...entity.otherNames, ...entity.transliteratedOtherNames];
  const texts = [entity.legalName.name, ...others.map(({ name }) => name)].filter((name) => name !== null);
  const names = texts.slice(0, matchLimits.namesMax).map(comparedName);
  return {
    lei,
    name: entity.legalName.name ?? lei,
    names,
    forms: new Set([
      ...names.flatMap(({ forms }) => forms),
      ...formsNamed(entity.legalForm.label ?? entity.legalForm.other),
    ]),
    country: legalAddress.country,
    countries: present([legalAddress.country, headquartersAddress.country]),
    cities: [...citiesOf(entity)].map(comparedName),
    registrations: [
      registrationOf(entity.registeredAt, entity.registeredAs),
      registrationOf(validation.validatedAt, validation.validatedAs),
    ].filter(({ number }) => number !== ''),
    isReplaced: registration.status === 'DUPLICATE' || registration.status === 'ANNULLED',
  };
}

function present(values: readonly (string | null)[]): Set<string> {
  return new Set(values.filter((value) => value !== null));
}

function citiesOf({
  legalAddress,
  headquartersAddress,
  otherAddresses,
  transliteratedOtherAddresses,
}: Company['entity']): Set<string> {
  const addresses = [legalAddress, headquartersAddress, ...otherAddresses, ...transliteratedOtherAddresses];
  return present(addresses.map(({ city }) => city));
}

/** A form behind any word, so that all of it is read as a form. */
function formsNamed(label: string | null): readonly string[] {
  return label === null ? [] : comparedName(`X ${label}`).forms;
}

function registrationOf(at: Company['entity']['registeredAt'], number: string | null): Registration {
  return { authority: at.id, number: number === null ? '' : identifierKey(number) };
}

/** Whether two terms of legal forms mean the same kind: "Ltd" is short for "Private Limited" too. */
export function isSameForm(one: string, other: string): boolean {
  return one === other || (one.endsWith(limited) && other.endsWith(limited));
}
const limited = 'ltd';
