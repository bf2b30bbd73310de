/** Reads the texts of a company's record that a match compares. */
import type { Company } from '../../lei/company.ts';
import { foldedWords } from '../../lei/names/fold.ts';
import { cityKey } from '../../lei/names/places.ts';
import { ownReadingsOf } from '../../lei/names/readings.ts';
import { transliterated } from '../../lei/names/transliterate.ts';
import { countryName } from '../../lei/places-of-iso.ts';
import { type RegistrationNumber, readRegistrationNumber } from '../../lei/registration-numbers.ts';
import type { PublicationReader } from '../../store/publication-reader.ts';
import { matchLimits } from './limits.ts';
import { type ComparedName, comparedName } from './name-likeness.ts';
import { remembered } from './remembered.ts';

/** One company prepared for comparison. */
export interface Profile {
  readonly lei: string;
  /** The legal name. */
  readonly name: string;
  /** The legal name, then the others in record order, then what may stand for them. */
  readonly names: readonly KnownName[];
  /** Terms of its legal form, as names and the ISO 20275 list spell it. */
  readonly forms: ReadonlySet<string>;
  /** Of the legal address; null if the record has none. */
  readonly country: string | null;
  /** Countries of its addresses. */
  readonly countries: ReadonlySet<string>;
  /** Cities of its addresses. */
  readonly cities: readonly ComparedName[];
  readonly cityKeys: ReadonlySet<string>;
  /** Words of its countries and cities. */
  readonly placeWords: ReadonlySet<string>;
  /** Its numbers at registers and validation authorities. */
  readonly registrations: readonly Registration[];
  /** Whether the record is a duplicate, whose LEI must no longer be used. */
  readonly isReplaced: boolean;
  /** Its rank, as a grade of the index. */
  readonly grade: number;
  readonly isBranch: boolean;
  /** How well known it is, by its identifiers in other directories: 0 to 1. */
  readonly standing: number;
}

/** How a name came into the list of a company's names. */
export type NameOrigin = 'legal' | 'other' | 'short' | 'transliterated' | 'initials';

export interface KnownName extends ComparedName {
  readonly origin: NameOrigin;
}

export interface Registration {
  readonly authority: string | null;
  readonly number: RegistrationNumber;
}

/** Null for an entity without a record. */
export function profileOf(publication: PublicationReader, entity: number, grade: number): Profile | null {
  const text = publication.company(entity);
  if (text === null) return null;
  const company: Company = JSON.parse(Buffer.from(text.json).toString());
  return profileFrom(company, grade);
}

function profileFrom({ lei, entity, registration, validation, mappings }: Company, grade: number): Profile {
  const { legalAddress, headquartersAddress } = entity;
  const names = namesOf(entity);
  const form = entity.legalForm.label ?? entity.legalForm.other;
  const countries = present([legalAddress.country, headquartersAddress.country]);
  const cities = [...citiesOf(entity)];
  return {
    lei,
    name: entity.legalName.name ?? lei,
    names,
    forms: new Set([...names.flatMap(({ forms }) => forms), ...(form === null ? [] : formsNamed(form))]),
    country: legalAddress.country,
    countries,
    cities: cities.map((city) => comparedName(city)),
    cityKeys: new Set(
      cities.flatMap((city) => [city, ...transliterated(city, legalAddress.country)]).map(cityKey),
    ),
    placeWords: new Set([...countries].flatMap(countryWords).concat(cities.flatMap(foldedWords))),
    registrations: [
      registrationOf(entity.registeredAt, entity.registeredAs),
      registrationOf(validation.validatedAt, validation.validatedAs),
    ].filter((each) => each !== null),
    isReplaced: registration.status === 'DUPLICATE' || registration.status === 'ANNULLED',
    grade,
    isBranch: entity.category === 'BRANCH',
    standing: standingOf(mappings),
  };
}

/** Half for a BIC, half for securities or a market. */
function standingOf({ bic, isin, mic }: Company['mappings']): number {
  const isHeld = (held: Company['mappings'][keyof Company['mappings']]) =>
    ('count' in held ? held.count : held.length) > 0;
  return (isHeld(bic) ? 0.5 : 0) + (isHeld(isin) || isHeld(mic) ? 0.5 : 0);
}

/**
 * A name with a state of the company counts without it too, and one of another script in Latin letters, unless the record
 * has such a name of its own.
 */
function namesOf(entity: Company['entity']): readonly KnownName[] {
  const { country } = entity.legalAddress;
  const hasLatin = entity.transliteratedOtherNames.some(({ name }) => name !== null);
  const others = [...entity.otherNames, ...entity.transliteratedOtherNames];
  const texts = [entity.legalName.name, ...others.map(({ name }) => name)].filter((name) => name !== null);
  const names = texts.slice(0, matchLimits.namesMax).flatMap((text, place) => {
    const origin: NameOrigin = place === 0 ? 'legal' : 'other';
    const own = comparedName(text);
    const latin = hasLatin ? [] : transliterated(own.words.join(' '), country);
    return [
      { ...own, origin },
      ...ownReadingsOf(text).map((each) => ({
        ...comparedName(each.text),
        origin: each.isShort ? shortName : origin,
      })),
      ...latin.map((each) => ({ ...comparedName(each, true), forms: own.forms, origin: transliteratedName })),
    ];
  });
  return names;
}

const transliteratedName: NameOrigin = 'transliterated';
const shortName: NameOrigin = 'short';

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

const wordsByCountry = new Map<string, readonly string[]>();

/** The words of a country's English name; none for no country. */
export function countryWords(country: string | null): readonly string[] {
  if (country === null || !/^[A-Z]{2}$/.test(country)) return [];
  const known = wordsByCountry.get(country);
  if (known !== undefined) return known;
  const words = foldedWords(countryName(country)).filter((word) => word.length > 3);
  wordsByCountry.set(country, words);
  return words;
}

const labelsMax = 4096;
/** The form that a label of the ISO 20275 list begins or ends with, and the same for the free text of a record. */
const formsNamed = remembered((label) => {
  const [behind, ahead] = [comparedName(`X ${label}`).forms, comparedName(`${label} X`).forms];
  return behind.length > 0 ? behind : ahead.length > 0 ? ahead : formBegun(label);
}, labelsMax);

/** "société anonyme à conseil d'administration": the longest beginning that is a form. */
function formBegun(label: string): readonly string[] {
  const words = label.split(/[\s(]+/);
  for (let length = words.length - 1; length > 0; length--) {
    const { core, forms } = comparedName(`X ${words.slice(0, length).join(' ')}`);
    if (core.length === 1 && forms.length > 0) return forms;
  }
  return [];
}

function registrationOf(at: Company['entity']['registeredAt'], text: string | null): Registration | null {
  const number = readRegistrationNumber(text ?? '');
  return number === null ? null : { authority: at.id, number };
}

/** Whether two terms of legal forms mean the same kind: "Ltd" is short for "Private Limited" too. */
export function isSameForm(one: string, other: string): boolean {
  return (
    one === other ||
    families.get(one.slice(1))?.has(other.slice(1)) === true ||
    (one.endsWith(limited) && other.endsWith(limited))
  );
}
const limited = 'ltd';

/** Forms that are written for each other: a wider name, both languages of a country, or a former name of the form. */
const families = new Map<string, ReadonlySet<string>>();
for (const family of [
  'co coltd corp comp',
  'co coltd ltd pvtltd',
  'sa sau sas-esp sgiic sgps',
  'sa sacv sabcv sapicv',
  'sa sal',
  'srl srlcv scs-srl',
  'srl sprl bv bvba',
  'sa nv',
  'sa ag',
  'sarl gmbh sagl',
  'sarl srl sarls',
  'oy oyab',
  'ab oyab',
  'oy ab',
  'ab abp',
  'oyj abp oyj',
  'as asve',
  'ltdsti ltd',
  'jsc ао пао оао зао нао ojsc cjsc pjsc ат пат прат aj psc',
  'ooo ооо тов тоо llc mchj mmc',
  'kscc jsc',
  'qpsc psc qsc pjsc jsc',
  'bsc jsc',
  'sae jsc',
  'saog jsc',
  'sjsc jsc',
  'sha shpk jsc',
  'sc srl sa',
  'pt tbk',
  'kg gmbhcokg',
  'kgaa agcokgaa',
  'scarl scpa sccoop coop scoop coopltd cooplimited coopinc',
  'zrt rt',
  'lda eireli',
  'sl slu',
  'ug gmbh',
  'ae sa',
  'pcl plc',
  '有限公司 股份公司 coltd ltd',
  '株式会社 kk coltd',
  '주식회사 coltd corp',
  'congty coltd jsc',
]) {
  const tokens = family.split(' ');
  for (const token of tokens) families.set(token, new Set([...(families.get(token) ?? []), ...tokens]));
}
