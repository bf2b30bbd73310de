/**
 * Generates the questions of the match bench: names of companies with the errors that people make. Two thirds are of
 * companies in the publication, one third of others.
 */
import { foldedWords } from '../../../src/lei/names/fold.ts';
import { splitLegalForms } from '../../../src/lei/names/legal-forms.ts';
import { isForm, nameKey, nameTerms } from '../../../src/lei/names/name-terms.ts';
import { otherWritings } from '../../../src/lei/names/other-writings.ts';
import type { KnownOfCompany } from '../../../src/protocol/ext-questions.ts';
import { isSameForm } from '../../../src/query/matching/profile.ts';
import { oneError } from '../search/questions.ts';
import { createRandom, type Random } from '../search/random.ts';

/** What a question is made from. */
export interface NamedCompany {
  readonly lei: string;
  readonly name: string;
  readonly otherNames: readonly string[];
  readonly country: string | null;
  readonly city: string | null;
  readonly headquarters: Place;
  readonly registeredAs: string | null;
}

interface Place {
  readonly country: string | null;
  readonly city: string | null;
}

export interface AskedName {
  /** The errors put into its name. */
  readonly ways: readonly Way[];
  readonly question: KnownOfCompany;
  /** The LEI of the right company; null if it is not in the publication. */
  readonly meant: string | null;
}

export const ways = [
  'as it is',
  'typing error',
  'words swapped',
  'word dropped',
  'legal form missing',
  'legal form abbreviated or written out',
  'other legal form',
  'accents lost',
  'abbreviated',
  'extra word',
  'capitals',
  'joined',
  'city behind',
  'number behind',
  'care of',
  'trades as',
  'formerly',
  'on behalf of',
  'branch',
  'in liquidation',
  'everyday form',
  'cut off',
] as const;
export type Way = (typeof ways)[number];

export interface Worlds {
  /** The companies of the publication. */
  readonly loaded: readonly NamedCompany[];
  /** Companies that are not in it. */
  readonly aside: readonly NamedCompany[];
}

/** @param count of questions; the same seed always gives the same ones */
export function makeQuestions({ loaded, aside }: Worlds, count: number, seed: number): AskedName[] {
  const random = createRandom(seed);
  const isNameOfAnother = namesOf(loaded);
  const asked: AskedName[] = [];
  while (asked.length < count) {
    const present = asked.length % 3 !== 2;
    const company = random.of(present ? loaded : aside);
    const question = broken(company, random, loaded);
    if (question === null || isNameOfAnother(company, question.question)) continue;
    asked.push({ ...question, meant: present ? company.lei : null });
  }
  return asked;
}

/**
 * Whether a question is, as it stands or unbroken, the name of another company in the publication whose country and
 * legal form do not contradict it. Such a question is ambiguous: generated data have many such names, registers none.
 */
function namesOf(loaded: readonly NamedCompany[]) {
  const byKey = new Map<string, NamedCompany[]>();
  for (const company of loaded) {
    for (const key of new Set([company.name, ...company.otherNames].map(keyOf))) {
      byKey.set(key, [...(byKey.get(key) ?? []), company]);
    }
  }
  return (company: NamedCompany, { name, country }: KnownOfCompany): boolean => {
    const forms = formsOf(name ?? '');
    return [keyOf(company.name), keyOf(name ?? '')]
      .flatMap((key) => byKey.get(key) ?? [])
      .some(
        (other) =>
          other.lei !== company.lei &&
          (country === null || country === other.country) &&
          areCompatible(forms, formsOf(other.name)),
      );
  };
}

const keyOf = (name: string) => nameKey(nameTerms(name));
const formsOf = (name: string) => nameTerms(name).filter(isForm);

function areCompatible(asked: readonly string[], known: readonly string[]): boolean {
  return asked.length === 0 || known.some((form) => asked.some((other) => isSameForm(form, other)));
}

/** Applies one error, and to every third question a second one. */
function broken(
  company: NamedCompany,
  random: Random,
  others: readonly NamedCompany[],
): Omit<AskedName, 'meant'> | null {
  const chosen = [random.of(ways)];
  if (random.number() < 1 / 3) chosen.push(random.of(ways));
  let name = company.name;
  for (const way of chosen) {
    const changed = breaks[way](name, random, company, random.of(others).name);
    if (changed === null || changed.trim().length < 2) return null;
    name = changed;
  }
  const registrationNumber = numberGiven(company, random, random.of(others));
  const question = { name, ...placeGiven(company, random), registrationNumber, lei: null };
  return { ways: chosen, question };
}

/** Half of the lists have a country: that of the headquarters, or of the seat, and seldom that of a branch or a market. */
function placeGiven(company: NamedCompany, random: Random): Place {
  if (random.number() >= 0.5) return { country: null, city: null };
  if (random.number() < otherCountryShare) return { country: random.of(otherCountries), city: null };
  const { country, city } = random.number() < 0.5 ? company.headquarters : company;
  return { country, city: random.number() < 0.4 ? city : null };
}
/** As in the pairs of public lists. */
const otherCountryShare = 0.04;
const otherCountries = ['GB', 'US', 'DE', 'FR', 'CH', 'NL', 'LU', 'SG', 'HK', 'JP', 'AU', 'CA'];

/** Some lists have a number of the register: with other zeros or a country in front, or that of another row. */
function numberGiven({ registeredAs, country }: NamedCompany, random: Random, other: NamedCompany) {
  if (registeredAs === null || random.number() >= 0.15) return null;
  const chance = random.number();
  if (chance < 0.04) return other.registeredAs;
  if (chance < 0.3) return registeredAs.replace(/(?<!\d)0+(?=\d)/, '');
  return chance < 0.4 ? `${country ?? ''} ${registeredAs}` : registeredAs;
}

/** Null if a name can't have this error. @param other the name of another company of the publication */
type Break = (name: string, random: Random, company: NamedCompany, other: string) => string | null;

const breaks: Record<Way, Break> = {
  'as it is': (name) => name,
  'typing error': (name, random) => onOneWord(name, random, 4, (word) => oneError(word, random)),
  'words swapped': (name, random) => {
    const { core, forms } = parts(name);
    if (core.length < 2) return null;
    const at = random.whole(core.length - 1);
    core.splice(at, 2, core[at + 1] ?? '', core[at] ?? '');
    return [...core, ...forms].join(' ');
  },
  'word dropped': (name, random) => {
    const { core, forms } = parts(name);
    if (core.length < 3) return null;
    core.splice(1 + random.whole(core.length - 1), 1);
    return [...core, ...forms].join(' ');
  },
  'legal form missing': (name) => {
    const { core, forms } = parts(name);
    return forms.length === 0 ? null : core.join(' ');
  },
  'legal form abbreviated or written out': (name) => {
    const pair = writtenForms.find(([form]) => name.toLowerCase().endsWith(` ${form.toLowerCase()}`));
    return pair === undefined ? null : name.slice(0, -pair[0].length) + pair[1];
  },
  'other legal form': (name, random) => {
    const { core, forms } = parts(name);
    return forms.length === 0 ? null : `${core.join(' ')} ${random.of(otherForms)}`;
  },
  'accents lost': (name) => {
    const plain = name.normalize('NFD').replace(/\p{M}/gu, '').replace(/ł/g, 'l').replace(/ø/g, 'o');
    return plain === name ? null : plain;
  },
  abbreviated: (name, random) => onOneWord(name, random, 4, (word) => abbreviation(word, random)),
  'extra word': (name, random) => {
    const { core, forms } = parts(name);
    core.splice(1 + random.whole(core.length), 0, random.of(extras));
    return [...core, ...forms].join(' ');
  },
  capitals: (name) => (name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase()),
  joined: (name, random) => {
    const { core, forms } = parts(name);
    if (core.length < 2) return null;
    const at = random.whole(core.length - 1);
    core.splice(at, 2, `${core[at]}${core[at + 1]}`);
    return [...core, ...forms].join(' ');
  },
  'city behind': (name, random, { city }) =>
    city === null
      ? null
      : random.of([`${name}, ${city}`, `${name} (${city})`, `${name} - ${city}`, `${name} ${city}`]),
  'number behind': (name, random) => {
    const number = 10_000 + random.whole(9_000_000);
    return random.of([`${name} ${number}`, `${name} (${number})`, `${number} ${name}`, `${name} #${number}`]);
  },
  'care of': (name, random, _, other) => `${name} ${random.of(['c/o', 'C/O', 'care of', 'z.Hd.'])} ${other}`,
  'trades as': (name, random, _, other) =>
    `${name} ${random.of(['d/b/a', 'DBA', 't/a', 'trading as'])} ${other}`,
  formerly: (name, random, _, other) =>
    random.of([
      `${name} (formerly ${other})`,
      `${name}, formerly known as ${other}`,
      `${name} f/k/a ${other}`,
    ]),
  'on behalf of': (name, _, __, other) => `${name} on behalf of ${other}`,
  branch: (name, random) => {
    const place = random.of(['London', 'Frankfurt', 'New York', 'Hong Kong', 'Singapore', 'Paris', 'Tokyo']);
    return random.of([`${name} ${place} Branch`, `${name}, ${place} Branch`, `${name} (${place} branch)`]);
  },
  'in liquidation': (name, random) =>
    `${name} ${random.of(['in Liquidation', '(in liquidation)', 'i.L.', 'EN LIQUIDACION', 'in liquidazione', 'in administration'])}`,
  'everyday form': (name) => {
    const pair = everydayForms.find(([form]) => name.toLowerCase().endsWith(` ${form.toLowerCase()}`));
    return pair === undefined ? null : name.slice(0, -pair[0].length) + pair[1];
  },
  'cut off': (name) => (name.length > 32 ? name.slice(0, 30).trim() : null),
};

/** As the markets write them, beside the list's own spellings. */
const everydayForms = [
  ['S.r.l.', 'Srl Unipersonale'],
  ['SRL', 'S.R.L. a socio unico'],
  ['d.o.o.', 'DOO BEOGRAD'],
  ['GmbH', 'Ges.m.b.H.'],
  ['GmbH & Co. KG', 'GmbH u. Co. KG'],
  ['LLC', 'LTD LIAB CO'],
  ['Company', 'Comp.'],
  ['Corporation', 'Corpn'],
  ['Limited', 'Ltd.'],
  ['Pty Ltd', 'P/L'],
  ['Private Limited', '(P) Ltd'],
  ['S.L.', 'Sociedad Limitada Unipersonal'],
  ['S.A.', 'Soc. Anónima'],
  ['Lda', 'Unipessoal Lda'],
  ['Sp. z o.o.', 'Spółka z o.o.'],
  ['Oy', 'Oy Ab'],
  ['A.Ş.', 'Anonim Şirketi'],
  ['AB', 'Aktiebolaget'],
  ['AG', 'A.G.'],
  ['Inc.', 'Incorporated'],
] as const;

const otherForms = ['Ltd', 'GmbH', 'S.A.', 'Inc.', 'LLC', 'B.V.', 'AG', 'S.r.l.', 'Oy', 'SAS', 'AB', 'Kft.'];
const extras = [
  'The',
  'Group',
  'Company',
  'International',
  'Europe',
  'Head Office',
  '(new)',
  'Accounts',
  'Branch',
];
const writtenForms = [
  ['Limited', 'Ltd.'],
  ['Ltd', 'Limited'],
  ['Ltd.', 'Limited'],
  ['GmbH', 'Gesellschaft mit beschränkter Haftung'],
  ['AG', 'Aktiengesellschaft'],
  ['Inc.', 'Incorporated'],
  ['Inc', 'Incorporated'],
  ['LLC', 'Limited Liability Company'],
  ['Corp.', 'Corporation'],
  ['Corporation', 'Corp'],
  ['S.p.A.', 'Società per Azioni'],
  ['S.r.l.', 'SRL'],
  ['B.V.', 'BV'],
  ['S.A.', 'SA'],
  ['AB', 'Aktiebolag'],
  ['PLC', 'Public Limited Company'],
] as const;

interface Parts {
  readonly core: string[];
  readonly forms: readonly string[];
}

/** The words of a name as they are written: those before its legal form, and those of the form. */
function parts(name: string): Parts {
  const words = name.split(/\s+/).filter((word) => word !== '');
  for (let from = 1; from < words.length; from++) {
    const ending = words.slice(from).join(' ');
    const rest = splitLegalForms(foldedWords(`X ${ending}`));
    if (rest.core.length === 1 && rest.forms.length > 0) {
      return { core: words.slice(0, from), forms: words.slice(from) };
    }
  }
  return { core: words, forms: [] };
}

function onOneWord(
  name: string,
  random: Random,
  lettersMin: number,
  change: (word: string) => string | null,
): string | null {
  const { core, forms } = parts(name);
  const places = core.flatMap((word, at) =>
    /^\p{L}+$/u.test(word) && word.length >= lettersMin ? [at] : [],
  );
  if (places.length === 0) return null;
  const at = random.of(places);
  const changed = change(core[at] ?? '');
  if (changed === null || changed === core[at]) return null;
  core[at] = changed;
  return [...core, ...forms].join(' ');
}

/** As in lists with narrow columns, or abbreviated with a full stop. */
function abbreviation(word: string, random: Random): string | null {
  const known = otherWritings(word.toLowerCase()).filter((other) => other.length < word.length);
  if (known.length > 0) return random.of(known);
  return word.length >= 8 ? `${word.slice(0, 4 + random.whole(2))}.` : null;
}
