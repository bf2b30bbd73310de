/** Renders the head of a company's page: its name, its status at a glance, and a sentence about it. */
import type { DataOf } from '../definition.ts';
import { type Html, html } from '../html.ts';
import { countryName } from '../words.ts';
import { badge, date, foreign } from './parts.ts';
import { entityStatus, registrationStatus } from './words.ts';

type Company = DataOf['company'];

/** The title of the page. */
export function nameOf({ lei, entity }: Company): string {
  return entity.legalName.name === '' ? lei : entity.legalName.name;
}

export function summary(company: Company): Html {
  const { lei, entity, registration } = company;
  const [active, issued] = [
    entityStatus(entity.status),
    registration.status && registrationStatus(registration.status),
  ];
  return html`<div class="company-head">
<h1>${foreign(nameOf(company), entity.legalName.language)}</h1>
<p class="badges"><code class="lei">${lei}</code>
${active !== null && badge(active.name, active.good)}
${issued && badge(`LEI ${issued.name.toLowerCase()}`, issued.good)}</p>
<p class="lead">${sentence(company)}</p>
</div>`;
}

/** `Public Limited Company in London, United Kingdom, founded 1 October 2019.` */
function sentence({ entity }: Company): Html {
  const { legalForm, legalAddress, creationDate, category } = entity;
  const what = legalForm.label ?? legalForm.other ?? kinds[category ?? ''] ?? 'Legal entity';
  const { city, country } = legalAddress;
  const where = [city, country === null ? null : countryName(country)].filter(
    (each) => each !== null && each !== '',
  );
  return html`<bdi>${what}</bdi>${where.length > 0 && html` in <bdi>${where.join(', ')}</bdi>`}${creationDate !== null && html`, founded ${date(creationDate)}`}.`;
}

const kinds: Readonly<Record<string, string>> = {
  FUND: 'Fund',
  BRANCH: 'Branch',
  SOLE_PROPRIETOR: 'Sole proprietor',
  RESIDENT_GOVERNMENT_ENTITY: 'Public body',
  INTERNATIONAL_ORGANIZATION: 'International organisation',
};
