/**
 * Changes a search index in place to that of other companies. The totals, scores and order are as if it had been built
 * from them, but only rows with changes are written.
 */
import { identifierKey, termRulesVersion } from '../../../lei/names/name-terms.ts';
import type { Environment } from '../../../lmdb.ts';
import { RowFileChanges } from '../../row-file/changes.ts';
import {
  type IndexShape,
  identifierNameIndex,
  indexFormatVersion,
  openStoredTables,
  rowFileOf,
  rowFileTables,
  type SearchTables,
  storedShape,
} from '../format.ts';
import { findKey } from '../index/keys.ts';
import { openTermReader } from '../index/terms.ts';
import { searchLimits } from '../limits.ts';
import { openIndex } from '../open-index.ts';
import { gradesMax } from '../score/grades.ts';
import type { CompanyFacts } from '../search-reader.ts';
import { withoutTimeLimit } from '../time-limit.ts';
import type { ChangedTables } from './changed-tables.ts';
import { type IndexedCompany, indexedCompany, type RewrittenCompany } from './company.ts';
import { changeCompletions } from './completions.ts';
import { type ChangedDocuments, writeChangedCards, writeChangedNames } from './documents.ts';
import { changeKeys } from './keys.ts';
import { openLists } from './lists.ts';
import { DocumentPlaces, NoRoom, type NumberRange } from './places.ts';
import { changeSpellings } from './spellings.ts';
import { TermChanges } from './terms.ts';
import { takeCensus, writeWeightsAnew } from './weights.ts';

/** A new or changed company. */
export interface CompanyChange {
  /** Null for one that the index lacks. */
  readonly before: CompanyFacts | null;
  readonly after: CompanyFacts;
}

interface IndexUpdate {
  readonly changes: readonly CompanyChange[];
  /** The known facts about a company that did not change. */
  factsOf(entity: number): CompanyFacts;
  leiOf(entity: number): string;
}

/** The number of companies afterwards; or why the index must be rebuilt, in which case it has not changed. */
export type UpdateOutcome = { readonly companies: number } | { readonly due: string };

/** Writes in one transaction, and nothing before it: other threads may write other tables until then. */
export function updateIndex(environment: Environment, update: IndexUpdate): UpdateOutcome {
  const stored = openStoredTables(environment);
  const shape = storedShape(stored);
  if (shape.version !== indexFormatVersion || shape.termRules !== termRulesVersion) {
    return { due: 'another version of this program built it' };
  }
  const file = new RowFileChanges(rowFileOf(environment), rowFileTables);
  try {
    const tables = { ...stored, ...file.tables };
    const planned = plan(tables, shape, update);
    if ('due' in planned) return planned;
    return environment.transactionSync(() => {
      const after = write(tables, shape, planned);
      tables.meta.putSync('shape', JSON.stringify({ ...after, rowFile: file.finish() }));
      return { companies: after.documents };
    });
  } finally {
    file.close();
  }
}

/** Those of the terms that some company has. */
export function livingTerms(environment: Environment, texts: readonly string[]): ReadonlySet<string> {
  const { tables, shape, close } = openIndex(environment, 'through');
  const terms = openTermReader(tables, shape, withoutTimeLimit());
  const living = texts.filter((text) => terms.find(text) !== null);
  close();
  return new Set(living);
}

interface PlannedUpdate {
  readonly terms: TermChanges;
  readonly rewritten: readonly RewrittenCompany[];
}

/** Determines all changes without writing anything. */
function plan(
  tables: ChangedTables,
  shape: IndexShape,
  update: IndexUpdate,
): PlannedUpdate | { due: string } {
  const movesMax = Math.max(movesMin, Math.floor(shape.places * movesShareMax));
  const places = new DocumentPlaces(tables.names, update.leiOf, movesMax);
  const changed = update.changes.map(({ before, after }) => ({
    before: before === null ? null : indexedCompany(before),
    after: indexedCompany(after),
  }));
  try {
    const rewritten = placed(tables, shape, places, changed, update);
    const terms = new TermChanges(tables, shape);
    for (const each of rewritten) noteTerms(terms, each);
    if (terms.newForm) return { due: 'the delta has a legal form that no company had before' };
    if (terms.newCount > searchLimits.newTermsMax) {
      return { due: 'deltas added many new words' };
    }
    return { terms, rewritten };
  } catch (error) {
    if (error instanceof NoRoom) return { due: 'deltas left no room between its companies' };
    throw error;
  }
}

/** The share of companies that may be moved to make room for others: moving more costs more than a rebuild. */
const movesShareMax = 1 / 16;
const movesMin = 1_000;

type ChangedCompany = Pick<RewrittenCompany, 'before' | 'after'>;

/** Gives every company its document. @throws NoRoom */
function placed(
  tables: SearchTables,
  shape: IndexShape,
  places: DocumentPlaces,
  changed: readonly ChangedCompany[],
  update: IndexUpdate,
): RewrittenCompany[] {
  const documents = new Map<number, number>();
  const moving: ChangedCompany[] = [];
  for (const each of changed) {
    const { before, after } = each;
    if (before !== null) documents.set(after.entity, documentOf(tables, shape, places, before));
    if (before?.grade !== after.grade) moving.push(each);
  }
  for (const { before, after } of moving) {
    if (before !== null) places.remove(after.entity, documents.get(after.entity) ?? 0);
  }
  moving.sort((a, b) => b.after.grade - a.after.grade || (a.after.lei < b.after.lei ? -1 : 1));
  for (const { after } of moving) places.insert(after.entity, after.lei, stretchOf(shape, after.grade));
  const known = new Map(changed.map((each) => [each.after.entity, each]));
  for (const [entity, from] of places.moved) {
    if (known.has(entity)) continue;
    const facts = indexedCompany(update.factsOf(entity));
    known.set(entity, { before: facts, after: facts });
    documents.set(entity, from);
  }
  return Array.from(known, ([entity, { before, after }]) => {
    const from = before === null ? null : (documents.get(entity) ?? 0);
    return { before, after, from, to: places.placeOf(entity) ?? from ?? 0 };
  });
}

/** The document of a company that the index has. */
function documentOf(
  tables: SearchTables,
  shape: IndexShape,
  places: DocumentPlaces,
  { entity, lei }: IndexedCompany,
): number {
  const { pinnedDocumentsMax } = searchLimits;
  const hits = findKey(tables, shape.keyBuckets, 'identifier', identifierKey(lei), pinnedDocumentsMax);
  const hit = hits.find(
    ({ document, nameIndex }) => nameIndex === identifierNameIndex && places.entityAt(document) === entity,
  );
  if (hit === undefined) throw new Error(`The search index does not have ${lei}.`);
  return hit.document;
}

function stretchOf({ gradeStarts, places }: IndexShape, grade: number): NumberRange {
  const index = gradesMax - 1 - grade;
  return { from: gradeStarts[index] ?? 0, to: gradeStarts[index + 1] ?? places };
}

function noteTerms(terms: TermChanges, { before, after, from, to }: RewrittenCompany): void {
  for (const term of before?.terms ?? []) {
    if (from !== null && (from !== to || !after.terms.has(term))) terms.remove(term, from);
  }
  for (const term of after.terms) if (from !== to || before?.terms.has(term) !== true) terms.add(term, to);
  // Unchanged terms are needed too: names are written with the ids of all of them.
  for (const { terms: all } of after.names) for (const term of all) terms.idOf(term);
}

function write(tables: ChangedTables, shape: IndexShape, { terms, rewritten }: PlannedUpdate): IndexShape {
  const lists = openLists(tables.postings, shape.lists, shape.places);
  const documents = changedDocuments(rewritten);
  writeChangedNames(tables.names, documents, (term) => terms.idOf(term));
  const changedTerms = terms.write(lists);
  const after: IndexShape = {
    ...shape,
    documents: shape.documents + rewritten.filter(({ before }) => before === null).length,
    names: shape.names + rewritten.reduce((sum, each) => sum + moreNames(each), 0),
    newTerms: terms.newCount,
    lists: lists.next,
  };
  const census = takeCensus(tables, after);
  const reweighed = writeWeightsAnew(tables, shape, after, census);
  writeChangedCards(tables, after, lists, documents, reweighed);
  changeCompletions(tables, after, census, changedTerms);
  changeSpellings(tables.spellings, after.spellingBuckets, changedTerms);
  changeKeys(tables.keys, shape.keyBuckets, rewritten);
  return after;
}

function moreNames({ before, after }: RewrittenCompany): number {
  return after.names.length - (before?.names.length ?? 0);
}

/** Documents that were left are free, unless another company has them now. */
function changedDocuments(rewritten: readonly RewrittenCompany[]): ChangedDocuments {
  const documents = new Map<number, IndexedCompany | null>();
  for (const { from } of rewritten) if (from !== null) documents.set(from, null);
  for (const { to, after } of rewritten) documents.set(to, after);
  return documents;
}
