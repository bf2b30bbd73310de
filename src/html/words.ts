/** Formats numbers, days, countries and codes for people. An unknown code is shown as published. */

import { countryName as englishName, regionName } from '../lei/places-of-iso.ts';

const numbers = new Intl.NumberFormat('en');

/** `12345` → `12,345`. */
export function count(number: number): string {
  return numbers.format(number);
}

/** `GB` → `United Kingdom`, `US-DE` → `Delaware, United States`; a code that the standard does not have stays. */
export function countryName(code: string): string {
  const country = code.split('-', 1)[0] ?? '';
  const name = englishName(country);
  if (name === country) return code;
  if (code === country) return name;
  return `${regionName(code) ?? code}, ${name}`;
}

/** `SOLE_PROPRIETOR` → `Sole proprietor`. */
export function inWords(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

let languageNames: Intl.DisplayNames | null = null;
let days: Intl.DateTimeFormat | null = null;

/** The name of a language; null for a tag that names none. */
export function languageName(tag: string | null): string | null {
  if (tag === null || !/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag)) return null;
  languageNames ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  return languageNames.of(tag) ?? null;
}

/** `2024-05-04T11:53:54Z` or `2024-05-04` → `4 May 2024`. Any other text is shown as published. */
export function day(time: string): string {
  const moment = new Date(time);
  const isShown = /^\d{4}-\d\d-\d\d(T.*Z)?$/.test(time) && !Number.isNaN(moment.getTime());
  if (!isShown) return time;
  // Made for the first page, as are the names of languages: most threads and commands make no page.
  days ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return days.format(moment);
}

interface Status {
  readonly name: string;
  readonly good: boolean;
}

interface ExplainedStatus extends Status {
  /** A sentence; empty for an unknown code. */
  readonly means: string;
}

/** RegistrationStatus of LEI-CDF 3.1. */
const registrations: Readonly<Record<string, ExplainedStatus>> = {
  ISSUED: { name: 'Issued', means: 'The LEI is valid and its record is kept up to date.', good: true },
  LAPSED: {
    name: 'Lapsed',
    means: 'The LEI was not renewed in time, so its record may be out of date.',
    good: false,
  },
  RETIRED: { name: 'Retired', means: 'The company has ceased to operate.', good: false },
  DUPLICATE: { name: 'Duplicate', means: 'The company has another LEI; use that one.', good: false },
  ANNULLED: { name: 'Annulled', means: 'The LEI was issued by mistake.', good: false },
  MERGED: { name: 'Merged', means: 'The company has merged into another one.', good: false },
  CANCELLED: { name: 'Cancelled', means: 'The application for the LEI was withdrawn.', good: false },
  TRANSFERRED: { name: 'Transferred', means: 'Another LEI issuer now manages the record.', good: false },
  PENDING_TRANSFER: {
    name: 'Pending transfer',
    means: 'The LEI is valid; another LEI issuer will soon manage it.',
    good: true,
  },
  PENDING_ARCHIVAL: {
    name: 'Pending archival',
    means: 'The LEI is valid; its record is moving to another LEI issuer.',
    good: true,
  },
  PENDING_VALIDATION: {
    name: 'Pending validation',
    means: 'The record has not been validated yet.',
    good: false,
  },
};

export function registrationStatus(code: string): ExplainedStatus {
  return registrations[code] ?? { name: inWords(code), means: '', good: false };
}

const entityStatuses: Readonly<Record<string, Status>> = {
  ACTIVE: { name: 'Active', good: true },
  INACTIVE: { name: 'Inactive', good: false },
};

/** GLEIF publishes the text `NULL` if a status does not apply. */
export function entityStatus(code: string | null): Status | null {
  if (code === null || code === 'NULL') return null;
  return entityStatuses[code] ?? { name: inWords(code), good: false };
}

/**
 * @param absent describes the absence of a code
 * @returns a function that describes codes by these texts, and unknown codes by themselves
 */
function describing(texts: Readonly<Record<string, string>>, absent = '') {
  return (code: string | null): string => (code === null ? absent : (texts[code] ?? inWords(code)));
}

export const corroboration = describing({
  FULLY_CORROBORATED: 'Public sources confirm all of it',
  PARTIALLY_CORROBORATED: 'Public sources confirm part of it',
  ENTITY_SUPPLIED_ONLY: 'Only the company itself confirms it',
  PENDING: 'Not validated yet',
});

export const conformity = describing({
  CONFORMING: 'The record follows GLEIF’s policies',
  NON_CONFORMING:
    'The record does not follow GLEIF’s policies: its renewal is overdue, or its parents are not reported',
  NOT_APPLICABLE: 'GLEIF’s policies do not apply',
});

export const nameType = describing(
  {
    ALTERNATIVE_LANGUAGE_LEGAL_NAME: 'Legal name in another language',
    PREVIOUS_LEGAL_NAME: 'Former legal name',
    TRADING_OR_OPERATING_NAME: 'Trading name',
    PREFERRED_ASCII_TRANSLITERATED_LEGAL_NAME: 'In Latin letters',
    AUTO_ASCII_TRANSLITERATED_LEGAL_NAME: 'In Latin letters, by the LEI issuer',
  },
  'Other name',
);

export const addressType = describing(
  {
    ALTERNATIVE_LANGUAGE_LEGAL_ADDRESS: 'Legal address in another language',
    ALTERNATIVE_LANGUAGE_HEADQUARTERS_ADDRESS: 'Headquarters in another language',
    PREFERRED_ASCII_TRANSLITERATED_LEGAL_ADDRESS: 'Legal address in Latin letters',
    AUTO_ASCII_TRANSLITERATED_LEGAL_ADDRESS: 'Legal address in Latin letters, by the LEI issuer',
    PREFERRED_ASCII_TRANSLITERATED_HEADQUARTERS_ADDRESS: 'Headquarters in Latin letters',
    AUTO_ASCII_TRANSLITERATED_HEADQUARTERS_ADDRESS: 'Headquarters in Latin letters, by the LEI issuer',
  },
  'Other address',
);

const relationshipTypes: Readonly<Record<string, readonly [above: string, below: string]>> = {
  IS_DIRECTLY_CONSOLIDATED_BY: ['Direct parent', 'Directly owned'],
  IS_ULTIMATELY_CONSOLIDATED_BY: ['Ultimate parent', 'Ultimately owned'],
  IS_INTERNATIONAL_BRANCH_OF: ['Head office', 'Branch'],
  'IS_FUND-MANAGED_BY': ['Fund manager', 'Managed fund'],
  IS_SUBFUND_OF: ['Umbrella fund', 'Sub-fund'],
  IS_FEEDER_TO: ['Master fund', 'Feeder fund'],
};

/** Names the other company of a relationship, which is `above` or `below`. */
export function relationshipType(code: string, side: 'above' | 'below'): string {
  return relationshipTypes[code]?.[side === 'above' ? 0 : 1] ?? inWords(code);
}
