/**
 * Defines the shape of an endpoint. Router, validation, access and the OpenAPI description all follow from it, so an
 * endpoint consists of a definition in this folder, an example of its answer, and an entry in table.ts. A new kind of
 * question also needs its shape in protocol/ext-questions.ts, a function in query/ that answers it, and a case in
 * answer-question.ts.
 */
import type { TSchema } from '@sinclair/typebox';
import { type Cost, type DataRoute, readMethods } from '../http/definition.ts';
import {
  isSubject,
  type OwnRules,
  type ParameterName,
  queryParameters,
  type Subject,
} from '../http/parameters.ts';
import type { Json } from '../lei/schema.ts';
import { type ReadableEndpoint, type RequestRules, reader } from './read.ts';

const base = '/api/v1';
/** The base path of the operations in bulk, for matching and for following changes; they have their own description. */
const extBase = '/ext/v1';

export const oneLookUp: Cost = { window: 'lookup', units: 1 };
export const oneSearch: Cost = { window: 'search', units: 1 };

interface Definition<Own extends OwnRules = OwnRules, Tail extends OwnRules = OwnRules>
  extends Pick<RequestRules<Own, Tail>, 'own' | 'tail'> {
  /** Path below {@link base}, `{…}` for the identifier. */
  readonly path: string;
  readonly operationId: string;
  /** OPTIONS is answered everywhere and not listed. */
  readonly methods: readonly string[];
  /** Whether the body is unbounded: the client's large bodies in flight are checked before it is made. */
  readonly unbounded: boolean;
  /** Query parameters, in the order of the description. */
  readonly parameters: readonly ParameterName[];
  /** Whether the one given parameter is a list whose values cost one unit each. */
  readonly batch: boolean;
  /** Null if requests are never counted. */
  readonly cost: Cost | null;
  readonly tag: 'Companies' | 'Search' | 'Identifiers' | 'Service';
  readonly summary: string;
  readonly description: string;
  /** The `data` of a 200. */
  readonly answer: {
    /** Name of the schema in the description. */
    readonly name: string;
    readonly schema: TSchema;
    /** A complete body. */
    readonly example: Json;
  };
}

/** The facts that follow from the path and the parameters. */
interface EndpointFacts extends Pick<ReadableEndpoint, 'subject' | 'before' | 'after'> {
  /** The names of all query parameters. */
  readonly names: readonly string[];
  /** The names of those whose value may be several, separated by commas. */
  readonly lists: readonly string[];
  /** The names of the required ones. */
  readonly required: readonly string[];
  /** Path from the root, as the description and the log give it. */
  readonly template: string;
}

export interface Endpoint extends Definition, EndpointFacts {}

interface DataDefinition<Own extends OwnRules, Tail extends OwnRules>
  extends Definition<Own, Tail>,
    RequestRules<Own, Tail> {
  readonly cost: Cost;
}

/** An endpoint that a query thread answers from a publication. */
export interface DataEndpoint extends Endpoint, DataRoute, ReadableEndpoint {
  readonly cost: Cost;
  readonly subject: Subject | null;
}

/** Members that all read-only endpoints share. */
export const reads = {
  methods: readMethods,
  unbounded: false,
  own: {},
  tail: {},
  batch: false,
} as const;

export function dataEndpoint<Own extends OwnRules, Tail extends OwnRules>(
  definition: DataDefinition<Own, Tail>,
  root = base,
): DataEndpoint {
  const place = placeOf(root, definition);
  return { ...definition, ...place, read: reader(definition, place.required) };
}

/** An endpoint below {@link extBase}. */
export function extEndpoint<Own extends OwnRules, Tail extends OwnRules>(
  definition: DataDefinition<Own, Tail>,
): DataEndpoint {
  return dataEndpoint(definition, extBase);
}

export function serviceEndpoint(definition: Definition): Endpoint {
  return { ...definition, ...placeOf(base, definition) };
}

function placeOf(root: string, { path, parameters, own }: Definition): EndpointFacts {
  const template = `${root}${path}`;
  const known = [...Object.entries(own), ...parameters.map((name) => [name, queryParameters[name]] as const)];
  const [before = template, after = ''] = template.split(/\{[a-z]+\}/);
  const subject = /\{([a-z]+)\}/.exec(template)?.[1];
  return {
    template,
    before,
    after,
    subject: isSubject(subject) ? subject : null,
    names: known.map(([name]) => name),
    lists: known.filter(([, { isList = false }]) => isList).map(([name]) => name),
    required: known.filter(([, { required }]) => required !== null).map(([name]) => name),
  };
}
