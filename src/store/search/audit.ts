/**
 * Checks a search index as a whole, for `lei verify`: its companies are those of the company file, in order, each with the terms of
 * its names; and every term leads to the companies that have it, and to no others.
 */
import { hashText, scrambled } from '../../bytes/hash.ts';
import { uint32At } from '../../bytes/numbers-in-bytes.ts';
import { termRulesVersion } from '../../lei/names/name-terms.ts';
import type { Environment } from '../../lmdb.ts';
import { isRecord } from '../company-fields.ts';
import { searchFactsOf } from '../company-record.ts';
import { auditRowFile } from '../row-file/audit.ts';
import { leiOfEntity, type StoredCompanies } from '../stored-companies.ts';
import { type PreparedCompany, prepareCompany } from './build/prepared-company.ts';
import {
  filterMark,
  type IndexShape,
  namesPerChunk,
  rowFileOf,
  rowFileTables,
  type SearchTables,
} from './format.ts';
import { placeInRow, termsOfNames } from './index/document-terms.ts';
import { leadsTo } from './index/keys.ts';
import { newTermRows, openNewTerms, readNewTerm } from './index/new-terms.ts';
import { allTerms } from './index/terms.ts';
import { openIndex } from './open-index.ts';
import { withoutTimeLimit } from './time-limit.ts';
import { openListReader } from './update/lists.ts';

/** Checks once, and closes the index. @param report receives a sentence about a fault */
export type SearchAudit = (companies: AuditedCompanies, report: (problem: string) => void) => void;

type AuditedCompanies = Pick<StoredCompanies, 'record'> & { readonly lastEntity: number };

/** Opens the index of an environment, to check it later. */
export function openSearchAudit(environment: Environment): SearchAudit {
  const { tables, shape, close } = openIndex(environment, 'through');
  return (companies, report) => {
    try {
      auditRowFile(rowFileOf(environment), rowFileTables.length, report);
      const terms = new TermCensus(tables, shape);
      auditDocuments({ tables, shape, terms, companies, report });
      terms.audit(report);
      auditNewTerms(tables, shape, report);
    } finally {
      close();
    }
  };
}

/** The documents that should have each term, as their number and a sum that tells other documents. */
class TermCensus {
  readonly #tables: SearchTables;
  readonly #shape: IndexShape;
  /** By the id of the term. */
  readonly #hashes: Uint32Array;
  readonly #counts: Uint32Array;
  readonly #sums: Uint32Array;
  /** The ids of the terms that are filters. */
  readonly #filters = new Map<string, number>();
  /** Whether the filters of each company were noted. */
  #hasFilters = true;

  constructor(tables: SearchTables, shape: IndexShape) {
    this.#tables = tables;
    this.#shape = shape;
    const terms = shape.terms + shape.newTerms;
    this.#hashes = new Uint32Array(terms);
    this.#counts = new Uint32Array(terms);
    this.#sums = new Uint32Array(terms);
    for (const { text, term } of allTerms(tables, shape)) {
      this.#hashes[term.id] = term.hash;
      if (text.startsWith(filterMark)) this.#filters.set(text, term.id);
    }
  }

  /** The hash of the text of a term. */
  hash(id: number): number | undefined {
    return this.#hashes[id];
  }

  /** Notes a document with the terms of its names, and with its filters; null if they are not known. */
  add(document: number, terms: readonly number[], filters: readonly number[] | null): void {
    this.#hasFilters &&= filters !== null;
    for (const id of new Set([...terms, ...(filters ?? [])])) {
      this.#counts[id] = (this.#counts[id] ?? 0) + 1;
      this.#sums[id] = (this.#sums[id] ?? 0) + scrambled(document);
    }
  }

  /** The id of a filter; undefined if the index lacks it. */
  filter(text: string): number | undefined {
    return this.#filters.get(text);
  }

  /** Each term leads to the documents that were noted with it, and to no others. */
  audit(report: (problem: string) => void): void {
    const read = openListReader(this.#tables.postings, this.#shape.places);
    for (const { text, term } of allTerms(this.#tables, this.#shape)) {
      if (!this.#hasFilters && text.startsWith(filterMark)) continue;
      const documents = read(term);
      const sum = documents.reduce((all, document) => (all + scrambled(document)) >>> 0, 0);
      if (documents.length !== this.#counts[term.id] || sum !== this.#sums[term.id])
        report(`The search index has other companies under “${text}” than those that have it.`);
    }
  }
}

interface Audit {
  readonly tables: SearchTables;
  readonly shape: IndexShape;
  readonly terms: TermCensus;
  readonly companies: AuditedCompanies;
  readonly report: (problem: string) => void;
}

/** Every company is a document, once. Within a grade, documents are in order of LEI. */
function auditDocuments(audit: Audit): void {
  const { shape, terms, companies, report } = audit;
  const starts = new Set(shape.gradeStarts);
  const isFound = new Uint8Array(companies.lastEntity + 1);
  let found = 0;
  let before = '';
  for (const { document, entity, names } of documentsIn(audit.tables)) {
    if (starts.has(document)) before = '';
    if (entity === 0) continue;
    if (isFound[entity] === 1) report(`The search index has entity ${entity} twice.`);
    isFound[entity] = 1;
    found++;
    const stored = companies.record(entity);
    if (stored === null || !isRecord(stored)) {
      report(`The search index has entity ${entity}, of which the company file has no record.`);
      terms.add(document, names.flat(), null);
      continue;
    }
    const company = prepareCompany(searchFactsOf(stored));
    if (company.lei <= before) report(`The search index has ${company.lei} after ${before}.`);
    before = company.lei;
    auditCompany(audit, document, names, company);
  }
  if (found !== shape.documents)
    report(`The search index states ${shape.documents} companies, but has ${found}.`);
  reportMissing(audit, isFound);
}

/** @param isFound 1 for each entity of the index */
function reportMissing({ companies, report }: Audit, isFound: Uint8Array): void {
  for (let entity = 1; entity <= companies.lastEntity; entity++) {
    const stored = isFound[entity] === 1 ? null : companies.record(entity);
    if (stored !== null && isRecord(stored))
      report(`The search index lacks ${leiOfEntity(companies, entity)}.`);
  }
}

/** The company has the terms of its names, and is found by its filters and by its whole names and numbers. */
function auditCompany(
  { tables, shape, terms, report }: Audit,
  document: number,
  names: readonly (readonly number[])[],
  company: PreparedCompany,
): void {
  const filters = [company.countryTerm, company.statusTerm].flatMap((text) => text ?? []);
  const ids = filters.flatMap((text) => terms.filter(text) ?? []);
  if (ids.length < filters.length)
    report(`The search index lacks the country or the status of ${company.lei}.`);
  terms.add(document, names.flat(), ids);
  // Names of which other rules of terms were made are compared with nothing.
  if (shape.termRules !== termRulesVersion) return;
  const hashes = company.names.map((name) => name.terms.map((term) => hashText(term, 0)));
  const stored = names.map((name) => name.map((id) => terms.hash(id)));
  if (!Bun.deepEquals(hashes, stored)) report(`The search index has other names of ${company.lei}.`);
  const isFound = company.keys.every((key) =>
    leadsTo(tables, shape.keyBuckets, key, { document, nameIndex: key.nameIndex }),
  );
  if (!isFound)
    report(`The search index does not lead from each whole name and number of ${company.lei} to it.`);
}

interface StoredDocument {
  readonly document: number;
  /** 0 for a free number. */
  readonly entity: number;
  /** The ids of the terms of each name. */
  readonly names: readonly (readonly number[])[];
}

/** Every document in order. */
function* documentsIn({ names }: SearchTables): Generator<StoredDocument> {
  for (let chunk = 0; chunk < names.count; chunk++) {
    const row = names.read(chunk) === 0 ? noDocuments : names.bytes;
    for (let document = chunk * namesPerChunk; document < (chunk + 1) * namesPerChunk; document++) {
      const start = placeInRow(row, document);
      const isFree = start === 0;
      yield {
        document,
        entity: isFree ? 0 : uint32At(row, start),
        names: isFree ? [] : termsOfNames(row, document),
      };
    }
  }
}

const noDocuments = new Uint8Array(namesPerChunk * 4);

/** Each new term has the text that it is found by. */
function auditNewTerms(tables: SearchTables, shape: IndexShape, report: (problem: string) => void): void {
  const terms = openNewTerms(tables, shape, withoutTimeLimit());
  let found = 0;
  for (const [text, row] of newTermRows(tables)) {
    found++;
    if (terms.textOf(readNewTerm(text, row).id) !== text)
      report(`The search index finds another term by the number of ${text}.`);
  }
  if (found !== shape.newTerms)
    report(`The search index states ${shape.newTerms} new terms, but has ${found}.`);
}
