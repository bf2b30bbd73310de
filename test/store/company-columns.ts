/** Company files of generated companies, whose lists are tested. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { LegalEntityRecord } from '../../src/lei/company.ts';
import { createLists } from '../../src/store/columns/list.ts';
import { textsOf } from '../../src/store/columns/texts.ts';
import { CompanyFile } from '../../src/store/company-file.ts';
import { CompanyFileChanges } from '../../src/store/company-file-changes.ts';
import { CompanyFileWriter } from '../../src/store/company-file-writer.ts';
import { packCompany, withProvenance } from '../../src/store/company-record.ts';
import { wordsOf } from '../../src/store/record-words.ts';
import { temporaryFolder } from '../support/folders.ts';
import { record } from './random-records.ts';

const id = '20261004T160000Z-00000001';
const folder = temporaryFolder('columns');
export const path = join(folder, 'companies.bin');
const opened: CompanyFile[] = [];
/** To be called after each test. */
export function closeOpened(): void {
  for (const file of opened.splice(0)) file.close();
}

/** Null for an LEI without a record. Entity 1 is the first. */
export type Companies = readonly (LegalEntityRecord | null)[];

export function leiAt(index: number): string {
  // Not in the order of the entities.
  return `LEI${String((index * 7919) % 100_003).padStart(17, '0')}`;
}

export function storedAt(company: LegalEntityRecord | null, index: number) {
  const lei = leiAt(index);
  const provenance = { file: 0, firstSeen: 0, lastChanged: 0 };
  const text = company === null ? lei : withProvenance(packCompany({ ...company, lei }), provenance);
  const bytes = Buffer.from(text);
  return { entity: index + 1, record: { bytes, length: bytes.length }, mappings: null };
}

function textsOfCompany({ entity: { legalName, legalAddress, registeredAs } }: LegalEntityRecord): string[] {
  return [legalName.name, legalAddress.city ?? '', registeredAs ?? ''];
}

export function wordsOfCompany(company: LegalEntityRecord): string[] {
  return textsOfCompany(company).flatMap(wordsOf);
}

/** Some words of the companies, which get bits of their own. */
export function commonOf(companies: Companies): readonly string[] {
  const all = new Set(companies.flatMap((each) => (each === null ? [] : textsOfCompany(each))));
  return [...new Set([...all].flatMap(wordsOf))].filter((_, index) => index % 3 === 0).slice(0, 64);
}

export function write(companies: Companies): void {
  // It is removed after each file of tests.
  mkdirSync(folder, { recursive: true });
  const writer = new CompanyFileWriter(path, id, companies.length, commonOf(companies));
  for (const [index, company] of companies.entries()) writer.put(storedAt(company, index));
  writer.finish();
  writer.close();
}

export function change(companies: Companies, changed: readonly number[]): boolean {
  const changes = new CompanyFileChanges(path, { id, lastEntity: companies.length, sum: 0 });
  try {
    if (!changes.fits) return false;
    for (const index of changed) changes.put(storedAt(companies[index] ?? null, index));
    changes.finish();
    return true;
  } finally {
    changes.close();
  }
}

export function openLists() {
  const file = new CompanyFile(path, id, 'scattered');
  opened.push(file);
  return { file, lists: createLists(file.columns, textsOf(file)) };
}

const timeFrom = (year: string) =>
  fc.option(
    fc
      .date({ min: new Date(`${year}-01-01`), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => `${date.toISOString().slice(0, 19)}Z`),
    { nil: null },
  );
/** Some of one second: lists may order by its fractions. */
const time = fc.oneof(
  timeFrom('1970'),
  fc.constantFrom(
    '2017-10-25T16:36:09Z',
    '2017-10-25T16:36:09.001Z',
    '2017-10-25T16:36:09.788Z',
    '2017-10-25T16:36:09.5Z',
  ),
);
/** Companies of one minute, and of a century before the registers. */
const creation = fc.oneof(
  timeFrom('0001'),
  fc.constantFrom('1480-05-04T00:00:00Z', '1480-05-04T00:00:32Z', '1480-05-04T00:00:08Z'),
);
const country = fc.constantFrom('DE', 'AT', 'CH', null);
const texts = fc.tuple(
  fc.constantFrom('Köln', 'Koln', 'köln am rhein', 'Bonn', '', null),
  fc.constantFrom('50667', '50 667', null),
  fc.constantFrom('HRB 123', 'hrb123', '0123', null),
  fc.constantFrom('', 'alpha', 'Älpha', 'ALPHA BETA Gamma', 'Alpha beta delta', '日本', '日本 株式会社'),
);
export const company = fc.tuple(record, time, time, creation, country, country, texts).map(
  ([
    random,
    first,
    second,
    third,
    legal,
    headquarters,
    [city, postalCode, registeredAs, name],
  ]): LegalEntityRecord => ({
    ...random,
    entity: {
      ...random.entity,
      legalName: { ...random.entity.legalName, name },
      registeredAs,
      legalAddress: { ...random.entity.legalAddress, country: legal, city, postalCode },
      headquartersAddress: { ...random.entity.headquartersAddress, country: headquarters },
      creationDate: third,
    },
    registration: { ...random.registration, initialRegistrationDate: first, lastUpdateDate: second },
  }),
);
export const companiesOf = (maxLength: number) =>
  fc.array(fc.option(company, { nil: null, freq: 8 }), { maxLength, size: 'max' });

export type Day = readonly (readonly [at: number, renewed: LegalEntityRecord | null])[];

/** Changes companies, or adds some at the end. @returns the places of those */
export function changedOn(day: Day, now: (LegalEntityRecord | null)[]): number[] {
  const changed = new Set<number>();
  for (const [at, renewed] of day) {
    const index = Math.min(at, now.length);
    // A record never goes.
    if (renewed === null && now[index] !== undefined) continue;
    now[index] = renewed;
    changed.add(index);
  }
  return [...changed];
}
