/** Opens the search index of a sealed publication: FlexSearch over LMDB, with two bytes per company in memory. */
import { ExpectedFailure } from '../../errors.ts';
import { connector, foldedWords } from '../../lei/names/fold.ts';
import { nameKey } from '../../lei/names/name-terms.ts';
import { typedIdentifiers } from '../../lei/names/typed-identifiers.ts';
import type { Environment } from '../../lmdb.ts';
import type { Pinned } from './best-hits.ts';
import { type Cards, openCards } from './cards.ts';
import type { Union } from './chunks.ts';
import { openDocumentSets } from './document-sets.ts';
import {
  countryTerm,
  duplicatesFromOf,
  type IndexShape,
  identifierNameIndex,
  indexFormatVersion,
  openSearchTables,
  type SearchTables,
  statusTerm,
} from './format.ts';
import { findHits } from './hit-set.ts';
import { findKey } from './keys.ts';
import { searchLimits } from './limits.ts';
import type { ScorerParts } from './name-findings.ts';
import { type Ordering, page } from './ordered-hits.ts';
import { createScorer } from './score.ts';
import type { SearchOutcome, SearchQuery, SearchReader } from './search-reader.ts';
import { type IndexParts, planAsTyped } from './slots.ts';
import { sortedKeys } from './sorted.ts';
import { mountForReading } from './storage.ts';
import { openTermReader } from './term-reader.ts';

interface Parts extends IndexParts, ScorerParts {
  readonly cards: Cards;
}

/** @throws where the environment has no search index, or one of another format */
export function openSearchReader(environment: Environment): SearchReader {
  const tables = openSearchTables(environment);
  const shape = readShape(tables);
  const terms = openTermReader(tables, shape);
  const parts: Parts = {
    tables,
    shape,
    terms,
    sets: openDocumentSets(tables, shape.documents, duplicatesFromOf(shape)),
    cards: openCards(tables, shape.documents),
    weights: tables.weights.getBinary(0) ?? new Uint8Array(0),
    spellingBuckets: shape.spellingBuckets,
    connectorId: terms.find(connector)?.id ?? -1,
  };
  // FlexSearch hands over the terms alone; the rest of the question waits here, within one turn of one thread.
  let asked: SearchQuery | null = null;
  let outcome: SearchOutcome | null = null;
  const index = mountForReading((questionTerms) => {
    if (asked !== null) outcome = answer(parts, asked, questionTerms);
    return [];
  });
  return {
    search: (query) => {
      asked = query;
      outcome = null;
      index.search(query.q, { limit: query.limit });
      return outcome ?? refusedQuestion;
    },
  };
}

const refusedQuestion: SearchOutcome = {
  outcome: 'refused',
  parameter: 'q',
  detail: 'must hold a letter or a digit to search for',
};

function readShape(tables: SearchTables): IndexShape {
  const text = tables.meta.get('shape');
  if (text === undefined) throw new Error('The environment has no search index.');
  const shape: IndexShape = JSON.parse(text);
  if (shape.version !== indexFormatVersion) {
    throw new ExpectedFailure(
      'index-format',
      `The search index has format ${shape.version}; this program reads ${indexFormatVersion}. Load the data again with it.`,
    );
  }
  return shape;
}

function answer(parts: Parts, query: SearchQuery, terms: readonly string[]): SearchOutcome {
  const from = query.after === null ? 0 : positionOf(query.after);
  const ordering = orderingOf(parts, query, terms);
  const { total, rows } = page(ordering, from ?? 0, query.limit);
  if (from === null || from > total) {
    return {
      outcome: 'refused',
      parameter: 'cursor',
      detail: 'The cursor is not one that this search gave out.',
    };
  }
  const end = from + rows.length;
  return {
    outcome: 'hits',
    total,
    hits: rows,
    next: end < total ? String(end) : null,
  };
}

function positionOf(after: string): number | null {
  return /^\d{1,8}$/.test(after) ? Number(after) : null;
}

function orderingOf(parts: Parts, query: SearchQuery, terms: readonly string[]): Ordering {
  const filters = filtersOf(parts, query);
  const known = pinnedDocuments(parts, query, terms);
  const plan = planAsTyped(parts, terms);
  const scorer = () => createScorer(parts, plan);
  const hits = findHits({ parts, plan, filters, pinned: known, scorer });
  const pinned = passing(parts, known, filters);
  const duplicatesFrom = duplicatesFromOf(parts.shape);
  const duplicatesOnly =
    hits.duplicatesOnly && [...known.keys()].every((document) => document >= duplicatesFrom);
  const { cards, shape } = parts;
  const withForms = (documents: Uint32Array) => {
    const unions = Array.from(plan.forms, (id) => [parts.sets.listOf(parts.terms.byId(id))]);
    return parts.sets.members(unions, documents);
  };
  return { cards, shape, plan, scorer: scorer(), hits, pinned, duplicatesOnly, withForms };
}

function filtersOf(parts: IndexParts, { country, status }: SearchQuery): Union[] {
  const filters: Union[] = [];
  const wanted = [
    country === null ? null : countryTerm(country),
    status === null ? null : statusTerm(status),
  ];
  for (const text of wanted) {
    if (text === null) continue;
    const term = parts.terms.find(text);
    filters.push(term === null ? [] : [parts.sets.listOf(term)]);
  }
  return filters;
}

/** Companies whose identifier or whole name was typed. */
function pinnedDocuments(parts: Parts, query: SearchQuery, terms: readonly string[]): Map<number, number> {
  const { tables } = parts;
  const { keyBuckets } = parts.shape;
  const pinned = new Map<number, number>();
  const pin = (kind: 'name' | 'identifier', key: string) => {
    if (key === '') return;
    for (const { document, nameIndex } of findKey(
      tables,
      keyBuckets,
      kind,
      key,
      searchLimits.pinnedDocumentsMax,
    )) {
      if (pinned.size >= searchLimits.pinnedDocumentsMax || pinned.has(document)) continue;
      pinned.set(document, nameIndex === identifierNameIndex ? -1 : nameIndex);
    }
  };
  for (const identifier of typedIdentifiers(query.q)) pin('identifier', identifier);
  const name = nameKey(terms);
  pin('name', name);
  // What looks like a legal form may be part of the name: the UAB of UAB Bank Limited.
  const whole = nameKey(foldedWords(query.q));
  if (whole !== name) pin('name', whole);
  return pinned;
}

/** Those of the pinned companies that the filters let through. */
function passing(parts: IndexParts, known: Pinned, filters: readonly Union[]): Pinned {
  if (filters.length === 0 || known.size === 0) return known;
  const documents = parts.sets.members(filters, sortedKeys(known));
  return new Map(Array.from(documents, (document) => [document, known.get(document) ?? -1]));
}
