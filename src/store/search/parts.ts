/** The parts of an opened index, which searches read. */
import { connector } from '../../lei/names/fold.ts';
import { formMark } from '../../lei/names/name-terms.ts';
import type { Environment } from '../../lmdb.ts';
import { remembered } from '../../remembered.ts';
import type { IndexShape, SearchTables } from './format.ts';
import { type Cards, openCards } from './index/cards.ts';
import { readColumn } from './index/column.ts';
import type { Term } from './index/term-blocks.ts';
import { openTermReader, type TermReader } from './index/terms.ts';
import { type OpenIndex, openIndex } from './open-index.ts';
import { type DocumentSets, openDocumentSets } from './sets/document-sets.ts';
import { relatedForms } from './text/related-forms.ts';
import type { TimeLimit } from './time-limit.ts';

interface RelatedForms {
  readonly terms: readonly Term[];
  /** Their ids, and those of the words that the form may also be. */
  readonly ids: ReadonlySet<number>;
  /** The id of its token as a word of names: "co" of Co Larkmoor AB. Empty if no name has it. */
  readonly asWord: ReadonlySet<number>;
}

/**
 * The words that a form may also be, other than its token: "private" may mean Private Limited or Private Bank, as "jsc" may
 * begin JSC Investment Limited.
 */
const wordsOfForms: Readonly<Record<string, readonly string[]>> = {
  [`${formMark}pvt`]: ['private'],
  [`${formMark}pty`]: ['proprietary'],
};

export interface IndexParts {
  readonly timeLimit: TimeLimit;
  readonly tables: SearchTables;
  readonly shape: IndexShape;
  readonly terms: TermReader;
  readonly sets: DocumentSets;
  readonly cards: Cards;
  /** The weights of all terms, by id: one byte each. */
  readonly weights: Uint8Array;
  /** Id of the connector's term; -1 if no name has it. */
  readonly connectorId: number;
  /** The legal forms that are a part of a form, or that it is a part of. @param form its term */
  relatedForms(form: string): RelatedForms;
  /** The LEI of an entity. */
  leiOf(entity: number): string;
  /** Unmaps the row file. */
  close(): void;
}

/** @throws as {@link openIndex} */
export function openParts(
  environment: Environment,
  leiOf: IndexParts['leiOf'],
  timeLimit: TimeLimit,
): IndexParts {
  const index = openIndex(environment, 'scattered');
  try {
    return partsOf(index, leiOf, timeLimit);
  } catch (error) {
    index.close();
    throw error;
  }
}

function partsOf(
  { tables, shape, close }: OpenIndex,
  leiOf: IndexParts['leiOf'],
  timeLimit: TimeLimit,
): IndexParts {
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
    // There are a thousand forms, and the terms of an opened index don't change.
    relatedForms: remembered((form) => {
      const tokens = [...relatedForms(form.slice(formMark.length))];
      const related = tokens.flatMap((token) => terms.find(formMark + token) ?? []);
      const idsOf = (words: readonly string[]) => words.flatMap((word) => terms.find(word)?.id ?? []);
      const asWord = idsOf([form.slice(formMark.length)]);
      const ids = [...related.map(({ id }) => id), ...asWord, ...idsOf(wordsOfForms[form] ?? [])];
      return { terms: related, ids: new Set(ids), asWord: new Set(asWord) };
    }),
    leiOf,
    close,
  };
}
