/** Formats days and moments for the pages of accounts. */

import { type Html, html } from '../../html/html.ts';
import { dayMs, dayOf } from '../../ports/ledger.ts';

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
