/** Checks a sealed publication from its bytes to its last record: what `lei verify` does. */
import { isIdentifierKind, kindsBySlot, mappingTable } from '../../lei/identifier-kinds.ts';
import { type Glimpse, rowCount } from '../../lmdb.ts';
import { searchTextMax, searchTextMin } from '../../protocol/questions.ts';
import { companiesIn, type Layout } from '../../publication/layout.ts';
import type { Manifest } from '../../publication/manifest.ts';
import { readManifest } from '../../publication/sealed.ts';
import { leiOfChangeKey, renderChange } from '../../store/change-records.ts';
import { CompanyFile } from '../../store/company-file.ts';
import { isRecord, leiLength } from '../../store/company-record.ts';
import { mappingSlot } from '../../store/mapping-record.ts';
import { openEnvironment } from '../../store/open-publication.ts';
import { openPackedTable } from '../../store/packed-table.ts';
import type { DirectoryEntry, PublicationReader } from '../../store/publication-reader.ts';
import { openRaw, type RawPublication, readDirectoryValue } from '../../store/raw-publication.ts';
import { unpackRelationshipLists } from '../../store/relationship-lists.ts';
import { splitEnds } from '../../store/relationship-record.ts';
import { provenanceTexts } from '../../store/render-company.ts';
import { publicationDifference } from '../digest.ts';

export interface Verification {
  readonly id: string;
  readonly sound: boolean;
  /** What is wrong, each a sentence; the first hundred. */
  readonly problems: readonly string[];
  /** Things looked at. */
  readonly checked: { companies: number; relationships: number; identifiers: number; changes: number };
}

const problemsMax = 100;

/** @param progress told the phase, from time to time */
export async function verifySealed(
  layout: Layout,
  id: string,
  progress: (phase: string) => void,
): Promise<Verification> {
  const problems: string[] = [];
  const checked = { companies: 0, relationships: 0, identifiers: 0, changes: 0 };
  const report = (problem: string) => {
    if (problems.length < problemsMax) problems.push(problem);
  };
  const done = () => ({ id, sound: problems.length === 0, problems, checked });
  const reading = readManifest(layout, id);
  if (reading.outcome !== 'sound') {
    report(reading.message);
    return done();
  }
  progress('digest');
  const difference = await publicationDifference(layout, reading.manifest);
  if (difference !== null) {
    // Damaged pages can take the whole process down with them, so they are not looked into.
    report(difference);
    return done();
  }
  const folder = layout.publication(id);
  const raw = openRaw(folder, id);
  const reader = await openEnvironment(folder, id);
  const companies = new CompanyFile(companiesIn(folder), id, false);
  try {
    const check: Check = { raw, reader, companies, report, checked };
    progress('counts');
    checkCounts(check, reading.manifest);
    progress('companies');
    checkCompanies(check);
    progress('relationships');
    checkRelationships(check);
    progress('identifiers');
    checkIdentifiers(check);
    progress('changes');
    checkChanges(check);
  } finally {
    companies.close();
    await reader.close();
    await raw.close();
  }
  return done();
}

interface Check {
  readonly raw: RawPublication;
  readonly reader: PublicationReader;
  readonly companies: CompanyFile;
  readonly report: (problem: string) => void;
  readonly checked: { companies: number; relationships: number; identifiers: number; changes: number };
}

function checkCounts({ raw, report }: Check, manifest: Manifest): void {
  for (const problem of countProblems(raw)) report(`In the environment ${problem}.`);
  for (const [kind, told] of Object.entries(manifest.counts)) {
    const found = new Map(Object.entries(raw.meta.counts)).get(kind);
    if (found !== told) report(`The manifest tells of ${told} ${kind}, the environment of ${found}.`);
  }
}

/** Where the tables hold other numbers of rows than the publication says of itself. */
export function countProblems({ tables, meta }: RawPublication): string[] {
  const expectations: readonly (readonly [string, number, number])[] = [
    ['entities in the directory', meta.shapes.directory.entries, meta.lastEntity],
    ['rows in the entities table', rowCount(tables.entities), meta.lastEntity],
    ['relationships', rowCount(tables.relationships), meta.counts.relationships],
    ['changes and snapshots', rowCount(tables.changes), meta.counts.changes + meta.counts.snapshots],
  ];
  return expectations
    .filter(([, found, expected]) => found !== expected)
    .map(([what, found, expected]) => `there are ${found} ${what}, but ${expected} were expected`);
}

/** Every record is readable, found by its LEI and the same wherever it stands; some are found by their names. */
function checkCompanies(check: Check): void {
  const { raw, reader, report, checked } = check;
  const searchedEvery = Math.max(1, Math.floor(raw.meta.lastEntity / companiesSearched));
  for (const { key, value: stored } of raw.tables.entities.getRange({ transaction: raw.transaction })) {
    const entity = Number(key);
    const lei = stored.slice(0, leiLength);
    const expected = { entity, hasRecord: isRecord(stored) };
    if (!isFound(check, lei, expected)) report(`${lei} is not found under its LEI.`);
    checkRow(check, entity, stored);
    if (!expected.hasRecord) continue;
    checked.companies++;
    const company = reader.company(entity);
    if (company === null || leiIn(Buffer.from(company.json).toString()) !== lei)
      report(`The record of ${lei} is not readable.`);
    if (checked.companies % searchedEvery === 0) checkSearch({ reader, report }, entity, lei);
  }
  if (checked.companies !== raw.meta.counts.entities) {
    report(`There are ${checked.companies} companies, but ${raw.meta.counts.entities} were expected.`);
  }
}
const companiesSearched = 200;

/** In the directory, in which loads look, and in the company file, in which answers do. */
function isFound({ raw, reader }: Check, lei: string, expected: DirectoryEntry): boolean {
  return Bun.deepEquals(
    [readDirectoryValue(raw.directory.first(lei)), reader.find(lei)],
    [expected, expected],
  );
}

/** What loads work on is what answers show. */
function checkRow({ raw, companies, report }: Check, entity: number, stored: string): void {
  const mappings = raw.tables.mappings.get(entity, { transaction: raw.transaction }) ?? '';
  const [record, mapped] = [textOf(companies.record(entity)), textOf(companies.mappings(entity))];
  if (record === stored && mapped === mappings) return;
  const what = record === stored ? 'other identifiers' : 'another record';
  report(`The company file holds ${what} of ${stored.slice(0, leiLength)} than the tables.`);
}

function textOf(row: Glimpse | null): string {
  return row === null ? '' : row.bytes.toString('utf8', 0, row.length);
}

function leiIn(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && 'lei' in value ? value.lei : null;
  } catch {
    return null;
  }
}

function checkSearch(
  { reader, report }: Pick<Check, 'reader' | 'report'>,
  entity: number,
  lei: string,
): void {
  const { name } = reader.summary(entity);
  if (!isFoundByName(reader, entity, name)) report(`A search for ${name} does not find ${lei}.`);
}

/** Whether a search for a company's name finds it, or more than a page of namesakes; so does one that nobody can ask for. */
export function isFoundByName({ search }: PublicationReader, entity: number, name: string | null): boolean {
  const characters = [...(name ?? '').trim()].slice(0, searchTextMax);
  if (characters.length < searchTextMin) return true;
  const q = characters.join('');
  const outcome = search.search({ q, country: null, status: null, after: null, limit: 100 });
  // A name without a letter or digit can't be searched for.
  if (outcome.outcome === 'refused' || outcome.total > outcome.hits.length) return true;
  return outcome.hits.some((hit) => hit.entity === entity);
}

/** Every record stands in the lists of both its ends. */
function checkRelationships({ raw, report, checked }: Check): void {
  const { tables, transaction } = raw;
  const listed = (entity: number) =>
    unpackRelationshipLists(tables.relationshipsOf.get(entity, { transaction }));
  let inLists = 0;
  for (const { value } of tables.relationshipsOf.getRange({ transaction })) {
    inLists += unpackRelationshipLists(value).asStart.length;
  }
  for (const { key, value } of tables.relationships.getRange({ transaction })) {
    const { start, end } = splitEnds(value);
    checked.relationships++;
    // The lists of ends are long; their sum is checked instead, by the starts that make them up.
    if (!listed(start).asStart.includes(Number(key)))
      report(`Relationship ${String(key)} is not listed at its start.`);
    if (tables.entities.get(end, { transaction }) === undefined)
      report(`Relationship ${String(key)} ends nowhere.`);
  }
  if (inLists !== checked.relationships)
    report(`${inLists} relationships are listed, but ${checked.relationships} are stored.`);
}

/** Every identifier leads to an entity that names it in turn. */
function checkIdentifiers({ raw, report, checked }: Check): void {
  const { tables, transaction, meta } = raw;
  for (const kind of kindsBySlot.filter(isIdentifierKind)) {
    const table = openPackedTable(tables[kind], meta.shapes[kind], transaction);
    let entries = 0;
    for (const { key, value } of table.entries()) {
      entries++;
      const slot = mappingSlot(tables.mappings.get(value, { transaction }), kind);
      // Of some kinds a company names the first only.
      const named = mappingTable[kind].shownMax !== null ? slot !== '' : slot.split('\t').includes(key);
      if (!named) report(`${kind.toUpperCase()} ${key} leads to entity ${value}, which does not name it.`);
    }
    checked.identifiers += entries;
    if (entries !== meta.counts[kind])
      report(`There are ${entries} ${kind} pairs, but ${meta.counts[kind]} were expected.`);
  }
}

function checkChanges({ raw, report, checked }: Check): void {
  const texts = provenanceTexts(raw.meta.files, raw.meta.versions);
  for (const { key, value } of raw.tables.changes.getRange({ transaction: raw.transaction })) {
    checked.changes++;
    if (!isJson(renderChange(value, texts))) {
      report(`A change of ${Buffer.isBuffer(key) ? leiOfChangeKey(key) : String(key)} is not readable.`);
    }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
