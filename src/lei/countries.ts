/**
 * Reads countries as people write them: codes of two or three letters, names in many languages, former and everyday
 * names, and parts of the United Kingdom. Codes and names of the standard come from the
 * packages of ISO 3166-1 (iso-3166) and from the Unicode names that the runtime has (Intl.DisplayNames).
 */
// The index of the package would also bring thousands of subdivisions into every thread.
import { iso31661 } from 'iso-3166/1.js';
import { connector, foldedWords } from './names/fold.ts';

/** Languages whose names of countries are read. */
const languages =
  'en de fr es it pt nl ru zh ja pl cs sv da nb fi hu ro el bg tr sk sl hr sr uk ar ko et lv lt'.split(' ');

/** Codes of two letters that people use, but ISO 3166-1 does not: UK by its reservation, EL by the European Union. */
const otherCodes: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR', XK: 'XK', KV: 'XK' };

/** English and everyday names that neither the standard nor Unicode has. */
const otherNames: readonly string[] = [
  'GB England|Scotland|Wales|Northern Ireland|Great Britain|Britain|United Kingdom|U.K.|Cymru|Grossbritannien|Engleterre|Angleterre|Inghilterra|Inglaterra|Gran Bretagna|Gran Bretaña|Grande-Bretagne|Groot-Brittannië|Storbritannien|Anglia|Англия',
  'US USA|U.S.|U.S.A.|United States|United States of America|America|Estados Unidos|EE.UU.|EEUU|Etats-Unis d’Amérique|Vereinigte Staaten von Amerika|США',
  'NL Holland|The Netherlands|Olanda|Hollande',
  'CZ Czech Republic|Tschechische Republik|Czech Rep|Ceska republika|République tchèque|Repubblica Ceca',
  'SK Slovak Republic|Slovakei',
  'TR Turkey',
  'RU Russia|Russian Federation',
  'KR South Korea|Korea|Republic of Korea|Korea Republic|Korea South|Rep of Korea|S Korea|한국',
  'KP North Korea',
  'CN China|PRC|P.R. China|Peoples Republic of China|Mainland China|China PR|PR of China',
  'TW Taiwan|Taiwan Province of China|Chinese Taipei|Taiwan ROC|Republic of China',
  'HK Hong Kong|Hong Kong SAR|Hongkong|HKSAR|Hong Kong China|H.K.',
  'MO Macau|Macao|Macao SAR|Macau SAR',
  'AE UAE|U.A.E.|Emirates|Dubai|Abu Dhabi|الإمارات',
  'CI Ivory Coast|Cote d Ivoire',
  'CD DR Congo|DRC|Congo Kinshasa|Democratic Republic of Congo|Zaire',
  'CG Congo Brazzaville|Republic of Congo',
  'MM Burma|Myanmar',
  'SZ Swaziland|Eswatini',
  'MK Macedonia|North Macedonia|FYROM',
  'CV Cape Verde',
  'TL East Timor|Timor-Leste',
  'BO Bolivia',
  'VE Venezuela',
  'IR Iran',
  'SY Syria',
  'LA Laos',
  'TZ Tanzania',
  'MD Moldova|Moldavia',
  'VN Vietnam|Viet Nam',
  'BN Brunei',
  'PS Palestine|West Bank and Gaza|Palestinian Territory',
  'VA Vatican|Vatican City|Holy See',
  'OM سلطنة عمان',
  'VG British Virgin Islands|BVI|B.V.I.|Virgin Islands British',
  'VI US Virgin Islands|USVI|Virgin Islands US|Virgin Islands',
  'KN St Kitts and Nevis|Saint Kitts|Nevis',
  'LC St Lucia',
  'VC St Vincent and the Grenadines|St Vincent|Saint Vincent',
  'SX Sint Maarten|St Maarten',
  'CW Curacao',
  'IM Isle of Man|I.O.M.|IOM',
  'JE Jersey Channel Islands',
  'GG Guernsey Channel Islands',
  'KY Cayman|Grand Cayman|Cayman Is',
  'BM Bermudas',
  'MH Marshall Islands|Republic of the Marshall Islands',
  'BA Bosnia|Bosnia Herzegovina|Bosnia Hercegovina',
  'XK Kosovo|Republic of Kosovo',
  'ZA South Africa|RSA|Republic of South Africa',
  'NZ New Zealand|NZL|Aotearoa',
  'SA Saudi Arabia|KSA|Saudi',
  'PG Papua New Guinea|PNG',
  'TT Trinidad|Trinidad and Tobago|Trinidad Tobago',
  'ST Sao Tome',
  'IE Eire|Republic of Ireland|Irish Republic',
  'GR Hellas|Hellenic Republic',
  'DE FRG|Federal Republic of Germany|BRD',
  'CH Swiss|Swiss Confederation|Helvetia|Confoederatio Helvetica',
  'BY Byelorussia|Belorussia|Weissrussland',
  'FM Micronesia',
  'GM The Gambia',
  'BS The Bahamas',
];

/** The same in other languages, above all names of states in full. They are not looked for in names of companies. */
const otherNamesIn: Readonly<Record<string, readonly string[]>> = {
  de: [
    'DE Bundesrepublik Deutschland',
    'AT Oesterreich|Republik Österreich',
    'GB Schottland|Nordirland',
    'CN VR China|Volksrepublik China',
    'KR Republik Korea',
    'RU Russische Föderation',
    'CI Elfenbeinküste',
    'MD Moldawien',
  ],
  fr: [
    'GB Écosse|Pays de Galles|Irlande du Nord',
    'CZ Rép. tchèque',
    'CN République populaire de Chine|RP Chine',
    'KR République de Corée',
    'RU Fédération de Russie',
  ],
};

/**
 * The code of the country that a text names, ISO 3166-1 alpha-2 (or XK); null if it names none. "UK", "EL", "deu",
 * "England", "Allemagne", "Korea, Republic of", "Türkiye", "Germany (DE)" and "DE - Deutschland" are read.
 */
export function readCountry(text: string): string | null {
  return readOne(text) ?? readTwice(text);
}

function readOne(text: string): string | null {
  return readCountryCode(text) ?? namedInAnyLanguage(keyOf(foldedWords(text)));
}

/** A country with its code or with its name in another language. */
function readTwice(text: string): string | null {
  const parts = text.split(/ [-–] |[(/]/);
  if (parts.length !== 2) return null;
  const [one, other] = parts.map((part) => readOne(part.replace(/\)\s*$/, '')));
  return one === other ? (one ?? null) : null;
}

/**
 * Reads the names that {@link readCountry} needs for a text, in steps of some milliseconds. Without this the first text
 * that names no country takes a quarter of a second.
 */
export function* countryNamesInSteps(text: string): Generator<undefined, void> {
  const key = readCountryCode(text) === null ? keyOf(foldedWords(text)) : '';
  if (key === '') return;
  for (const language of languages) {
    if (namesIn(language).has(key)) return;
    yield;
  }
}

/** The country whose English name the folded words are. */
export function namedCountry(words: readonly string[]): string | null {
  return english().get(keyOf(words)) ?? null;
}

/** The languages of names that are written in a script. */
const languagesOfScripts: readonly (readonly [script: RegExp, languages: readonly string[]])[] = [
  [/\p{Script=Cyrillic}/u, ['ru', 'uk', 'be', 'bg', 'sr', 'mk', 'kk', 'ky', 'mn']],
  [/\p{Script=Greek}/u, ['el']],
  [/\p{Script=Han}/u, ['zh', 'ja']],
  [/\p{Script=Hangul}/u, ['ko']],
  [/\p{Script=Arabic}/u, ['ar']],
  [/\p{Script=Hebrew}/u, ['he']],
  [/\p{Script=Thai}/u, ['th']],
  [/\p{Script=Georgian}/u, ['ka']],
  [/\p{Script=Armenian}/u, ['hy']],
  [/\p{Script=Khmer}/u, ['km']],
];

function languagesOf(text: string): readonly string[] {
  return languagesOfScripts.find(([script]) => script.test(text))?.[1] ?? [];
}

/** Reads the names that {@link countryInOwnScript} needs for a text, in steps of some milliseconds. */
export function* ownCountryNamesInSteps(text: string): Generator<undefined, void> {
  for (const language of languagesOf(text)) {
    if (namesByLanguage.has(language)) continue;
    namesIn(language);
    yield;
  }
}

/** The country whose name in a language of their script the folded words are; null for words in Latin letters. */
export function countryInOwnScript(words: readonly string[]): string | null {
  const key = keyOf(words);
  for (const language of languagesOf(key)) {
    const code = namesIn(language).get(key);
    if (code !== undefined) return code;
  }
  return null;
}

const inUse = new Set(iso31661.map(({ alpha2 }) => alpha2));
const byThree = new Map<string, string>(iso31661.map(({ alpha2, alpha3 }) => [alpha3, alpha2]));

/** The country of a code of two or three letters, in any case. */
export function readCountryCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  return (inUse.has(code) ? code : otherCodes[code]) ?? byThree.get(code) ?? null;
}

/** Lists invert names: "Korea, Republic of". */
function keyOf(words: readonly string[]): string {
  return words
    .filter((word) => !emptyWords.has(word))
    .sort()
    .join(' ');
}
const emptyWords = new Set(['of', 'the', 'and', connector]);

type CountryNames = ReadonlyMap<string, string>;
const namesByLanguage = new Map<string, CountryNames>();

/** Reads the names of a language when the first text needs them. */
function namesIn(language: string): CountryNames {
  const known = namesByLanguage.get(language) ?? readNames(language);
  namesByLanguage.set(language, known);
  return known;
}

const english = () => namesIn('en');

function namedInAnyLanguage(key: string): string | null {
  if (key === '') return null;
  for (const language of languages) {
    const code = namesIn(language).get(key);
    if (code !== undefined) return code;
  }
  return null;
}

function readNames(language: string): CountryNames {
  const names = new Map<string, string>();
  const add = (name: string, code: string) => {
    const key = keyOf(foldedWords(name));
    if (key !== '' && !names.has(key)) names.set(key, code);
  };
  for (const line of language === 'en' ? otherNames : (otherNamesIn[language] ?? [])) {
    for (const name of line.slice(3).split('|')) add(name, line.slice(0, 2));
  }
  if (language === 'en') {
    for (const { alpha2, name } of iso31661) add(name, alpha2);
  }
  const named = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  for (const code of [...inUse, 'XK']) {
    const name = named.of(code);
    // "Myanmar (Burma)".
    for (const each of name === undefined ? [] : [name, name.replace(/\s*\(.*\)/, '')]) add(each, code);
  }
  return names;
}
