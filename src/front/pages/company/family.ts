/** Who is above and below a company, as lists that need no script. */
import type { ChildKind } from '../../../lei/relationship.ts';
import { reasonText } from '../client/company/reasons.ts';
import type { DataOf } from '../definition.ts';
import { type Html, html, type Part } from '../html.ts';
import { companyLink, date, facts, type Place } from './parts.ts';
import { count, inWords, relationshipType } from './words.ts';

type Parents = DataOf['parents'];
type Parent = Parents['directParent'];
type Related = Parents['others'][number];
export type Children = DataOf['children'];

const current = 'ACTIVE';

const childTitles: Readonly<Record<ChildKind, string>> = {
  direct: 'Companies it owns directly',
  ultimate: 'Companies it owns in the end',
  fund: 'Funds',
  branch: 'Branches',
};

export function childTitle(kind: ChildKind): string {
  return childTitles[kind];
}

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
function parent(place: Place, is: Parent): Part {
  if (is === null) return html`<span class="quiet">None is reported, and no reason is given.</span>`;
  if ('relationship' in is) return related(place, is);
  const { exception } = is;
  const words =
    exception.references.length > 0 && html` <span class="quiet">“${exception.references.join('; ')}”</span>`;
  return html`None is reported: ${reasonText(exception)}. <code class="code">${exception.reasons.join(' ')}</code>${words}`;
}

/** @param what the other company is, where that is not said already */
function related(place: Place, { lei, name, relationship }: Related, what: string | null = null): Html {
  const since = relationship.periods.find(({ type }) => type === 'RELATIONSHIP_PERIOD');
  const standards = relationship.qualifiers
    .map(({ category }) => inWordsOf(category))
    .filter((each) => each !== null);
  const notes = [
    name === null ? 'without a record here' : null,
    what,
    since?.startDate ? html`since ${date(since.startDate)}` : null,
    since?.endDate ? html`until ${date(since.endDate)}` : null,
    standards.length > 0 ? standards.join(', ') : null,
  ].filter((note) => note !== null);
  return html`${companyLink(place, lei, name)}${notes.length > 0 && html` <span class="quiet notes">${notes.map((note, index) => [index > 0 && ', ', note])}</span>`}`;
}

const accountingStandards: Readonly<Record<string, string>> = { IFRS: 'IFRS', US_GAAP: 'US GAAP' };

function inWordsOf(category: string | null): string | null {
  if (category === null) return null;
  return accountingStandards[category] ?? inWords(category).toLowerCase();
}

/** The first children of each kind, with links to all of them. */
export function childrenHtml(place: Place, lists: readonly Children[]): Part {
  const shown = lists.filter(({ total }) => total > 0);
  if (shown.length === 0) {
    return html`<h3>Children</h3>\n<p class="quiet">No company, fund or branch names it as its parent.</p>`;
  }
  return shown.map(
    (list) => html`<h3>${childTitle(list.kind)} <span class="quiet">${count(list.total)}</span></h3>
${childList(place, list)}${
  list.total > list.items.length &&
  html`
<p><a href="${place.basePath}/company/${list.lei}/children?kind=${list.kind}">All ${count(list.total)} ${childTitle(list.kind).toLowerCase()}</a></p>`
}
`,
  );
}

export function childList(place: Place, { items, kind }: Children): Html {
  return html`<ul class="children">${items.map((item) => {
    const what = kind === 'fund' ? relationshipType(item.relationship.type, 'below').toLowerCase() : null;
    return html`<li>${related(place, item, what)}</li>\n`;
  })}</ul>`;
}
