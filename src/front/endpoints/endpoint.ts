/**
 * The shape of an endpoint's definition. Router, validation, access and the OpenAPI description are all made from it,
 * so an endpoint stands in one file of this folder and in the list of table.ts.
 */
import type { TSchema } from '@sinclair/typebox';
import type { Question } from '../../protocol/questions.ts';
import type { BurstWindow } from '../contracts.ts';
import type { Json } from '../json.ts';
import type { ParameterName, Parameters } from './parameters.ts';
import { isSubject, type Subject } from './subjects.ts';

const base = '/api/v1';

/** The cost of a request. Access asks before the request is validated, so the request alone decides. */
export interface Cost {
  /** The burst quota that the request counts against, besides the daily one. */
  readonly window: BurstWindow;
  units(request: Pick<Request, 'url'>): number;
}

export const oneLookUp: Cost = { window: 'lookup', units: () => 1 };
export const oneSearch: Cost = { window: 'search', units: () => 1 };

interface Definition {
  /** Path below {@link base}, `{…}` for the identifier. */
  readonly path: string;
  readonly operationId: string;
  /** OPTIONS is answered everywhere and not listed. */
  readonly methods: readonly string[];
  /** How much of a body is read; 0 for an endpoint that takes none. */
  readonly bodyBytesMax: number;
  /** Whether nothing bounds the body: the client's large bodies in flight are looked at before it is made. */
  readonly unbounded: boolean;
  /** Query parameters, in the order of the description. */
  readonly parameters: readonly ParameterName[];
  /** Null where requests are never counted. */
  readonly cost: Cost | null;
  readonly tag: 'Companies' | 'Search' | 'Identifiers' | 'Service';
  readonly summary: string;
  readonly description: string;
  /** The `data` of a 200. */
  readonly answer: {
    /** Name of the schema in the description. */
    readonly name: string;
    readonly schema: TSchema;
    /** A whole body. */
    readonly example: Json;
  };
}

/** The facts that follow from the path. */
interface Place {
  /** Path from the root, as the description and the log give it. */
  readonly template: string;
  /** The identifier in the path; null where the path has none. */
  readonly subject: Subject | null;
  /** The template before and after the identifier. */
  readonly before: string;
  readonly after: string;
}

export type Endpoint = Definition & Place;

/** @param position where a page starts, as an earlier answer gave it; null for the first page */
type QuestionOf = (identifier: string, parameters: Parameters, position: string | null) => Question;

interface DataDefinition extends Definition {
  readonly cost: Cost;
  readonly question: QuestionOf;
}

/** An endpoint that a query thread answers from a publication. */
export type DataEndpoint = DataDefinition & Place;

/** Members that all read-only endpoints share. */
export const reads = { methods: ['GET', 'HEAD'], bodyBytesMax: 0, unbounded: false } as const;

export function dataEndpoint(definition: DataDefinition): DataEndpoint {
  return { ...definition, ...placeOf(definition.path) };
}

export function serviceEndpoint(definition: Definition): Endpoint {
  return { ...definition, ...placeOf(definition.path) };
}

function placeOf(path: string): Place {
  const template = `${base}${path}`;
  const [before = template, after = ''] = template.split(/\{[a-z]+\}/);
  const subject = /\{([a-z]+)\}/.exec(template)?.[1];
  return { template, before, after, subject: isSubject(subject) ? subject : null };
}

/** The endpoint's path as Elysia routes it. */
export function routePath({ template }: Endpoint): string {
  return template.replace(/\{([a-z]+)\}/, ':$1');
}

/** Value of an `Allow` header. */
export function allowedMethods({ methods }: Pick<Endpoint, 'methods'>): string {
  return [...methods, 'OPTIONS'].join(', ');
}
