/** The content of `/company/{lei}`: everything that is known about a company, for people. */

import type { Company } from '../lei/company.ts';
import type { ChildrenOnPage, ParentsAnswer } from '../lei/page-answers.ts';
import type { SiteAddress } from '../protocol/ext-questions.ts';
import { type History, timeLine } from './history.ts';
import { type Html, html, type Part } from './html.ts';
import { ownership } from './ownership.ts';
import { badge, date, foreign, section } from './parts.ts';
import { programs } from './programs.ts';
import { isOverdue, type RecordNames, recordSections } from './record.ts';
import { countryName, entityStatus, registrationStatus } from './words.ts';

/** Everything that the page of a company shows. */
interface ShownCompany {
  readonly company: Company;
  readonly names: RecordNames;
  readonly parents: ParentsAnswer;
  /** Of each kind that it has. */
  readonly children: readonly ChildrenOnPage[];
  /** The newest items; null if there are none. */
  readonly history: History | null;
  /** Whether the history has more items. */
  readonly hasMoreHistory: boolean;
  /** The time of the data. */
  readonly dataOf: string;
}

/** The page up to its source. */
export function companyContent(place: SiteAddress, shown: ShownCompany): Html {
  const { company, names, parents, children, dataOf } = shown;
  return html`${summary(company, dataOf)}
${contents}
<div class="record">
${recordSections(place, company, names, dataOf)}
</div>
${ownership(place, nameOf(company), parents, children)}
${historySection(place, company.lei, shown)}
${programs(place, company, parents)}`;
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

function historySection(
  place: SiteAddress,
  lei: string,
  { history, hasMoreHistory }: Pick<ShownCompany, 'history' | 'hasMoreHistory'>,
): Part {
  const json = `${place.basePath}/api/v1/lei/${lei}/changes`;
  return section('history', 'History', json, [
    timeLine(place, history ?? { lei, items: [] }),
    hasMoreHistory && html`<p><a href="${place.basePath}/company/${lei}/history">The whole history</a></p>`,
  ]);
}
