/** Names countries in English. */

let english: Intl.DisplayNames | null = null;

/** Made when the first name is asked for, so that a thread that shows none reads none. */
function englishName(code: string): string | undefined {
  english ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  // Files hold odd codes too, of which `of` would throw.
  return /^[A-Z]{2}$/.test(code) ? english.of(code) : undefined;
}

/** The English name of a code; the code itself if it has none. */
export function countryName(code: string): string;
/** The same; null for none. */
export function countryName(code: string | null): string | null;
export function countryName(code: string | null): string | null {
  return code === null ? null : (englishName(code) ?? code);
}
