/** Checks every company: readable, found by its LEI, the same in tables and company file, some found by name. */
import type { Glimpse } from '../../../lmdb.ts';
import { isRecord, leiLength } from '../../../store/company-record.ts';
import type { DirectoryEntry, PublicationReader } from '../../../store/publication-reader.ts';
import { readDirectoryValue } from '../../../store/raw-publication.ts';
import { leiInJson } from '../../../store/render-company.ts';
import { isFoundByName } from '../../checks.ts';
import type { Check } from './check.ts';

/** Companies searched for by name, evenly spaced. */
const companiesSearched = 200;

export function checkCompanies(check: Check): void {
  const { raw, reader, report, checked } = check;
  const searchedEvery = Math.max(1, Math.floor(raw.meta.lastEntity / companiesSearched));
  for (const { key, value: stored } of raw.tables.entities.getRange({ transaction: raw.transaction })) {
    const entity = Number(key);
    const lei = stored.slice(0, leiLength);
    const expected = { entity, hasRecord: isRecord(stored) };
    if (!isFound(check, lei, expected)) report(`A look-up of ${lei} does not find it.`);
    checkRow(check, entity, stored);
    if (!expected.hasRecord) continue;
    checked.companies++;
    if (readLei(reader, entity) !== lei) report(`The record of ${lei} can't be read.`);
    if (checked.companies % searchedEvery === 0) checkSearch(check, entity, lei);
  }
  if (checked.companies !== raw.meta.counts.entities) {
    report(`There are ${checked.companies} companies, but ${raw.meta.counts.entities} were expected.`);
  }
}

/** In the directory that loads use, and in the company file that answers use. */
function isFound({ raw, reader }: Check, lei: string, expected: DirectoryEntry): boolean {
  return Bun.deepEquals(
    [readDirectoryValue(raw.directory.first(lei)), reader.find(lei)],
    [expected, expected],
  );
}

/** The company file is a copy of the tables. */
function checkRow({ raw, companies, report }: Check, entity: number, stored: string): void {
  const mappings = raw.tables.mappings.get(entity, { transaction: raw.transaction }) ?? '';
  const [record, mapped] = [textOf(companies.record(entity)), textOf(companies.mappings(entity))];
  if (record === stored && mapped === mappings) return;
  const what = record === stored ? 'other identifiers' : 'another record';
  report(`The company file has ${what} for ${stored.slice(0, leiLength)} than the tables.`);
}

function textOf(row: Glimpse | null): string {
  return row === null ? '' : row.bytes.toString('utf8', 0, row.length);
}

/** Null if the record is missing or unreadable. */
function readLei(reader: PublicationReader, entity: number): unknown {
  try {
    const company = reader.company(entity);
    return company === null ? null : leiInJson(company.json);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function checkSearch({ reader, report }: Check, entity: number, lei: string): void {
  const { name } = reader.summary(entity);
  if (!isFoundByName(reader, entity, name)) report(`A search for ${name} does not find ${lei}.`);
}
