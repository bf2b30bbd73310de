/** Renders the record of a company in sections: names, addresses, the company, its LEI, validation, identifiers. */

import type { Company } from '../lei/company.ts';
import { isIdentifierKind, kindsBySlot, type MappingKind, mappingTable } from '../lei/identifier-kinds.ts';
import type { SiteAddress } from '../protocol/ext-questions.ts';
import { type Html, html, type Part } from './html.ts';
import { addressHtml, companyLink, copyable, date, explained, facts, foreign, section } from './parts.ts';
import {
  addressType,
  conformity,
  corroboration,
  count,
  countryName,
  entityStatus,
  inWords,
  languageName,
  nameType,
  registrationStatus,
} from './words.ts';

/** The names behind the codes of a record. */
export interface RecordNames {
  /** Of the issuer of the LEI; null if it has no record here. */
  readonly managingLou: string | null;
  /** Of registers, by code such as RA000549. A publication without GLEIF's list of registers has none of them. */
  readonly registers: ReadonlyMap<string, string>;
}

/** @param dataOf the time of the data; a renewal that was due before it is overdue */
export function recordSections(
  place: SiteAddress,
  company: Company,
  { managingLou, registers }: RecordNames,
  dataOf: string,
): readonly Html[] {
  const json = `${place.basePath}/api/v1/lei/${company.lei}`;
  return [
    section('about', 'The company', json, about(place, company, registers)),
    section('lei-registration', 'The LEI', json, registration(place, company, managingLou, dataOf)),
    section('names', 'Names', json, names(company)),
    section('addresses', 'Addresses', json, addresses(company)),
    section('validation', 'Validation', json, validation(company, registers)),
    section('identifiers', 'Other identifiers', json, identifiers(place, company)),
  ];
}

type Registers = RecordNames['registers'];

function about(place: SiteAddress, { entity }: Company, registers: Registers): Part {
  const { legalForm, category, subCategory, jurisdiction, expiration, associatedEntity } = entity;
  const status = entityStatus(entity.status);
  const form = legalForm.label ?? legalForm.other;
  return [
    facts([
      ['Status', status && explained(status.name, entity.status ?? '')],
      ['Legal form', form === null ? legalForm.id : explained(form, legalForm.id ?? '')],
      ['Kind', category && [inWords(category), subCategory && `, ${inWords(subCategory).toLowerCase()}`]],
      ['Jurisdiction', jurisdiction && explained(countryName(jurisdiction), jurisdiction)],
      ['Founded', date(entity.creationDate, entity.creationDay)],
      ['Register', authority(entity.registeredAt, registers)],
      ['Number in the register', entity.registeredAs],
      ['Ended', date(expiration.date, expiration.day)],
      ['Reason', expiration.reason && inWords(expiration.reason)],
      ['Associated with', associatedEntity && other(place, associatedEntity)],
      [
        'Successors',
        entity.successorEntities.length > 0
          ? list(entity.successorEntities.map((each) => other(place, each)))
          : null,
      ],
    ]),
    events(entity.eventGroups),
  ];
}

function other(
  place: SiteAddress,
  { lei, name }: { readonly lei: string | null; readonly name: string | null },
): Part {
  return lei === null ? name : companyLink(place, lei, name ?? '');
}

function list(items: readonly Part[]): Html {
  return html`<ul class="plain">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function events(groups: Company['entity']['eventGroups']): Html | null {
  const all = groups.flatMap((group) => group.events);
  if (all.length === 0) return null;
  return html`<h3>Events</h3>
<ul class="plain">${all.map(
    ({ type, status, effectiveDate, effectiveDay, recordedDate, recordedDay }) =>
      html`<li>${inWords(type ?? 'EVENT')}${status && `, ${inWords(status).toLowerCase()}`}${effectiveDate && html`, effective ${date(effectiveDate, effectiveDay)}`}${recordedDate && html` <span class="quiet">(recorded ${date(recordedDate, recordedDay)})</span>`}</li>`,
  )}</ul>`;
}

function authority({ id, other: words }: Company['validation']['validatedAt'], registers: Registers): Part {
  if (id === null) return words;
  const name = registers.get(id);
  return [
    words,
    words !== null && ', ',
    name === undefined ? html`<code class="code">${id}</code>` : explained(name, id),
  ];
}

function registration(
  place: SiteAddress,
  company: Company,
  managingLou: string | null,
  dataOf: string,
): Part {
  const { lei, registration: is } = company;
  const status = is.status === null ? null : registrationStatus(is.status);
  return [
    copyable('lei', lei, 'the LEI'),
    standing(company, dataOf),
    facts([
      ['Status', status && explained(status.name, is.status ?? '')],
      ['First assigned', date(is.initialRegistrationDate, is.initialRegistrationDay)],
      ['Last updated', date(is.lastUpdateDate, is.lastUpdateDay)],
      ['Renewal due', date(is.nextRenewalDate, is.nextRenewalDay)],
      [
        'Managed by',
        is.managingLou &&
          html`<span title="${is.managingLou}">${companyLink(place, is.managingLou, managingLou)}</span>`,
      ],
    ]),
  ];
}

/** The meaning of a status, unless the rest of the record says otherwise. */
function standing({ registration: is, validation }: Company, dataOf: string): Html | null {
  if (isOverdue(is, dataOf)) {
    return html`<p>Renewal overdue since ${date(is.nextRenewalDate, is.nextRenewalDay)}, by the data of ${date(dataOf)}.</p>`;
  }
  const { means } = registrationStatus(is.status ?? '');
  if (means === '') return null;
  const isOdd = is.status === 'ISSUED' && validation.conformityFlag === 'NON_CONFORMING';
  return html`<p>${isOdd ? 'The LEI is valid, but its record does not follow GLEIF’s policies.' : means}</p>`;
}

/** Whether an LEI that counts as valid should have been renewed before the time of the data. */
export function isOverdue({ status, nextRenewalDate }: Company['registration'], dataOf: string): boolean {
  if (status === null || nextRenewalDate === null || !registrationStatus(status).good) return false;
  return Date.parse(nextRenewalDate) < Date.parse(dataOf);
}

function names({ entity }: Company): Part {
  const { legalName, otherNames, transliteratedOtherNames } = entity;
  const others = [...otherNames, ...transliteratedOtherNames];
  return facts([
    ['Legal name', named(legalName.name, legalName.language)],
    ...others.map(({ name, language, type }) => [nameType(type), named(name, language)] as const),
  ]);
}

function named(name: string | null, language: string | null): Part {
  if (name === null || name === '') return null;
  const known = languageName(language);
  return html`${foreign(name, language)}${known !== null && known !== 'English' && html` <span class="quiet">${known}</span>`}`;
}

function addresses({ entity }: Company): Part {
  const { legalAddress, headquartersAddress, otherAddresses, transliteratedOtherAddresses } = entity;
  const others = [...otherAddresses, ...transliteratedOtherAddresses];
  const isSame = JSON.stringify(legalAddress) === JSON.stringify(headquartersAddress);
  return facts([
    [isSame ? 'Legal address and headquarters' : 'Legal address', addressHtml(legalAddress)],
    ...(isSame ? [] : [['Headquarters', addressHtml(headquartersAddress)] as const]),
    ...others.map(({ type, ...address }) => [addressType(type), addressHtml(address)] as const),
  ]);
}

function validation({ validation: is, provenance }: Company, registers: Registers): Part {
  return facts([
    [
      'Confirmed',
      is.corroborationLevel && explained(corroboration(is.corroborationLevel), is.corroborationLevel),
    ],
    ['Validated at', authority(is.validatedAt, registers)],
    ['Number at that authority', is.validatedAs],
    ...is.otherValidationAuthorities.map(
      ({ validatedAt, validatedAs }) =>
        [
          'Also validated at',
          [authority(validatedAt, registers), validatedAs && ` as ${validatedAs}`],
        ] as const,
    ),
    ['Conformity', is.conformityFlag && explained(conformity(is.conformityFlag), is.conformityFlag)],
    ['Published in', provenance.file],
    ['Published', date(provenance.publishedAt)],
    ['In this service since', html`<code class="code">${provenance.firstSeen}</code>`],
    ['Last changed in', html`<code class="code">${provenance.lastChanged}</code>`],
  ]);
}

function identifiers(place: SiteAddress, { lei, mappings }: Company): Part {
  const known = kindsBySlot
    .map((kind) => ({ kind, name: mappingTable[kind].singular, ...counted(mappings[kind]) }))
    .filter(({ count: all }) => all > 0);
  if (known.length === 0) {
    return html`<p class="quiet">No identifier of another kind is mapped to this LEI.</p>`;
  }
  return known.map(
    ({ kind, name, count: all, first }) => html`<div class="codes-of">
<h3>${name}${all > 1 && html` <span class="quiet">${count(all)}</span>`}</h3>
<ul class="codes">${first.map((value) => html`<li>${code(`${place.basePath}${addressOf(kind, value)}`, value)}</li>`)}</ul>
${all > first.length && html`<p><a href="${place.basePath}/ext/v1/lei/${lei}/${kind}s">All ${count(all)} ${name}s</a> in pages, as JSON.</p>`}</div>\n`,
  );
}

/** All codes of a kind, or how many there are and the first of them. */
function counted(codes: Company['mappings']['bic']): {
  readonly count: number;
  readonly first: readonly string[];
} {
  return Array.isArray(codes) ? { count: codes.length, first: codes } : codes;
}

/** Where the companies of an identifier are looked up. */
function addressOf(kind: MappingKind, value: string): string {
  return isIdentifierKind(kind)
    ? `/api/v1/${kind}/${value}`
    : `/ext/v1/identifiers?${kind}=${encodeURIComponent(value)}`;
}

function code(address: string, value: string): Html {
  return html`<a href="${address}"><code>${value}</code></a>`;
}
