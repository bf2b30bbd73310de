/** Defines the shape of a resource of GLEIF's API: its path, what it costs, and how a request becomes a question. */
import { parentNames } from '../lei/gleif-relations.ts';
import type { GleifAsk, GleifPage, RecordShape } from '../protocol/gleif-questions.ts';
import type { GleifFault } from './faults.ts';
import { type PageReading, type PageRules, readPage } from './pages.ts';
import type { QueryParameters } from './query-text.ts';

/** A request as it was understood. */
interface GleifReading {
  /** Null for a document that has no pages. */
  readonly page: PageReading | null;
  /** @param page null for a document that has none */
  asks(page: GleifPage | null): GleifAsk;
}

export interface GleifRoute {
  /** Below the base; `{lei}` or `{id}` for an identifier. */
  readonly path: string;
  readonly operationId: string;
  readonly cost: 'lookup' | 'search';
  readonly tag: 'Records' | 'Relationships' | 'Code lists' | 'Completions';
  readonly summary: string;
  /** The type of the resources that it answers with. */
  readonly resource: string;
  readonly parameters: readonly GleifParameter[];
  /** @param id of the path, decoded; '' if it has none */
  read(id: string, query: QueryParameters, path: string, faults: GleifFault[]): GleifReading;
}

/** A parameter as the description lists it. */
export type GleifParameter = 'filter' | 'sort' | 'page' | 'cursor' | 'include' | 'fields' | 'field' | 'q';

export const camel = (name: string) =>
  name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

interface GleifDefinition extends Omit<GleifRoute, 'read'> {
  /** The rules of its pages; null if it has none. */
  readonly pages: PageRules | null;
  question(given: GleifGiven): (page: GleifPage) => GleifAsk;
}

interface GleifGiven {
  readonly id: string;
  readonly query: QueryParameters;
  readonly faults: GleifFault[];
}

/** The page of a document that has none: nothing reads it. */
const onlyPage: GleifPage = { number: 1, size: 1, cursor: null, path: '', query: '' };

export function route({ question, pages, ...facts }: GleifDefinition): GleifRoute {
  return {
    ...facts,
    read(id, query, path, faults) {
      const asks = question({ id, query, faults });
      const page = pages === null ? null : readPage(path, query, pages, faults);
      return { page, asks: (chosen) => asks(chosen ?? onlyPage) };
    },
  };
}

/** The LEI of the path as look-ups write it. A text that is no LEI is looked up too, and not found. */
export const leiOf = ({ id }: GleifGiven) => id.toUpperCase();

/** The attributes of a record, as `fields[lei-records]` names them. */
export const recordAttributes = [
  'lei',
  'entity',
  'registration',
  'bic',
  'mic',
  'ocid',
  'qcc',
  'gem',
  'spglobal',
  'conformityFlag',
] as const;

export const wholeRecords: RecordShape = { fields: null, include: [] };

export function readShape({ query, faults }: GleifGiven): RecordShape {
  const include = namesIn(query.plain.get('include'), 'include', parentNames, faults);
  const fields = namesIn(query.fields.get('lei-records'), 'fields[lei-records]', recordAttributes, faults);
  return { include: include ?? [], fields };
}

/** The names of a list with commas, each once; null without a list, and for one with an unknown name. */
function namesIn<Name extends string>(
  text: string | undefined,
  parameter: string,
  known: readonly Name[],
  faults: GleifFault[],
): readonly Name[] | null {
  if (text === undefined || text === '') return null;
  const names = new Set<Name>();
  for (const part of text.split(',')) {
    const name = known.find((each) => each === part.trim());
    if (name === undefined) {
      faults.push({ parameter, detail: `${parameter} must be one or more of ${known.join(', ')}.` });
      return null;
    }
    names.add(name);
  }
  return [...names];
}
