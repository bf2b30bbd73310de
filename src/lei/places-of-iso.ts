/** Countries (ISO 3166-1) and their subdivisions (ISO 3166-2), and how they are named. */
import { iso31661 } from 'iso-3166/1.js';

interface NamedCode {
  readonly code: string;
  readonly name: string;
}

/** LEI records also use XK, which ISO leaves to its users. */
const kosovo: NamedCode = { code: 'XK', name: 'Kosovo' };

const byCode = (a: NamedCode, b: NamedCode) => (a.code < b.code ? -1 : 1);

/** Sorted by code, with XK; the names are those of the package iso-3166. */
export const countriesOfIso: readonly NamedCode[] = [
  ...iso31661.map(({ alpha2, name }) => ({ code: alpha2, name })),
  kosovo,
].sort(byCode);

/** The list of 5,000 subdivisions takes 70 ms to read, so it is read when it is needed. */
const readSubdivisions = (): typeof import('iso-3166/2.js') => require('iso-3166/2.js');

let subdivisions: readonly NamedCode[] | null = null;

/** Sorted by code. */
export function subdivisionsOfIso(): readonly NamedCode[] {
  subdivisions ??= readSubdivisions()
    .iso31662.map(({ code, name }) => ({ code, name }))
    .sort(byCode);
  return subdivisions;
}

let regionNames: ReadonlyMap<string, string> | null = null;

/** `FR-IDF` → `Île-de-France`; null for a code that the standard does not have. */
export function regionName(code: string): string | null {
  regionNames ??= new Map(subdivisionsOfIso().map(({ code, name }) => [code, name]));
  return regionNames.get(code) ?? null;
}

let english: Intl.DisplayNames | null = null;
/** Names that were asked for: of two letters each, so there are few. */
const englishNames = new Map<string, string | undefined>();

/** Made when the first name is asked for, so that a thread that shows none reads none. */
function englishName(code: string): string | undefined {
  if (englishNames.has(code)) return englishNames.get(code);
  // Files hold odd codes too, for which `of` would throw.
  if (!/^[A-Z]{2}$/.test(code)) return undefined;
  english ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const name = english.of(code);
  englishNames.set(code, name);
  return name;
}

/** The English name of a code; the code itself if it has none. */
export function countryName(code: string): string;
/** The same; null for none. */
export function countryName(code: string | null): string | null;
export function countryName(code: string | null): string | null {
  return code === null ? null : (englishName(code) ?? code);
}
