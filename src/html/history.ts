/** The history of a company as a time line. */
import type { Static } from '@sinclair/typebox';
import type { ChangesAnswerSchema } from '../lei/change-answers.ts';
import { kindOfMappingField } from '../lei/change-kinds.ts';
import type { Address } from '../lei/company-parts.ts';
import { mappingTable } from '../lei/identifier-kinds.ts';
import { dayNameOf, isTimeName } from '../lei/written-days.ts';
import type { SiteAddress } from '../protocol/ext-questions.ts';
import { type Html, html, type Part } from './html.ts';
import { addressHtml, companyLink, date } from './parts.ts';
import { count, day, inWords, relationshipType } from './words.ts';

export type History = Static<typeof ChangesAnswerSchema>;
type HistoryEntry = History['items'][number];
type ShownChange = Extract<HistoryEntry, { kind: 'change' }>['changes'][number];

/** The changes of a company, newest first. */
export function timeLine(place: SiteAddress, { lei, items }: History): Html {
  if (items.length === 0) {
    return html`<p class="quiet">Nothing has changed since this service first held the company.</p>`;
  }
  return html`<ol class="time-line">${items.map(
    (item) => html`<li>
<p class="when">${date(item.at)}</p>
${itemHtml(place, lei, item)}
</li>\n`,
  )}</ol>`;
}

function itemHtml(place: SiteAddress, lei: string, item: HistoryEntry): Part {
  switch (item.kind) {
    case 'created':
      return html`<p><strong>The company was added to the data.</strong></p>`;
    case 'removed':
      return html`<p><strong>The company was removed from the data.</strong></p>`;
    case 'change':
      return changed(readable(item.changes));
    case 'relationship-change':
      return [
        relationship(place, lei, item.relationship, 'was reported or changed'),
        changeTable(readable(item.changes)),
      ];
    case 'relationship-removed':
      return relationship(place, lei, item.relationship, 'is no longer reported');
    case 'snapshot':
      return snapshot(place, lei, item);
  }
}

/** Whether the value of a field is a published time. */
function isTime(field: string): boolean {
  return isTimeName(field.slice(field.lastIndexOf('.') + 1));
}

/** The changes for people: a time by its day as written, which the API lists as a field of its own. */
function readable(changes: readonly ShownChange[]): readonly ShownChange[] {
  const byField = new Map(changes.map((change) => [change.field, change]));
  const days = new Set(changes.filter(({ field }) => isTime(field)).map(({ field }) => dayNameOf(field)));
  return changes
    .filter(({ field }) => !days.has(field))
    .map(({ field, from, to }) => {
      const day = isTime(field) ? byField.get(dayNameOf(field)) : undefined;
      return { field, from: day?.from ?? from, to: day?.to ?? to };
    });
}

function changed(changes: readonly ShownChange[]): Part {
  return [html`<p><strong>${changeTitle(changes)}</strong></p>`, changeTable(changes)];
}

function changeTitle(changes: readonly ShownChange[]): string {
  const names = changes.map(({ field }) => fieldName(field));
  const shown = names.slice(0, 3).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more changed` : `${shown} changed`;
}

function relationship(
  place: SiteAddress,
  lei: string,
  { start, end, type }: { readonly start: string; readonly end: string | null; readonly type: string },
  what: string,
): Html {
  if (end === null)
    return html`<p><strong>The reason why no parent is reported</strong> (${inWords(type).toLowerCase()}) ${what}.</p>`;
  const side = start === lei ? 'above' : 'below';
  const other = side === 'above' ? end : start;
  return html`<p><strong>${relationshipType(type, side)}</strong> ${companyLink(place, other, '')} ${what}.</p>`;
}

function snapshot(
  { basePath }: SiteAddress,
  lei: string,
  { at, source, record }: Extract<HistoryEntry, { kind: 'snapshot' }>,
): Html {
  const { entity, registration } = record;
  const facts = [
    entity.legalName.name,
    entity.legalAddress.city,
    registration.status && inWords(registration.status),
  ];
  return html`<p><strong>The record as it stood:</strong> <bdi>${facts.filter((fact) => fact !== null && fact !== '').join(', ')}</bdi>
<span class="quiet">from <code class="code">${source}</code></span> <a href="${basePath}/ext/v1/lei/${lei}/as-of/${at}" aria-label="The record as of ${day(at)} as JSON">JSON</a></p>`;
}

function changeTable(changes: readonly ShownChange[]): Html | null {
  if (changes.length === 0) return null;
  const rows = changes.map(
    ({ field, from, to }) =>
      html`<tr><th scope="row">${fieldName(field)}${kindOfMappingField(field) !== null && html` <span class="quiet">(only those that went and came)</span>`}</th><td>${fieldValue(field, from)}</td><td>${fieldValue(field, to)}</td></tr>\n`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="What changed"><table><thead><tr><th scope="col">Field</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/** `entity.legalAddress.postalCode` → `Legal address: postal code`. Each field has a name of its own. */
export function fieldName(path: string): string {
  if (path === 'registration.status') return 'Registration status';
  const kind = kindOfMappingField(path);
  if (kind !== null) return mappingTable[kind].plural;
  const steps = path.split('.').filter((step) => !['entity', 'registration', 'validation'].includes(step));
  const words = steps.map((step) => step.replaceAll(/([A-Z])/g, ' $1').toLowerCase());
  const name = (words.length > 0 ? words : [path]).join(': ');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function fieldValue(field: string, of: unknown): Part {
  return isTime(field) && typeof of === 'string' ? date(of) : value(of);
}

const valuesShownMax = 50;

/** A value of the record in readable form. */
function value(of: unknown): Part {
  if (of === null || of === undefined) return html`<span class="quiet">nothing</span>`;
  if (typeof of === 'string') return html`<bdi>${of}</bdi>`;
  if (Array.isArray(of))
    return of.length === 0
      ? value(null)
      : html`<ul class="plain">${of.slice(0, valuesShownMax).map((item) => html`<li>${value(item)}</li>`)}${of.length > valuesShownMax && html`<li class="quiet">and ${count(of.length - valuesShownMax)} more</li>`}</ul>`;
  if (isAddress(of)) return addressHtml(of);
  if (isNamed(of)) return html`<bdi>${of.name}</bdi>`;
  return html`<code class="code">${JSON.stringify(of)}</code>`;
}

function isAddress(of: unknown): of is Address {
  return typeof of === 'object' && of !== null && 'addressLines' in of;
}

function isNamed(of: unknown): of is { readonly name: string } {
  return typeof of === 'object' && of !== null && 'name' in of && typeof of.name === 'string';
}
