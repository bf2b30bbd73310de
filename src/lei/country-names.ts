/** Finds countries as tables name them: by code, or by their English name. */
import { countryCodes } from './codes.ts';

let english: Intl.DisplayNames | null = null;

/** Made when the service is first asked, so that a front without reconciliation reads no names. */
function englishName(code: string): string | undefined {
  english ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return english.of(code);
}

/** The English name of a code; the code itself if it has none; null for none. */
export function countryName(code: string | null): string | null {
  return code === null ? null : (englishName(code) ?? code);
}

/** Names that are common in tables, in addition to those of the standard. */
const alsoCalled: readonly (readonly [string, string])[] = [
  ['usa', 'US'],
  ['united states of america', 'US'],
  ['uk', 'GB'],
  ['great britain', 'GB'],
  ['czech republic', 'CZ'],
  ['turkey', 'TR'],
  ['hong kong', 'HK'],
  ['macau', 'MO'],
];
let codes: ReadonlyMap<string, string> | null = null;

/** The code of a country, which a publication may still refuse; null for a text that is neither a code nor a name. */
export function countryCode(text: string): string | null {
  const named = text.trim().toLowerCase();
  codes ??= new Map([
    ...Array.from(countryCodes, (code) => [englishName(code)?.toLowerCase() ?? code, code] as const),
    ...alsoCalled,
  ]);
  return codes.get(named) ?? (/^[a-z]{2}$/.test(named) ? named.toUpperCase() : null);
}
