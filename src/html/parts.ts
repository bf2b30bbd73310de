/** Pieces of HTML that several pages share, most of them those about companies. */

import type { Address } from '../lei/company-parts.ts';
import { regionName } from '../lei/places-of-iso.ts';
import type { SiteAddress } from '../protocol/ext-questions.ts';
import { remembered } from '../remembered.ts';
import { type Html, html, type Part } from './html.ts';
import { countryName, day, entityStatus, languageName, registrationStatus } from './words.ts';

/** A section with its heading and, on the right, the address of the same data as JSON. */
export function section(id: string, title: string, json: string | null, content: Part): Html {
  return html`<section class="sheet" aria-labelledby="${id}">
<div class="section-head"><h2 id="${id}">${title}</h2>${json !== null && html` <a class="json" href="${json}" aria-label="${title} as JSON">JSON</a>`}</div>
${content}
</section>`;
}

/** A list of facts. Null ones are left out; empty if all are null. */
export function facts(list: readonly (readonly [term: string, value: Part])[]): Html | null {
  const known = list.filter(([, value]) => value !== null && value !== '');
  if (known.length === 0) return null;
  return html`<dl class="facts">
${known.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>\n`)}</dl>`;
}

/** A text in its own language, for fonts and screen readers. */
export function foreign(text: string, language: string | null): Html {
  const known = languageName(language) !== null;
  return html`<bdi${known && html` lang="${language}"`}>${text}</bdi>`;
}

/** Days that were shown: lists repeat them, and to format one takes longer than the rest of its line. */
const dateMark = remembered((shown): Html => html`<time datetime="${shown}">${day(shown)}</time>`, 10_000);

/** @param writtenDay the day of a published time as written; null if that is its day in UTC */
export function date(time: string | null, writtenDay: string | null = null): Html | null {
  if (time === null) return null;
  // A time with an offset was kept as published, because it has no day in UTC.
  return dateMark(time.endsWith('Z') ? (writtenDay ?? time) : time);
}

export function badge(text: string, good: boolean): Html {
  return html`<span class="badge${good && ' good'}">${text}</span>`;
}

/**
 * The irregularities of a company and of its LEI, to follow its name; null if there are none.
 * @param another of them, in words
 */
export function marks(
  ofEntity: string | null,
  ofLei: string | null,
  another: string | null = null,
): Html | null {
  const company = entityStatus(ofEntity);
  const lei = ofLei === null ? null : registrationStatus(ofLei);
  const texts = [
    company?.good === false ? company.name : null,
    lei?.good === false ? `LEI ${lei.name.toLowerCase()}` : null,
    another,
  ].filter((text) => text !== null);
  return texts.length === 0
    ? null
    : html` <span class="marks">${texts.map((text, index) => [index > 0 && ' ', badge(text, false)])}</span>`;
}

/** The meaning of a code, which the pointer shows; the JSON beside the section has it too. */
export function explained(words: string, code: string): Html {
  return html`<bdi${code !== '' && html` title="${code}"`}>${words}</bdi>`;
}

/** A company by its name, with a link to its page. @param name null if it has no record here, and therefore no page */
export function companyLink({ basePath }: SiteAddress, lei: string, name: string | null): Html {
  if (name === null) return html`<code>${lei}</code>`;
  return html`<a href="${basePath}/company/${lei}">${name === '' ? html`<code>${lei}</code>` : html`<bdi>${name}</bdi>`}</a>`;
}

export function addressHtml(address: Address): Html {
  const { addressLines, postalCode, city, region, country, language, mailRouting } = address;
  const lines = [
    ...(mailRouting === null ? [] : [mailRouting]),
    ...addressLines,
    [postalCode, city].filter((part) => part !== null && part !== '').join(' '),
    region === null || region === country ? '' : (regionName(region) ?? region),
    country === null ? '' : countryName(country),
  ];
  const shown = lines.filter((line) => line !== '');
  return html`<span class="address">${shown.map((line, index) => html`${index > 0 && html`<br>`}${foreign(line, index < addressLines.length ? language : null)}`)}</span>`;
}

/** A text with a button that copies it; the script shows the button. */
export function copyable(id: string, text: string, what: string): Html {
  return html`<div class="copying copy-line"><code id="${id}" tabindex="0">${text}</code> <button type="button" class="second small" data-copy="${id}" data-told="Copied." aria-label="Copy ${what}" hidden>Copy</button> <span role="status" class="told"></span></div>`;
}
