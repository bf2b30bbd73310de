/**
 * Reads names of places: cities under any of their names, with or without a postcode, district or state, and the
 * places that people write after the name of a company.
 *
 * `cities.txt` has a line for each large city: its country, then its names in the languages in which companies are
 * written of (the names that GeoNames gives as current alternate names). A city that is not among them is its name.
 */
import { countryInOwnScript, namedCountry, readCountry } from '../countries.ts';
import { tableLines } from '../table-lines.ts';
import { connector, foldedWords } from './fold.ts';

/** A place as a text names it. */
export interface NamedPlace {
  /** A code of ISO 3166-1 alpha-2; null where the text has no country. */
  readonly country: string | null;
  /** The same for all names of a city; null for a country as a whole. */
  readonly city: string | null;
}

interface KnownCity {
  readonly country: string;
  readonly city: string;
}

const cityTable = new URL('./cities.txt', import.meta.url);

let knownCities: ReadonlyMap<string, KnownCity> | null = null;

function citiesByName(): ReadonlyMap<string, KnownCity> {
  if (knownCities !== null) return knownCities;
  const cities = new Map<string, KnownCity>();
  for (const line of tableLines(cityTable)) {
    const [country, names] = [line.slice(0, 2), line.slice(3).split('|')];
    const city = textOf(foldedWords(names[0] ?? ''));
    for (const name of names) {
      const key = textOf(foldedWords(name));
      if (!cities.has(key)) cities.set(key, { country, city });
    }
  }
  knownCities = cities;
  return cities;
}

/** The names of known cities, as they are written, that a test holds for. */
export function namesOfCities(test: (name: string) => boolean): readonly string[] {
  return tableLines(cityTable).flatMap((line) => line.slice(3).split('|').filter(test));
}

/** Longest name of a place, in words, that is looked for. */
const placeWordsMax = 5;

function textOf(words: readonly string[]): string {
  return words
    .filter((word) => word !== connector)
    .map((word) => (word === 'st' || word === 'ste' ? 'saint' : word))
    .join(' ');
}

/**
 * One text for all names of a city: "Munich" and "München", "PARIS LA DEFENSE CEDEX 9" and "Puteaux", "Wien, 1010" and
 * "Vienna", "PITTSBURGH,PA" and "Pittsburgh". Empty for a text without a word.
 */
export function cityKey(text: string): string {
  const words = foldedWords(text).filter((word) => !isPartOfPostcode(word));
  const known = citiesByName();
  for (let length = Math.min(words.length, placeWordsMax); length > 0; length--) {
    const city = known.get(textOf(words.slice(0, length)));
    if (city !== undefined) return city.city;
  }
  return textOf(words);
}

const cityMarks = new Set('cedex г гр гор город м місто ქ қаласы'.split(' '));

/** Digits, Roman numerals of districts, and what only postmen read. */
function isPartOfPostcode(word: string): boolean {
  return /\d/.test(word) || cityMarks.has(word) || /^[ivx]{1,4}$/.test(word);
}

/** States, by the codes that stand after a comma or a slash: PITTSBURGH, PA. */
const states = new Map<string, string>();
for (const [country, codes] of [
  [
    'US',
    'al ak az ar ca co ct de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok or pa ' +
      'ri sc sd tn tx ut vt va wa wv wi wy dc pr',
  ],
  ['CA', 'on qc bc ab mb sk ns nb'],
] as const) {
  for (const code of codes.split(' ')) if (!states.has(code)) states.set(code, country);
}

/**
 * The place that the words of a name name, all of them together: a country, a city, or a city followed by its state or
 * country. Null if they are anything else.
 */
export function placeOf(words: readonly string[]): NamedPlace | null {
  if (words.length === 0 || words.length > placeWordsMax + 2) return null;
  const country = countryOf(words);
  if (country !== null) return { country, city: null };
  const city = citiesByName().get(textOf(words));
  if (city !== undefined) return city;
  const named = countryInOwnScript(words);
  if (named !== null) return { country: named, city: null };
  for (let at = words.length - 1; at > 0; at--) {
    const found = citiesByName().get(textOf(words.slice(0, at)));
    const rest = words.slice(at);
    if (found !== undefined && (placeOf(rest) !== null || stateOf(rest) !== null)) return found;
  }
  return null;
}

function countryOf(words: readonly string[]): string | null {
  const [word = '', ...more] = words;
  // A code of two letters is too often another word; those below are hardly ever.
  if (more.length === 0 && word.length <= 3) return shortCountries.has(word) ? readCountry(word) : null;
  return namedCountry(words);
}

const shortCountries = new Set('uk usa uae prc hk'.split(' '));

/** The country of a state that is given by its code. */
export function stateOf(words: readonly string[]): string | null {
  return words.length === 1 ? (states.get(words[0] ?? '') ?? null) : null;
}

/** How many of the last words of a name are a place; the most that are. 0 for none. */
export function placeAtEnd(
  words: readonly string[],
): { readonly length: number; readonly place: NamedPlace } | null {
  for (let length = Math.min(placeWordsMax, words.length - 1); length > 0; length--) {
    const place = placeOf(words.slice(-length));
    if (place !== null) return { length, place };
  }
  return null;
}
