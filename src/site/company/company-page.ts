/** `/company/{lei}`: everything that is known about a company, for people. */

import { type Html, html, type Part } from '../../http/html.ts';
import type { Company } from '../../lei/company.ts';
import type { ChildKind } from '../../lei/relationship.ts';
import {
  type DataAnswer,
  type DataOf,
  type PageAnswer,
  type PageDefinition,
  pageUnits,
  type SiteAddress,
  type Visit,
} from '../definition.ts';
import { countryName } from '../words.ts';
import { timeLine } from './history.ts';
import { type Children, firstChildren, ownership } from './ownership.ts';
import { pageOfCompany, unknownPage } from './page-of-company.ts';
import { badge, date, foreign, section } from './parts.ts';
import { programs } from './programs.ts';
import { isOverdue, recordSections } from './record.ts';
import { recordNames } from './record-names.ts';
import { entityStatus, registrationStatus } from './words.ts';

/** A company with more children has only the first ones of each kind on its page. */
const childrenShown = 100;
/** Items of the history that the page itself holds. */
const changesShown = 8;

export const companyPage: PageDefinition = {
  ...pageOfCompany('/company/{lei}', pageUnits.record, show),
  // The picture is saved as an image that the page itself makes.
  policy: { 'img-src': "'self' blob:" },
};

async function show(visit: Visit, lei: string): Promise<PageAnswer> {
  const [company, parents, changes] = await Promise.all([
    visit.ask({ kind: 'company', lei }),
    visit.ask({ kind: 'parents', lei }),
    visit.askPage((after) => ({ kind: 'changes', lei, after, limit: changesShown }), {
      cursor: null,
      scope: `changes ${lei}`,
    }),
  ]);
  const history = changes.outcome === 'found' ? changes : null;
  if (company.outcome !== 'found' || parents.outcome !== 'found') {
    return unknownPage(
      visit,
      lei,
      history && html`<h2>What is known about it</h2>\n${timeLine(visit, history.data)}`,
    );
  }
  const [children, names] = await Promise.all([
    childrenOf(visit, parents.data),
    recordNames(visit, company.data),
  ]);
  const name = nameOf(company.data);
  return {
    title: `${name} · ${lei}`,
    canonical: `${visit.baseUrl}/company/${lei}`,
    scripts: ['copy.js', 'company/company.js'],
    styles: ['company/company.css'],
    content: html`${summary(company.data, company.meta.sourcePublishedAt)}
${contents}
<div class="record">
${recordSections(visit, company.data, names, company.meta.sourcePublishedAt)}
</div>
${ownership(visit, name, parents.data, children)}
${historySection(visit, lei, history)}
${programs(visit, company.data, parents.data)}
<p class="quiet source">${company.meta.licenseNotice} Data of ${date(company.meta.sourcePublishedAt)}, dataset version <code class="code">${company.meta.datasetVersion}</code>.<span class="printed"> ${visit.baseUrl}/company/${lei}</span></p>`,
  };
}

export function nameOf({ lei, entity }: Company): string {
  return entity.legalName.name === '' ? lei : entity.legalName.name;
}

/** The head of the page: name, status at a glance, and a sentence. @param dataOf the time of the data */
export function summary(company: Company, dataOf: string): Html {
  const { lei, entity, registration } = company;
  const [active, issued] = [
    entityStatus(entity.status),
    registration.status && registrationStatus(registration.status),
  ];
  return html`<div class="company-head">
<h1>${foreign(nameOf(company), entity.legalName.language)}</h1>
<p class="badges"><code class="lei">${lei}</code>
${active !== null && badge(active.name, active.good)}
${issued && badge(`LEI ${issued.name.toLowerCase()}`, issued.good)}
${isOverdue(registration, dataOf) && badge('Renewal overdue', false)}</p>
<p class="lead">${sentence(company)}</p>
<p class="quiet">By the data of ${date(dataOf)}.</p>
</div>`;
}

/** `Public Limited Company in London, United Kingdom, founded 1 October 2019.` */
function sentence({ entity }: Company): Html {
  const { legalForm, legalAddress, creationDate, creationDay, category } = entity;
  const what = legalForm.label ?? legalForm.other ?? kinds[category ?? ''] ?? 'Legal entity';
  const { city, country } = legalAddress;
  const where = [city, country === null ? null : countryName(country)].filter(
    (each) => each !== null && each !== '',
  );
  return html`<bdi>${what}</bdi>${where.length > 0 && html` in <bdi>${where.join(', ')}</bdi>`}${creationDate !== null && html`, founded ${date(creationDate, creationDay)}`}.`;
}

const kinds: Readonly<Record<string, string>> = {
  FUND: 'Fund',
  BRANCH: 'Branch',
  SOLE_PROPRIETOR: 'Sole proprietor',
  RESIDENT_GOVERNMENT_ENTITY: 'Public body',
  INTERNATIONAL_ORGANIZATION: 'International organisation',
};

const contents = html`<nav class="contents" aria-label="On this page"><ul>
<li><a href="#about">The company</a></li>
<li><a href="#names">Names</a></li>
<li><a href="#addresses">Addresses</a></li>
<li><a href="#identifiers">Identifiers</a></li>
<li><a href="#ownership">Ownership</a></li>
<li><a href="#history">History</a></li>
<li><a href="#programs">For programs</a></li>
</ul></nav>`;

/** The children of each kind. Ultimate children are left out if there are no more of them than direct ones. */
async function childrenOf(visit: Visit, { lei, children }: DataOf['parents']): Promise<readonly Children[]> {
  const kinds: readonly ChildKind[] = [
    'direct',
    ...(children.ultimate > children.direct ? ['ultimate' as const] : []),
    'fund',
    'branch',
  ];
  const asked = kinds.filter((kind) => children[kind] > 0);
  const total = asked.reduce((sum, kind) => sum + children[kind], 0);
  const limit = total > childrenShown ? firstChildren : childrenShown;
  const told = await Promise.all(
    asked.map((of) => visit.ask({ kind: 'children', withFacts: true, lei, of, after: null, limit })),
  );
  return told.flatMap((each) => (each.outcome === 'found' ? [each.data] : []));
}

function historySection(
  place: SiteAddress,
  lei: string,
  told: (DataAnswer<'changes'> & { outcome: 'found' }) | null,
): Part {
  const json = `${place.basePath}/api/v1/lei/${lei}/changes`;
  return section('history', 'History', json, [
    timeLine(place, told?.data ?? { lei, items: [] }),
    told !== null &&
      told.next !== null &&
      html`<p><a href="${place.basePath}/company/${lei}/history">The whole history</a></p>`,
  ]);
}
