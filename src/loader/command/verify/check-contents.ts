/**
 * Checks the contents of a publication. The rows of the company file are those that were written; every company is readable
 * and found by its LEI, and some by their names. Relationships, identifiers and changes refer to something that exists and
 * refers back.
 */
import { DamagedFile, reasonOf } from '../../../errors.ts';
import { isIdentifierKind, kindsBySlot, mappingTable } from '../../../lei/identifier-kinds.ts';
import type { Manifest } from '../../../publication/manifest.ts';
import { parsedOrNull } from '../../../publication/parsed-or-null.ts';
import { beginning, listedChanges, orderedVersions } from '../../../store/change-order.ts';
import {
  kindOfChange,
  leiOfChangeKey,
  placeOfChangeKey,
  renderChange,
  unpackSnapshot,
} from '../../../store/change-records.ts';
import { isRecord, leiLength } from '../../../store/company-fields.ts';
import type { CompanyFile } from '../../../store/company-file.ts';
import { auditCompanyFile } from '../../../store/company-file-audit.ts';
import { allIsinRows, entityOfIsinKey, isinsInRow } from '../../../store/isin-lists.ts';
import { isinsShown, mappingSlot, mappingValues, ocidKey } from '../../../store/mapping-record.ts';
import { openPackedTable } from '../../../store/packed-table.ts';
import type { PublicationReader } from '../../../store/publication-reader.ts';
import type { RawPublication } from '../../../store/raw-publication.ts';
import { splitEnds, unpackRelationshipLists } from '../../../store/relationship-record.ts';
import { leiInJson, recordTexts } from '../../../store/render-company.ts';
import type { SearchAudit } from '../../../store/search/audit.ts';
import { atOnce } from '../../../store/steps.ts';
import { textOfRow } from '../../../store/stored-companies.ts';
import type { ServedTables } from '../../../store/tables.ts';
import { isFoundByName } from '../../checks.ts';

/** Numbers of things checked. */
export interface CheckCounts {
  companies: number;
  relationships: number;
  identifiers: number;
  changes: number;
}

export interface Check {
  readonly manifest: Manifest;
  readonly raw: RawPublication<ServedTables>;
  readonly reader: PublicationReader;
  readonly companies: CompanyFile;
  readonly search: SearchAudit;
  /** Takes a sentence about something wrong. */
  readonly report: (problem: string) => void;
  readonly checked: CheckCounts;
}

/** Companies searched for by name, evenly spaced. */
const companiesSearched = 200;

export function checkCompanies(check: Check): void {
  const { raw, reader, companies, report, checked } = check;
  const { lastEntity, rowSum, counts } = raw.meta;
  companies.checkAllCells();
  auditCompanyFile(companies.path, rowSum, report);
  if (companies.lastEntity !== lastEntity)
    report(`The company file has ${companies.lastEntity} entities, but ${lastEntity} were expected.`);
  const searchedEvery = Math.max(1, Math.floor(lastEntity / companiesSearched));
  for (let entity = 1; entity <= companies.lastEntity; entity++) {
    const stored = companies.record(entity);
    if (stored === null) continue;
    const lei = stored.bytes.toString('latin1', 0, leiLength);
    const hasRecord = isRecord(stored);
    if (!Bun.deepEquals(reader.find(lei), { entity, hasRecord }))
      report(`A look-up of ${lei} does not find it.`);
    if (!hasRecord) continue;
    checked.companies++;
    if (readLei(reader, entity) !== lei) report(`The record of ${lei} can't be read.`);
    if (checked.companies % searchedEvery === 0) checkSearch(check, entity, lei);
  }
  if (checked.companies !== counts.entities)
    report(`There are ${checked.companies} companies, but ${counts.entities} were expected.`);
}

/** Each company has the codes that its record gives. */
export function checkColumns({ raw, reader, companies, report }: Check): void {
  const { columns } = companies;
  columns.checkAll();
  for (let entity = 1; entity <= raw.meta.lastEntity; entity++) {
    const stored = companies.record(entity);
    const wrong = stored === null ? null : unlessUnreadable(() => columns.differenceFrom(entity, stored));
    if (wrong !== null) report(`The columns have another ${wrong} of entity ${entity} than its record.`);
  }
  const all = { conditions: [], first: null, order: [], skip: 0, limit: 0 };
  const { total } = atOnce(reader.lists.list(all));
  if (total !== raw.meta.counts.entities)
    report(`Lists have ${total} companies, but ${raw.meta.counts.entities} were expected.`);
}

/** Null if the record is missing or unreadable. */
function readLei(reader: PublicationReader, entity: number): unknown {
  return unlessUnreadable(() => {
    const company = reader.company(entity);
    return company === null ? null : leiInJson(company.json);
  });
}

/** Null for a record that is not what a load packs, which the check of companies reports. */
function unlessUnreadable<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function checkSearch({ reader, report }: Check, entity: number, lei: string): void {
  const { name } = reader.summary(entity);
  reportContradiction(report, `A search for ${name}`, () => {
    if (!isFoundByName(reader, entity, name)) report(`A search for ${name} does not find ${lei}.`);
  });
}

/** Reports that a search index lacks a row which another of its rows leads to. @param what does not work then */
export function reportContradiction(report: Check['report'], what: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (error instanceof DamagedFile) throw error;
    report(`${what} fails: ${reasonOf(error)}`);
  }
}

/** Every relationship is listed at both its ends. */
export function checkRelationships({ raw, report, checked }: Check): void {
  const { tables, transaction, meta } = raw;
  const listed = (entity: number) =>
    unpackRelationshipLists(tables.relationshipsOf.get(entity, { transaction }));
  let inLists = 0;
  for (const { value } of tables.relationshipsOf.getRange({ transaction })) {
    inLists += unpackRelationshipLists(value).asStart.length;
  }
  for (const { key, value } of tables.relationships.getRange({ transaction })) {
    const { start, end } = splitEnds(value);
    checked.relationships++;
    // An end's list can be long: the sum of all lists is compared instead.
    if (!listed(start).asStart.includes(Number(key)))
      report(`Relationship ${String(key)} is not listed at its start node.`);
    if (end < 1 || end > meta.lastEntity) report(`Relationship ${String(key)} has no end node.`);
  }
  if (inLists !== checked.relationships)
    report(`${inLists} relationships are listed, but ${checked.relationships} are stored.`);
}

/** Every identifier leads to an entity that refers back to it. */
export function checkIdentifiers({ raw, companies, report, checked }: Check): void {
  const { tables, transaction, meta } = raw;
  for (const kind of kindsBySlot.filter(isIdentifierKind)) {
    const table = openPackedTable(tables[kind], meta.shapes[kind], transaction);
    let entries = 0;
    for (const { key, value } of table.entries()) {
      entries++;
      const slot = mappingSlot(textOfRow(companies.mappings(value)), kind);
      // For some kinds a company names only the first.
      const named = mappingTable[kind].shownMax !== null ? slot !== '' : slot.split('\t').includes(key);
      if (!named) report(`${kind.toUpperCase()} ${key} leads to entity ${value}, which does not name it.`);
    }
    checked.identifiers += entries;
    if (entries !== meta.counts[kind])
      report(`There are ${entries} ${kind} pairs, but ${meta.counts[kind]} were expected.`);
  }
}

/** The table of OpenCorporates ids leads from each to the companies that have it, and has no other entry. */
export function checkOcids(check: Check): void {
  const { raw, report, checked } = check;
  const { tables, transaction, meta } = raw;
  if (tables.ocid === null || meta.shapes.ocid === undefined) return;
  const table = openPackedTable(tables.ocid, meta.shapes.ocid, transaction);
  let expected = 0;
  for (const [entity, mappings] of allMappings(check)) {
    const keys = new Map(mappingValues(mappings, 'ocid').map((id) => [ocidKey(id), id]));
    expected += keys.size;
    for (const [ocid, id] of keys) {
      if (!table.values(ocid).includes(entity))
        report(`OpenCorporates id ${id} does not lead to entity ${entity}.`);
    }
  }
  let entries = 0;
  for (const _ of table.entries()) entries++;
  checked.identifiers += entries;
  if (entries !== expected || meta.shapes.ocid.entries !== expected)
    report(`There are ${entries} entries for OpenCorporates ids, but ${expected} were expected.`);
}

/** The list of every company with more ISINs than its mappings show is complete, and leads back to the company. */
export function checkIsinLists(check: Check): void {
  const { report } = check;
  const listed = countListed(check);
  for (const [entity, mappings] of allMappings(check)) {
    const { count, shown } = isinsShown(mappings);
    const found = listed.get(entity) ?? 0;
    const expected = count > shown.length ? count : 0;
    if (found !== expected)
      report(`The list of entity ${entity} holds ${found} ISINs, but ${expected} were expected.`);
    listed.delete(entity);
  }
  for (const entity of listed.keys()) report(`Entity ${entity} has a list of ISINs, but no mappings.`);
}

/** The packed mappings of the entities that have any. */
function* allMappings({ companies }: Check): Generator<[entity: number, mappings: string]> {
  for (let entity = 1; entity <= companies.lastEntity; entity++) {
    const mappings = textOfRow(companies.mappings(entity));
    if (mappings !== undefined) yield [entity, mappings];
  }
}

/** How many ISINs the list of each entity holds. */
function countListed({ raw, report }: Check): Map<number, number> {
  const { tables, transaction, meta } = raw;
  const entities = openPackedTable(tables.isin, meta.shapes.isin, transaction);
  const listed = new Map<number, number>();
  for (const row of allIsinRows(tables.isinLists, transaction)) {
    const entity = entityOfIsinKey(row.key);
    const isins = [...isinsInRow(row)];
    listed.set(entity, (listed.get(entity) ?? 0) + isins.length);
    for (const isin of isins.filter((each) => !entities.values(each).includes(entity))) {
      report(`ISIN ${isin} does not lead to entity ${entity}.`);
    }
  }
  return listed;
}

/** Every change is readable, and is in the order of its version if that version can be followed. */
export function checkChanges({ raw, report, checked }: Check): void {
  const texts = recordTexts(raw.meta.files, raw.meta.versions);
  const ordered = countOrdered({ raw, report });
  for (const { key, value } of raw.tables.changes.getRange({ transaction: raw.transaction })) {
    checked.changes++;
    const lei = Buffer.isBuffer(key) ? leiOfChangeKey(key) : String(key);
    if (parsedOrNull(renderChange(value, texts)) === null) report(`A change of ${lei} can't be read.`);
    if (!Buffer.isBuffer(key) || unpackSnapshot(value) !== null) continue;
    const { version } = placeOfChangeKey(key);
    const left = ordered.get(version);
    if (left !== undefined) ordered.set(version, left - 1);
  }
  for (const [version, left] of ordered) {
    if (left !== 0)
      report(`Version ${raw.meta.versions[version]} has ${Math.abs(left)} changes that are not in order.`);
  }
}

/** How many changes are listed for each version that can be followed. */
function countOrdered({ raw, report }: Pick<Check, 'raw' | 'report'>): Map<number, number> {
  const { tables, transaction } = raw;
  const { changeOrder, changes } = tables;
  const counts = new Map<number, number>();
  for (const version of orderedVersions(changeOrder, transaction)) counts.set(version, 0);
  for (const { version, lei, kind, key } of listedChanges(changeOrder, beginning, transaction)) {
    counts.set(version, (counts.get(version) ?? 0) + 1);
    const row = changes.get(key, { transaction });
    const found = row === undefined ? 'not stored' : kindOfChange(row);
    if (found !== null && found !== kind) report(`A change of ${lei} is listed as ${kind}, but is ${found}.`);
  }
  return counts;
}
