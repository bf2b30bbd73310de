/** Lists who is above and below a company, without scripts. */
import type { ChildKind } from '../../../lei/relationship.ts';
import { reasonText } from '../client/company/reasons.ts';
import type { DataOf } from '../definition.ts';
import { type Html, html, type Part } from '../html.ts';
import { count, inWords } from '../words.ts';
import { companyLink, date, facts, type Place } from './parts.ts';
import { relationshipType } from './words.ts';

type Parents = DataOf['parents'];
type Related = Parents['others'][number];
export type Children = DataOf['children'];

const current = 'ACTIVE';

export const childTitles: Readonly<Record<ChildKind, string>> = {
  direct: 'Companies it owns directly',
  ultimate: 'Companies it owns ultimately',
  fund: 'Funds',
  branch: 'Branches',
};

export function parentsHtml(place: Place, parents: Parents): Html {
  const [holding, former] = [true, false].map((holds) =>
    parents.others.filter(({ relationship }) => (relationship.status === current) === holds),
  );
  return html`<h3>Parents</h3>
${facts([
  ['Direct parent', parent(place, parents.directParent)],
  ['Ultimate parent', parent(place, parents.ultimateParent)],
  ...(holding ?? []).map(
    (each) => [relationshipType(each.relationship.type, 'above'), related(place, each)] as const,
  ),
  ...(former ?? []).map(
    (each) =>
      [
        `Former: ${relationshipType(each.relationship.type, 'above').toLowerCase()}`,
        related(place, each),
      ] as const,
  ),
])}`;
}

/** The three states of a parent: a company, a reason why none is reported, or neither. */
function parent(place: Place, is: Parents['directParent']): Part {
  if (is === null) return html`<span class="quiet">None is reported, and no reason is given.</span>`;
  if ('relationship' in is) return related(place, is);
  const { exception } = is;
  const words =
    exception.references.length > 0 && html` <span class="quiet">“${exception.references.join('; ')}”</span>`;
  return html`None is reported: ${reasonText(exception)}. <code class="code">${exception.reasons.join(' ')}</code>${words}`;
}

/** @param what the other company is, if that is not clear already */
function related(place: Place, of: Related, what: string | null = null): Html {
  const { lei, name, relationship } = of;
  const { start, end } = periodOf(of);
  const notes = [
    name === null ? 'without a record here' : null,
    what,
    start === null ? null : html`since ${date(start)}`,
    end === null ? null : html`until ${date(end)}`,
    standardsOf(relationship),
  ].filter((note) => note !== null);
  return html`${companyLink(place, lei, name)}${notes.length > 0 && html` <span class="quiet notes">${notes.map((note, index) => [index > 0 && ', ', note])}</span>`}`;
}

function periodOf({ relationship }: Related): { readonly start: string | null; readonly end: string | null } {
  const period = relationship.periods.find(({ type }) => type === 'RELATIONSHIP_PERIOD');
  return { start: period?.startDate ?? null, end: period?.endDate ?? null };
}

function standardsOf({ qualifiers }: Related['relationship']): string | null {
  const standards = qualifiers.map(({ category }) => category && standardOf(category));
  return standards.filter((each) => each !== null).join(', ') || null;
}

const accountingStandards: Readonly<Record<string, string>> = { IFRS: 'IFRS', US_GAAP: 'US GAAP' };

function standardOf(category: string): string {
  return accountingStandards[category] ?? inWords(category).toLowerCase();
}

/** The first children of each kind, with links to all of them. */
export function childrenHtml(place: Place, lists: readonly Children[]): Part {
  const shown = lists.filter(({ total }) => total > 0);
  if (shown.length === 0) {
    return html`<h3>Children</h3>\n<p class="quiet">No company, fund or branch names it as its parent.</p>`;
  }
  return shown.map(
    (list) => html`<h3>${childTitles[list.kind]} <span class="quiet">${count(list.total)}</span></h3>
${childList(place, list)}${
  list.total > list.items.length &&
  html`
<p><a href="${place.basePath}/company/${list.lei}/children?kind=${list.kind}">All ${count(list.total)} ${childTitles[list.kind].toLowerCase()}</a></p>`
}
`,
  );
}

function childList(place: Place, { items, kind }: Children): Html {
  return html`<ul class="children">${items.map((item) => {
    const what = kind === 'fund' ? relationshipType(item.relationship.type, 'below').toLowerCase() : null;
    return html`<li>${related(place, item, what)}</li>\n`;
  })}</ul>`;
}

/** All children of a page as a table, which a script sorts by its columns. Only funds are of several kinds. */
export function childTable(place: Place, { items, kind }: Children): Html {
  const rows = items.map((item) => {
    const { start } = periodOf(item);
    const { type } = item.relationship;
    return html`<tr><th scope="row">${companyLink(place, item.lei, item.name)}</th><td><code class="code">${item.lei}</code></td>${kind === 'fund' && html`<td>${relationshipType(type, 'below')}</td>`}<td data-value="${start ?? ''}">${date(start)}</td><td>${standardsOf(item.relationship)}</td></tr>\n`;
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${childTitles[kind]}"><table class="wide" data-sortable>
<thead><tr><th scope="col" aria-sort="ascending">Name</th><th scope="col">LEI</th>${kind === 'fund' && html`<th scope="col">Kind</th>`}<th scope="col">Since</th><th scope="col">Accounts by</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
