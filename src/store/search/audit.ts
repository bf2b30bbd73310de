/**
 * Checks a search index as a whole, for `lei verify`: its documents are in order, and its new terms lead to their
 * documents.
 */
import { uint32At } from '../../bytes/numbers-in-bytes.ts';
import type { Environment } from '../../lmdb.ts';
import { auditRowFile } from '../row-file/audit.ts';
import { type IndexShape, namesPerChunk, rowFileOf, rowFileTables, type SearchTables } from './format.ts';
import { newTermRows, openNewTerms, readNewTerm } from './index/new-terms.ts';
import { openIndex } from './open-index.ts';
import { withoutTimeLimit } from './time-limit.ts';
import { openListReader } from './update/lists.ts';

/** Checks once, and closes the index. @param leiOf LEI of an entity; @param report receives a sentence about a fault */
export type SearchAudit = (leiOf: (entity: number) => string, report: (problem: string) => void) => void;

/** Opens the index of an environment, to check it later. */
export function openSearchAudit(environment: Environment): SearchAudit {
  const { tables, shape, close } = openIndex(environment, 'through');
  return (leiOf, report) => {
    try {
      auditRowFile(rowFileOf(environment), rowFileTables.length, report);
      auditDocuments(tables, shape, leiOf, report);
      auditNewTerms(tables, shape, report);
    } finally {
      close();
    }
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
  for (let chunk = 0; chunk < names.count; chunk++) {
    const row = names.read(chunk) === 0 ? noDocuments : names.bytes;
    for (let i = 0; i < namesPerChunk; i++) {
      const start = uint32At(row, i * 4);
      yield [chunk * namesPerChunk + i, start === 0 ? 0 : uint32At(row, start)];
    }
  }
}

const noDocuments = new Uint8Array(namesPerChunk * 4);

/** Each has the text that it is found by, and as many documents as it states. */
function auditNewTerms(tables: SearchTables, shape: IndexShape, report: (problem: string) => void): void {
  const terms = openNewTerms(tables, shape, withoutTimeLimit());
  const read = openListReader(tables.postings, shape.places);
  let found = 0;
  for (const [text, row] of newTermRows(tables)) {
    const term = readNewTerm(text, row);
    found++;
    if (terms.textOf(term.id) !== text)
      report(`The search index finds another term by the number of ${text}.`);
    if (read(term).length !== term.frequency) report(`The search index has other documents of ${text}.`);
  }
  if (found !== shape.newTerms)
    report(`The search index states ${shape.newTerms} new terms, but has ${found}.`);
}
