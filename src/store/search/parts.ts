/** The parts of an opened index, which searches read. */
import { ExpectedFailure } from '../../errors.ts';
import { connector } from '../../lei/names/fold.ts';
import type { Environment } from '../../lmdb.ts';
import {
  type IndexShape,
  indexFormatVersion,
  openSearchTables,
  type SearchTables,
  storedShape,
} from './format.ts';
import { type Cards, openCards } from './index/cards.ts';
import { readColumn } from './index/column.ts';
import { openTermReader, type TermReader } from './index/terms.ts';
import { type DocumentSets, openDocumentSets } from './sets/document-sets.ts';
import type { TimeLimit } from './time-limit.ts';

export interface IndexParts {
  readonly timeLimit: TimeLimit;
  readonly tables: SearchTables;
  readonly shape: IndexShape;
  readonly terms: TermReader;
  readonly sets: DocumentSets;
  readonly cards: Cards;
  /** Of all terms, by id: one byte each. */
  readonly weights: Uint8Array;
  /** Id of the connector's term; -1 if no name has it. */
  readonly connectorId: number;
  /** The LEI of an entity. */
  leiOf(entity: number): string;
}

/** @throws if the environment has no search index, or one of another format */
export function openParts(
  environment: Environment,
  leiOf: IndexParts['leiOf'],
  timeLimit: TimeLimit,
): IndexParts {
  const tables = openSearchTables(environment);
  const shape = readShape(tables);
  const terms = openTermReader(tables, shape, timeLimit);
  return {
    timeLimit,
    tables,
    shape,
    terms,
    sets: openDocumentSets(tables, shape, timeLimit),
    cards: openCards(tables, shape.places),
    weights: readColumn(tables.weights, shape.terms + shape.newTerms, 'weights'),
    connectorId: terms.find(connector)?.id ?? -1,
    leiOf,
  };
}

function readShape(tables: SearchTables): IndexShape {
  const shape = storedShape(tables);
  if (shape.version !== indexFormatVersion) {
    throw new ExpectedFailure(
      'index-format',
      `The search index has format ${shape.version}; this program reads ${indexFormatVersion}. Load the data again with it.`,
    );
  }
  return shape;
}
