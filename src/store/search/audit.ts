/**
 * Checks a search index as a whole, for `lei verify`: its documents are in order, and its new terms lead to their
 * documents.
 */
import { uint32At } from '../../bytes/numbers-in-bytes.ts';
import type { Environment } from '../../lmdb.ts';
import {
  type IndexShape,
  namesPerChunk,
  openSearchTables,
  type SearchTables,
  storedShape,
} from './format.ts';
import { newTermRows, openNewTerms, readNewTerm } from './index/new-terms.ts';
import { withoutTimeLimit } from './time-limit.ts';
import { openLists } from './update/lists.ts';

/** @param leiOf LEI of an entity; @param report receives a sentence about a fault */
export type SearchAudit = (leiOf: (entity: number) => string, report: (problem: string) => void) => void;

/** Opens the index of an environment, to check it later. */
export function openSearchAudit(environment: Environment): SearchAudit {
  const tables = openSearchTables(environment);
  const shape = storedShape(tables);
  return (leiOf, report) => {
    auditDocuments(tables, shape, leiOf, report);
    auditNewTerms(tables, shape, report);
  };
}

/** Within a grade, documents are in order of LEI. */
function auditDocuments(
  tables: SearchTables,
  { documents, gradeStarts }: IndexShape,
  leiOf: (entity: number) => string,
  report: (problem: string) => void,
): void {
  const starts = new Set(gradeStarts);
  let found = 0;
  let before = '';
  for (const [document, entity] of documentsIn(tables)) {
    if (starts.has(document)) before = '';
    if (entity === 0) continue;
    const lei = leiOf(entity);
    if (lei <= before) report(`The search index has ${lei} after ${before}.`);
    before = lei;
    found++;
  }
  if (found !== documents) report(`The search index states ${documents} companies, but has ${found}.`);
}

/** Every document in order, and its entity; 0 for a free one. */
function* documentsIn({ names }: SearchTables): Generator<readonly [document: number, entity: number]> {
  for (const { key, value } of names.getRange({})) {
    for (let i = 0; i < namesPerChunk; i++) {
      const start = uint32At(value, i * 4);
      yield [Number(key) * namesPerChunk + i, start === 0 ? 0 : uint32At(value, start)];
    }
  }
}

/** Each has the text that it is found by, and as many documents as it states. */
function auditNewTerms(tables: SearchTables, shape: IndexShape, report: (problem: string) => void): void {
  const terms = openNewTerms(tables, shape, withoutTimeLimit());
  const lists = openLists(tables.postings, shape.lists, shape.places);
  let found = 0;
  for (const [text, row] of newTermRows(tables)) {
    const term = readNewTerm(text, row);
    found++;
    if (terms.textOf(term.id) !== text)
      report(`The search index finds another term by the number of ${text}.`);
    if (lists.read(term).length !== term.frequency)
      report(`The search index has other documents of ${text}.`);
  }
  if (found !== shape.newTerms)
    report(`The search index states ${shape.newTerms} new terms, but has ${found}.`);
}
