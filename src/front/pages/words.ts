/** Formats numbers, countries and codes for people. */

const numbers = new Intl.NumberFormat('en');
const regionNames = new Intl.DisplayNames('en', { type: 'region' });

/** `12345` → `12,345`. */
export function count(number: number): string {
  return numbers.format(number);
}

/** `GB` → `United Kingdom`; for a code of ISO 3166-2, such as `US-DE`, the country with the code. */
export function countryName(code: string): string {
  const [country = '', part] = code.split('-');
  const name = /^[A-Z]{2}$/.test(country) ? regionNames.of(country) : undefined;
  if (name === undefined || name === country) return code;
  return part === undefined ? name : `${name} (${code})`;
}

/** `SOLE_PROPRIETOR` → `Sole proprietor`. */
export function inWords(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
