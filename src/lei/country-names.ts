/** Names countries in English. */

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
