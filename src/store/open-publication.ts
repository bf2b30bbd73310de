/** Opens a sealed publication for reading: the one implementation of {@link PublicationReader}. */
import { byKind, identifierKinds } from '../lei/identifier-kinds.ts';
import { exceptionCategories } from '../lei/relationship-codes.ts';
import { type Environment, glimpse, type ReadingPattern } from '../lmdb.ts';
import { companiesIn, type Layout } from '../publication/layout.ts';
import { openChangeFeed } from './change-feed.ts';
import { changeKeyBounds, keyAtPosition, positionOf, renderChange } from './change-records.ts';
import { createLists } from './columns/list.ts';
import { textsOf } from './columns/texts.ts';
import { CompanyFile } from './company-file.ts';
import { CompanySummary } from './company-summary.ts';
import { readExceptionCodes } from './exception-codes.ts';
import { openGleif } from './gleif/open-gleif.ts';
import { readIdentifyingFacts } from './identifying-facts.ts';
import { isinsOf } from './isin-lists.ts';
import { hasOcid, isinsShown, noMappings, ocidKey, renderMappings } from './mapping-record.ts';
import { openPackedTable } from './packed-table.ts';
import { slotSeparator } from './packing.ts';
import type { ChangePage, EntityNumber, IsinPage, PublicationReader } from './publication-reader.ts';
import { openRawWith, type RawPublication } from './raw-publication.ts';
import { KeptRelationships, noRelationships, unpackRelationshipLists } from './relationship-record.ts';
import { companyPathBelow, type RecordTexts, recordTexts, renderCompany } from './render-company.ts';
import { openSearchReader } from './search/open-search.ts';
import type { OpenSearch, SearchReader } from './search/search-reader.ts';
import { withoutTimeLimit } from './search/time-limit.ts';
import { atOnce } from './steps.ts';
import { leiOfEntity } from './stored-companies.ts';
import type { ServedTables } from './tables.ts';

/**
 * Opens a publication for answering, with a time limit for each search. Throws if the environment is missing, damaged
 * or not of this version.
 * @param basePath the path of LEI_BASE_URL, which every link begins with; '' for none
 */
export async function openPublication(layout: Layout, id: string, basePath = ''): Promise<PublicationReader> {
  return openReader(layout.publication(id), id, 'scattered', basePath);
}

/**
 * Opens the publication in a folder, sealed or staged, for reading all of it, without a time limit. Throws like
 * {@link openPublication}.
 */
export async function openEnvironment(folder: string, id: string, basePath = ''): Promise<PublicationReader> {
  return openReader(folder, id, 'through', basePath);
}

function openReader(
  folder: string,
  id: string,
  pattern: ReadingPattern,
  basePath: string,
): PublicationReader {
  const companies = new CompanyFile(companiesIn(folder), id, pattern);
  const leiOf = (entity: EntityNumber) => leiOfEntity(companies, entity);
  const timeLimit = pattern === 'scattered' ? undefined : withoutTimeLimit();
  const opened: OpenSearch[] = [];
  const openSearch = (environment: Environment) => {
    const search = openSearchReader(environment, leiOf, timeLimit);
    opened.push(search);
    return search;
  };
  try {
    const { raw, more: search } = openRawWith(folder, id, openSearch, pattern);
    const close = () => {
      companies.close();
      search.close();
      return raw.close();
    };
    return createReader({ ...raw, close }, companies, search, companyPathBelow(basePath));
  } catch (error) {
    companies.close();
    for (const search of opened) search.close();
    throw error;
  }
}

function createReader(
  opened: RawPublication<ServedTables>,
  companies: CompanyFile,
  search: SearchReader,
  companyPath: string,
): PublicationReader {
  const { tables, transaction, meta } = opened;
  const options = { transaction };
  const identifiers = openIdentifiers(opened);
  const ofOcid = openOcids(companies, opened);
  const texts = recordTexts(meta.files, meta.versions, companyPath);
  const exceptionJson = openExceptions(opened);
  const find = (lei: string) => companies.find(lei);
  const { company, summary, facts } = openCompanies(companies, texts);
  const nameOf = (lei: string) => {
    const entry = find(lei);
    return entry?.hasRecord === true ? summary(entry.entity).name : null;
  };
  const relationshipsInSteps = openRelationships(opened);
  return {
    id: meta.id,
    search,
    lists: createLists(companies.columns, textsOf(companies)),
    gleif: openGleif(companies, opened),
    companyPath,
    lastEntity: meta.lastEntity,
    countries: new Set(meta.countries),
    find,
    company,
    summary,
    facts,
    relationships: (entity) => atOnce(relationshipsInSteps(entity)),
    relationshipsInSteps,
    exceptions: (entity) => {
      const codes = readExceptionCodes(tables.exceptionCodes, entity, transaction);
      return {
        direct: exceptionJson(exceptionCategories.direct, codes.direct),
        ultimate: exceptionJson(exceptionCategories.ultimate, codes.ultimate),
      };
    },
    entitiesOf: (kind, value) => (kind === 'ocid' ? ofOcid(value) : identifiers[kind].values(value)),
    isins: openIsins(companies, opened),
    micListEntry: (mic) => {
      const row = tables.micList.get(mic, options);
      if (row === undefined) return null;
      const end = row.indexOf(slotSeparator);
      return { operatingMic: row.slice(0, end), json: row.slice(end + 1) };
    },
    changes: (lei, after, limit) => {
      const page = readChanges(opened, texts, { lei, after, limit });
      return page.items.length === 0 && find(lei)?.hasRecord !== true ? null : page;
    },
    changesSince: openChangeFeed(opened, texts, nameOf),
    close: opened.close,
  };
}

function openCompanies(
  companies: CompanyFile,
  texts: RecordTexts,
): Pick<PublicationReader, 'company' | 'summary' | 'facts'> {
  const summary = new CompanySummary();
  return {
    company: (entity) => {
      const stored = companies.companyRecord(entity);
      if (stored === null) return null;
      const mapped = companies.mappings(entity);
      const mappings = mapped === null ? noMappings : renderMappings(mapped.bytes, mapped.length);
      const json = renderCompany(stored.bytes, stored.length, texts, mappings.json);
      return { json, notices: mappings.notices };
    },
    summary: (entity) => {
      const stored = companies.record(entity);
      if (stored === null)
        throw new Error(`Entity ${entity} is not stored. Check the publication with lei verify.`);
      return summary.show(stored.bytes, stored.length);
    },
    facts: (entity) => {
      const stored = companies.companyRecord(entity);
      return stored === null ? null : readIdentifyingFacts(stored, companies.mappings(entity));
    },
  };
}

function openRelationships({
  tables,
  transaction,
}: RawPublication): PublicationReader['relationshipsInSteps'] {
  const options = { transaction };
  const kept = new KeptRelationships();
  const relationship = (number: number) => {
    const stored = glimpse(tables.relationships, number, options);
    if (stored === null)
      throw new Error(`Relationship ${number} is not stored. Check the publication with lei verify.`);
    return stored;
  };
  return (entity) => {
    const row = glimpse(tables.relationshipsOf, entity, options);
    const lists = row === null ? noRelationships : unpackRelationshipLists(row.bytes, row.length);
    return kept.keep(lists, relationship);
  };
}

function openIdentifiers({ tables, meta, transaction }: RawPublication) {
  return byKind(identifierKinds, (kind) => openPackedTable(tables[kind], meta.shapes[kind], transaction));
}

/** The companies of an OpenCorporates id; none in a publication of an earlier version, which has no such table. */
function openOcids(
  companies: CompanyFile,
  { tables, meta, transaction }: RawPublication<ServedTables>,
): (id: string) => readonly EntityNumber[] {
  const shape = meta.shapes.ocid;
  if (tables.ocid === null || shape === undefined) return () => [];
  const table = openPackedTable(tables.ocid, shape, transaction);
  return (id) => table.values(ocidKey(id)).filter((entity) => hasOcid(mappingsText(companies, entity), id));
}

/** The packed mappings of a company; '' for none. */
function mappingsText(companies: CompanyFile, entity: EntityNumber): string {
  const mapped = companies.mappings(entity);
  return mapped === null ? '' : mapped.bytes.toString('utf8', 0, mapped.length);
}

function openIsins(
  companies: CompanyFile,
  { tables, transaction }: RawPublication<ServedTables>,
): PublicationReader['isins'] {
  return (entity, after, limit) => {
    const { count, shown } = isinsShown(mappingsText(companies, entity));
    const isins = count === shown.length ? shown : isinsOf(tables.isinLists, entity, after, transaction);
    return { total: count, ...isinPage(isins, after, limit) };
  };
}

/** The next items of ascending ISINs. */
function isinPage(isins: Iterable<string>, after: string | null, limit: number): Omit<IsinPage, 'total'> {
  const items: string[] = [];
  for (const isin of isins) {
    if (after !== null && isin <= after) continue;
    if (items.length === limit) return { items, next: items.at(-1) ?? null };
    items.push(isin);
  }
  return { items, next: null };
}

/** Renders exceptions by category and code. Most companies share a few, which are rendered once. */
function openExceptions({ tables, transaction }: RawPublication) {
  const known = new Map<string, string>();
  return (category: string, code: number): string | null => {
    if (code === 0) return null;
    const key = `${category}${code}`;
    const kept = known.get(key);
    if (kept !== undefined) return kept;
    const members = tables.exceptions.get(code, { transaction });
    if (members === undefined)
      throw new Error(`Exception ${code} is not stored. Check the publication with lei verify.`);
    const json = `{"category":"${category}",${members}}`;
    if (known.size < exceptionsKeptMax) known.set(key, json);
    return json;
  };
}
const exceptionsKeptMax = 1000;

interface ChangeQuery {
  readonly lei: string;
  readonly after: string | null;
  readonly limit: number;
}

function readChanges(
  { tables, transaction }: RawPublication,
  texts: RecordTexts,
  query: ChangeQuery,
): ChangePage {
  const { first, last } = changeKeyBounds(query.lei);
  const start = query.after === null ? last : keyAtPosition(query.lei, query.after);
  if (start === null)
    throw new Error(`No page of changes begins at ${query.after}. Start again from the first page.`);
  const items: string[] = [];
  let position = '';
  // One extra row shows whether another page follows.
  const range = tables.changes.getRange({
    start,
    end: first,
    reverse: true,
    exclusiveStart: query.after !== null,
    inclusiveEnd: true,
    limit: query.limit + 1,
    transaction,
  });
  for (const { key, value } of range) {
    if (items.length === query.limit) return { items, next: position };
    items.push(renderChange(value, texts));
    if (Buffer.isBuffer(key)) position = positionOf(key);
  }
  return { items, next: null };
}
