/**
 * Draws the usage of the last days as a chart and as a table. The chart stretches with the page, so its texts are
 * beside it.
 */

import { type Html, html } from '../../html/html.ts';
import { count } from '../../html/words.ts';
import { type DayUsage, usageDays } from '../../ports/state.ts';
import { longDate, shortDate } from './dates.ts';

/** Widths and heights in units of the picture. */
const step = 10;
const barWidth = 7;
const height = 100;

/** @param days every one of the last days, earliest first. @param daily requests that a day may have */
export function usageChart(days: readonly DayUsage[], daily: number): Html {
  const top = scaleFor(Math.max(...days.map(allOf)));
  const limit = height - (height * daily) / top;
  return html`<figure class="usage">
<figcaption><ul class="legend"><li class="lookups">Look-ups</li><li class="searches">Searches</li>${daily <= top && html`<li class="limit">Daily limit</li>`}</ul></figcaption>
<div class="plot">
<div class="scale" aria-hidden="true"><span>${count(top)}</span><span>${count(top / 2)}</span><span>0</span></div>
<svg viewBox="0 0 ${usageDays * step} ${height}" preserveAspectRatio="none" role="img" aria-label="${summary(days)}">
<path class="grid" d="M0 0H${usageDays * step}M0 ${height / 2}H${usageDays * step}M0 ${height}H${usageDays * step}"/>
${days.map((day, place) => bar(day, place, top))}${daily <= top && html`<path class="limit" d="M0 ${limit}H${usageDays * step}"/>\n`}</svg>
<div class="days" aria-hidden="true">${[0, 10, 20, usageDays - 1].map((place) => html`<span>${shortDate(days[place]?.day ?? 0)}</span>`)}</div>
</div>
</figure>`;
}

function bar(usage: DayUsage, place: number, top: number): Html {
  const x = place * step + (step - barWidth) / 2;
  const lookups = (height * usage.lookup) / top;
  const searches = (height * usage.search) / top;
  return html`<g><title>${sentenceOf(usage)}</title><rect class="room" x="${place * step}" y="0" width="${step}" height="${height}"/><rect class="lookups" x="${x}" y="${tidy(height - lookups)}" width="${barWidth}" height="${tidy(lookups)}"/><rect class="searches" x="${x}" y="${tidy(height - lookups - searches)}" width="${barWidth}" height="${tidy(searches)}"/></g>\n`;
}

/** The same as numbers, newest first. */
export function usageTable(days: readonly DayUsage[]): Html {
  return html`<table class="numbers">
<thead><tr><th scope="col">Day (UTC)</th><th scope="col">Look-ups</th><th scope="col">Searches</th><th scope="col">Both</th></tr></thead>
<tbody>
${days.toReversed().map((day) => html`<tr><th scope="row">${longDate(day.day)}</th><td>${count(day.lookup)}</td><td>${count(day.search)}</td><td>${count(allOf(day))}</td></tr>\n`)}</tbody>
</table>`;
}

/** Every one of the last days, earliest first, filled in from the days with usage. */
export function everyDay(usage: readonly DayUsage[], today: number): readonly DayUsage[] {
  const known = new Map(usage.map((day) => [day.day, day]));
  return Array.from({ length: usageDays }, (_, place) => {
    const day = today - usageDays + 1 + place;
    return known.get(day) ?? { day, lookup: 0, search: 0 };
  });
}

function allOf({ lookup, search }: DayUsage): number {
  return lookup + search;
}

/** The chart in a sentence. */
function summary(days: readonly DayUsage[]): string {
  const most = days.reduce((best, day) => (allOf(day) > allOf(best) ? day : best));
  if (allOf(most) === 0) return `No usage in the last ${usageDays} days.`;
  return `Usage of the last ${usageDays} days by kind. Highest on ${sentenceOf(most)}. The table lists every day.`;
}

function sentenceOf({ day, lookup, search }: DayUsage): string {
  return `${longDate(day)}: ${count(lookup)} look-ups, ${count(search)} searches`;
}

/** The top of the scale: 1, 2 or 5 followed by zeros, at least the maximum and at least 10. */
function scaleFor(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 10)));
  return [1, 2, 5, 10].map((digit) => digit * power).find((top) => top >= most) ?? most;
}

/** Two decimals are enough. */
function tidy(length: number): number {
  return Math.round(length * 100) / 100;
}
