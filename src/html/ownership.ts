/**
 * Shows the owners and the owned companies of a company. The lists need no script. A script draws the picture from the
 * data that stands beside it.
 */

import type { ChildrenOnPage, ParentsAnswer } from '../lei/page-answers.ts';
import { type ChildKind, currentStatus } from '../lei/relationship-codes.ts';
import type { SiteAddress } from '../protocol/ext-questions.ts';
import { reasonText } from '../site/client/company/reasons.ts';
import { type Html, html, type Part } from './html.ts';
import { companyLink, date, facts, marks, section } from './parts.ts';
import { count, countryName, entityStatus, inWords, relationshipType } from './words.ts';

type RelatedEnd = ParentsAnswer['others'][number];

/** Children of a list that are shown unfolded; on paper all of the list are. */
export const firstChildren = 20;
/** If only this few more exist, they are unfolded too. */
const spareChildren = 5;

export const childTitles: Readonly<Record<ChildKind, string>> = {
  direct: 'Companies it owns directly',
  ultimate: 'Companies it owns ultimately',
  fund: 'Funds',
  branch: 'Branches',
};

/** The path of a page of all children, below the base path. @param number of the page, from 1 on */
export function childrenPath(lei: string, kind: ChildKind, number: number): string {
  return `/company/${lei}/children?kind=${kind}${number > 1 ? `&page=${number}` : ''}`;
}

/** The section of the page of a company. */
export function ownership(
  place: SiteAddress,
  name: string,
  parents: ParentsAnswer,
  children: readonly ChildrenOnPage[],
): Part {
  const json = `${place.basePath}/ext/v1/lei/${parents.lei}/ownership`;
  return section('ownership', 'Who owns whom', json, [
    pictureFrame(place, parents.lei, name, hasFewRelatives(parents)),
    parentsHtml(place, parents),
    childrenHtml(place, children),
  ]);
}

/** Whether a picture of all relatives fits on a screen; there is nothing to see in one without relatives. */
function hasFewRelatives({ directParent, ultimateParent, others, children }: ParentsAnswer): boolean {
  const parents = [directParent, ultimateParent].filter((each) => each !== null && 'relationship' in each);
  const below = Math.max(children.direct, children.ultimate) + children.fund + children.branch;
  const count = parents.length + others.length + below;
  return count > 0 && count <= openPictureMax;
}
/** Relatives of a picture that is shown without being asked for. */
const openPictureMax = 24;

export function parentsHtml(place: SiteAddress, parents: ParentsAnswer): Html {
  const [holding, former] = [true, false].map((holds) =>
    parents.others.filter(({ relationship }) => (relationship.status === currentStatus) === holds),
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
function parent(place: SiteAddress, is: ParentsAnswer['directParent']): Part {
  if (is === null) return html`<span class="quiet">None is reported, and no reason is given.</span>`;
  if ('relationship' in is) return related(place, is);
  const { exception } = is;
  const words =
    exception.references.length > 0 && html` <span class="quiet">“${exception.references.join('; ')}”</span>`;
  return html`<span title="${exception.reasons.join(' ')}">None is reported: ${reasonText(exception)}.</span>${words}`;
}

/** @param what names the role of the other company, if that is not clear already */
function related(place: SiteAddress, of: RelatedEnd, what: string | null = null): Html {
  const { lei, name, relationship } = of;
  const { start, end } = periodOf(of);
  const notes = [
    name === null ? 'without a record here' : null,
    what,
    of.country && countryName(of.country),
    start === null ? null : html`since ${start}`,
    end === null ? null : html`until ${end}`,
    standardsOf(relationship),
  ].filter((note) => note !== null);
  return html`${companyLink(place, lei, name)}${allMarks(of)}${notes.length > 0 && html` <span class="quiet notes">${notes.map((note, index) => [index > 0 && ', ', note])}</span>`}`;
}

/** The irregularities of a company, of its LEI, and of the report of the relationship. */
function allMarks({ entityStatus, registrationStatus, relationship }: RelatedEnd): Html | null {
  const { status } = relationship.registration;
  const isGood = status === null || goodReports.includes(status);
  return marks(entityStatus, registrationStatus, isGood ? null : `Report ${inWords(status).toLowerCase()}`);
}
/** RegistrationStatus of RR-CDF 2.1, of relationships that are kept up to date. */
const goodReports: readonly string[] = ['PUBLISHED', 'PENDING_TRANSFER', 'PENDING_ARCHIVAL'];

/** The beginning and the end of the relationship itself. */
function periodOf({ relationship }: RelatedEnd): {
  readonly startDate: string;
  readonly start: Html | null;
  readonly end: Html | null;
} {
  const period = relationship.periods.find(({ type }) => type === 'RELATIONSHIP_PERIOD');
  if (period === undefined) return { startDate: '', start: null, end: null };
  const { startDate, startDay, endDate, endDay } = period;
  return { startDate: startDate ?? '', start: date(startDate, startDay), end: date(endDate, endDay) };
}

function standardsOf({ qualifiers }: RelatedEnd['relationship']): string | null {
  const standards = qualifiers.map(({ category }) => category && standardOf(category));
  return standards.filter((each) => each !== null).join(', ') || null;
}

const accountingStandards: Readonly<Record<string, string>> = { IFRS: 'IFRS', US_GAAP: 'US GAAP' };

function standardOf(category: string): string {
  return accountingStandards[category] ?? inWords(category).toLowerCase();
}

/** The first children of each kind, with links to all of them. */
export function childrenHtml(place: SiteAddress, lists: readonly ChildrenOnPage[]): Part {
  const shown = lists.filter(({ total }) => total > 0);
  if (shown.length === 0) {
    return html`<h3>Children</h3>\n<p class="quiet">No company, fund or branch names it as its parent.</p>`;
  }
  return shown.map((list) => {
    const { kind, items, total } = list;
    const path = childrenPath(list.lei, kind, 1);
    const unfolded = items.length <= firstChildren + spareChildren ? items.length : firstChildren;
    return html`<h3>${childTitles[kind]} <span class="quiet">${count(total)}</span></h3>
${childList(place, list, items.slice(0, unfolded))}${
  items.length > unfolded &&
  html`<details class="others"><summary>${count(items.length - unfolded)} more</summary>
${childList(place, list, items.slice(unfolded))}</details>`
}${
  total > firstChildren &&
  html`
<p><a href="${place.basePath}${path}">All ${count(total)} ${childTitles[kind].toLowerCase()}</a>${
    // The rest is not on paper.
    items.length < total && html`<span class="printed">: ${place.baseUrl}${path}</span>`
  }</p>`
}
`;
  });
}

function childList(place: SiteAddress, { kind }: ChildrenOnPage, items: ChildrenOnPage['items']): Html {
  return html`<ul class="children">${items.map((item) => {
    const what = kind === 'fund' ? relationshipType(item.relationship.type, 'below').toLowerCase() : null;
    return html`<li>${related(place, item, what)}</li>\n`;
  })}</ul>`;
}

/**
 * All children of a page as a table, which a script sorts by its columns. Only funds are of several kinds. The roles are
 * for narrow windows, whose style shows rows as blocks.
 */
export function childTable(place: SiteAddress, { items, kind }: ChildrenOnPage): Html {
  const rows = items.map((item) => {
    const { start, startDate } = periodOf(item);
    const { type } = item.relationship;
    const cells = [
      html`<td role="cell"><code class="code">${item.lei}</code></td>`,
      cell(item.country && countryName(item.country)),
      cell(stateOf(item)),
      kind === 'fund' && cell(relationshipType(type, 'below')),
      html`<td role="cell" data-value="${startDate}">${start}</td>`,
      cell(standardsOf(item.relationship)),
    ];
    // Its LEI stands in the next column.
    const name =
      item.name === null
        ? html`<span class="quiet">No record here</span>`
        : companyLink(place, item.lei, item.name);
    return html`<tr role="row"><th scope="row" role="rowheader">${name}</th>${cells}</tr>\n`;
  });
  const columns = ['LEI', 'Country', 'Status', ...(kind === 'fund' ? ['Kind'] : []), 'Since', 'Accounts by'];
  const heads = columns.map((column) => html`<th scope="col" role="columnheader">${column}</th>`);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${childTitles[kind]}"><table class="wide" role="table" data-sortable>
<thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader" aria-sort="ascending">Name</th>${heads}</tr></thead>
<tbody role="rowgroup">${rows}</tbody></table></div>`;
}

function cell(content: Part): Html {
  return html`<td role="cell">${content}</td>`;
}

/** `Active`, with marks on what is not as it should be. */
function stateOf(item: RelatedEnd): Html {
  const status = entityStatus(item.entityStatus);
  return html`${status?.good === true && status.name}${allMarks(item)}`;
}

const tools = [
  ['in', '+', 'Zoom in'],
  ['out', '−', 'Zoom out'],
  ['fit', 'Fit', 'Fit the whole picture into view'],
  ['more', 'Show all', 'Show all companies that the picture can hold'],
  ['svg', 'SVG', 'Save the picture as SVG'],
  ['png', 'PNG', 'Save the picture as PNG'],
] as const;

/**
 * Reserves the place of the picture. Without scripts it is hidden, and the lists below have the same content.
 * @param open whether it is unfolded in a wide window; a narrow one has the lists alone until the reader asks
 */
export function pictureFrame({ basePath }: SiteAddress, lei: string, name: string, open: boolean): Html {
  const buttons = tools.map(
    ([tool, text, title]) =>
      html`<button type="button" class="second small" data-tool="${tool}" title="${title}" aria-label="${title}">${text}</button>\n`,
  );
  return html`<details class="picture-fold" data-picture hidden${open && html` data-open`}>
<summary>Picture of the ownership</summary>
<div class="picture" data-lei="${lei}" data-companies="${basePath}/company">
<div class="tools" role="group" aria-label="Picture">
${buttons}</div>
<div class="stage" tabindex="0" role="application" aria-roledescription="picture" aria-label="Picture of the ownership of ${name}" aria-describedby="picture-help"></div>
<div class="chosen-company" role="status">
<a href="${basePath}/company/${lei}">${name}</a>
<span class="chosen-facts"></span>
<button type="button" class="second small chosen-below" data-tool="below" hidden></button>
</div>
<p class="said" role="status"></p>
<ul class="legend" aria-label="Lines">
<li class="direct">directly owned</li>
<li class="ultimate">ultimately owned, or not reported</li>
<li class="fund">fund</li>
<li class="branch">branch</li>
</ul>
<p class="quiet" id="picture-help"><span class="by-keys">Arrow keys move from company to company, Enter shows or hides the companies below, O opens the page of a company, plus and minus zoom, M shows all. Hold Ctrl and turn the wheel to zoom.</span> Drag to move the picture; on a touch screen, use two fingers.</p>
</div>
</details>`;
}
