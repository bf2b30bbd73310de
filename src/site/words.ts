/** Formats numbers, days, countries and codes for people. */

import { type Html, html } from '../http/html.ts';
import { countryName as englishName, regionName } from '../lei/places-of-iso.ts';
import { dayMs, dayOf } from '../ports/ledger.ts';

const numbers = new Intl.NumberFormat('en');

/** `12345` → `12,345`. */
export function count(number: number): string {
  return numbers.format(number);
}

/** `GB` → `United Kingdom`, `US-DE` → `Delaware, United States`; a code that the standard does not have stays. */
export function countryName(code: string): string {
  const country = code.split('-', 1)[0] ?? '';
  const name = englishName(country);
  if (name === country) return code;
  if (code === country) return name;
  return `${regionName(code) ?? code}, ${name}`;
}

/** `SOLE_PROPRIETOR` → `Sole proprietor`. */
export function inWords(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `21 Nov`. @param day days since 1970-01-01 UTC */
export function shortDate(day: number): string {
  const date = new Date(day * dayMs);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()] ?? ''}`;
}

/** `21 Nov 2026`. @param day days since 1970-01-01 UTC */
export function longDate(day: number): string {
  return `${shortDate(day)} ${new Date(day * dayMs).getUTCFullYear()}`;
}

/** `21 Nov 2026, 12:00 UTC`. @param moment as a timestamp */
export function timeHtml(moment: string): Html {
  const day = dayOf(Date.parse(moment));
  return html`<time datetime="${moment}">${longDate(day)}, ${moment.slice(11, 16)} UTC</time>`;
}
