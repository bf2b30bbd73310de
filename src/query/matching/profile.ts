/** Reads the texts of a company's record that a match compares. */
import { legalFormLabel } from '../../lei/legal-form-list.ts';
import { foldedWords } from '../../lei/names/fold.ts';
import { ownReadingsOf } from '../../lei/names/own-readings.ts';
import { cityKey } from '../../lei/names/places.ts';
import { transliterated } from '../../lei/names/transliterate.ts';
import { countryName } from '../../lei/places-of-iso.ts';
import { type RegistrationNumber, readRegistrationNumber } from '../../lei/registration-numbers.ts';
import { remembered } from '../../remembered.ts';
import type { IdentifyingFacts } from '../../store/identifying-facts.ts';
import type { PublicationReader } from '../../store/publication-reader.ts';
import { type ComparedName, comparedFund, comparedName, comparedTransliteration } from './compared-name.ts';
import { matchLimits } from './limits.ts';

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
  /** Whether the record is a duplicate or annulled: its LEI must no longer be used. */
  readonly isReplaced: boolean;
  /** Its rank, as a grade of the index. */
  readonly grade: number;
  readonly isBranch: boolean;
  readonly isFund: boolean;
  /** How well known it is, by its identifiers in other directories: 0 to 1. */
  readonly standing: number;
}

/** How a name came into the list of a company's names. */
export type NameOrigin = 'legal' | 'other' | 'short' | 'trust' | 'transliterated' | 'initials';

export interface KnownName extends ComparedName {
  readonly origin: NameOrigin;
  /** Whether it is a whole name of the record. */
  readonly isAsItStands: boolean;
}

export interface Registration {
  readonly authority: string | null;
  readonly number: RegistrationNumber;
}

/** Null for an entity without a record. @param grade its rank, as a grade of the index */
export function profileOf(publication: PublicationReader, entity: number, grade: number): Profile | null {
  const facts = publication.facts(entity);
  return facts === null ? null : new CompanyProfile(facts, grade);
}

/** Some parts are compared by few questions, and prepared when the first of them does. */
class CompanyProfile implements Profile {
  readonly #facts: IdentifyingFacts;
  readonly grade: number;
  readonly names: readonly KnownName[];
  readonly country: string | null;
  readonly countries: ReadonlySet<string>;
  readonly #cityNames: ReadonlySet<string>;
  #cities: readonly ComparedName[] | undefined;
  #cityKeys: ReadonlySet<string> | undefined;
  #placeWords: ReadonlySet<string> | undefined;
  #forms: ReadonlySet<string> | undefined;
  #registrations: readonly Registration[] | undefined;

  constructor(facts: IdentifyingFacts, grade: number) {
    this.#facts = facts;
    this.grade = grade;
    this.names = namesOf(facts);
    this.country = facts.legalAddress.country;
    this.countries = present([this.country, facts.headquarters.country]);
    this.#cityNames = citiesOf(facts);
  }

  get lei(): string {
    return this.#facts.lei;
  }

  get name(): string {
    return this.#facts.legalName ?? this.lei;
  }

  get forms(): ReadonlySet<string> {
    this.#forms ??= new Set([...this.names.flatMap(({ forms }) => forms), ...this.#formsOfRecord()]);
    return this.#forms;
  }

  #formsOfRecord(): readonly string[] {
    const { id, other } = this.#facts.legalForm;
    const form = (id === null ? null : legalFormLabel(id)) ?? other;
    return form === null ? [] : formsNamed(form);
  }

  get cities(): readonly ComparedName[] {
    this.#cities ??= [...this.#cityNames].map((city) => comparedName(city));
    return this.#cities;
  }

  get cityKeys(): ReadonlySet<string> {
    this.#cityKeys ??= new Set(
      [...this.#cityNames]
        .flatMap((city) => [city, ...transliterated(city, this.country).map(({ text }) => text)])
        .map(cityKey),
    );
    return this.#cityKeys;
  }

  get placeWords(): ReadonlySet<string> {
    this.#placeWords ??= new Set(
      [...this.countries].flatMap(countryWords).concat([...this.#cityNames].flatMap(foldedWords)),
    );
    return this.#placeWords;
  }

  get registrations(): readonly Registration[] {
    this.#registrations ??= this.#facts.numbers.map(registrationOf).filter((each) => each !== null);
    return this.#registrations;
  }

  get isReplaced(): boolean {
    const { registrationStatus } = this.#facts;
    return registrationStatus === 'DUPLICATE' || registrationStatus === 'ANNULLED';
  }

  get isBranch(): boolean {
    return this.#facts.category === 'BRANCH';
  }

  get isFund(): boolean {
    return this.#facts.category === fund;
  }

  /** Half for a BIC, half for securities or a market. */
  get standing(): number {
    const { identifierKinds } = this.#facts;
    const isTraded = identifierKinds.has('isin') || identifierKinds.has('mic');
    return (identifierKinds.has('bic') ? 0.5 : 0) + (isTraded ? 0.5 : 0);
  }
}

const fund = 'FUND';

/**
 * A name with a state of the company counts without it too, and one of another script in Latin letters, unless the record
 * has such a name of its own.
 */
function namesOf({
  legalName,
  otherNames,
  transliteratedNames,
  legalAddress,
  category,
}: IdentifyingFacts): readonly KnownName[] {
  const hasLatin = transliteratedNames.length > 0;
  const texts = [...(legalName === null ? [] : [legalName]), ...otherNames, ...transliteratedNames];
  return texts.slice(0, matchLimits.namesMax).flatMap((text, place) => {
    const origin: NameOrigin = place === 0 ? 'legal' : 'other';
    const own = category === fund ? comparedFund(text) : comparedName(text);
    const latin = hasLatin ? [] : transliterated(own.words.join(' '), legalAddress.country);
    return [
      { ...own, origin, isAsItStands: true },
      ...ownReadingsOf(text).map((each) => ({
        ...comparedName(each.text),
        origin: each.kind ?? origin,
        isAsItStands: false,
      })),
      ...latin.map((each) => ({
        ...comparedTransliteration(each),
        forms: own.forms,
        origin: transliteratedName,
        isAsItStands: false,
      })),
    ];
  });
}

const transliteratedName: NameOrigin = 'transliterated';

function present(values: readonly (string | null)[]): Set<string> {
  return new Set(values.filter((value) => value !== null));
}

function citiesOf({ legalAddress, headquarters, otherPlaces }: IdentifyingFacts): Set<string> {
  return present([legalAddress, headquarters, ...otherPlaces].map(({ city }) => city));
}

/** The words of a country's English name; none for no country. */
export function countryWords(country: string | null): readonly string[] {
  return country === null || !/^[A-Z]{2}$/.test(country) ? [] : wordsOfCountry(country);
}
const wordsOfCountry = remembered((code) => foldedWords(countryName(code)).filter((word) => word.length > 3));

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

function registrationOf({ authority, number }: IdentifyingFacts['numbers'][number]): Registration | null {
  const read = readRegistrationNumber(number ?? '');
  return read === null ? null : { authority, number: read };
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
  'oyj abp',
  'as asve',
  'ltdsti ltd',
  'jsc ао пао оао зао нао ojsc cjsc pjsc ат пат прат aj psc хк',
  'ooo ооо тов тоо llc mchj mmc ххк',
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
  'จำกัด coltd ltd',
  'lp 合伙',
  'congty coltd jsc',
]) {
  const tokens = family.split(' ');
  for (const token of tokens) families.set(token, new Set([...(families.get(token) ?? []), ...tokens]));
}
