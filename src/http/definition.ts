/** Defines the facts of a route that the steps need, the same for every family. */
import type { BurstWindow } from '../ports/ledger.ts';
import type { ParameterFault } from './problem-kinds.ts';

/** The facts that identify a route's requests for observers, and its methods for `Allow`. */
export interface RouteFacts {
  /** In log and metrics. */
  readonly operationId: string;
  /** Path from the root, `{name}` for one segment, as the log and the descriptions give it. */
  readonly template: string;
  /** OPTIONS is answered everywhere and not listed. */
  readonly methods: readonly string[];
  /** Request headers that scripts of other origins may set here in addition to those of every route. */
  readonly requestHeaders?: readonly string[];
}

/** Methods of everything that is only read. */
export const readMethods = ['GET', 'HEAD'] as const;

/** The names in log and metrics for requests to pages, and to addresses that do not exist. */
export const pageOperations = { page: 'page', unknown: 'unknown' } as const;

/** The same for messages to `/mcp`; the calls in them are requests to operations of the API. */
export const mcpOperation = 'mcp';

/** The parameters of a request as texts. */
export interface GivenParameters {
  /** The last part of the path, for endpoints that read it. */
  readonly tail: string;
  /**
   * The parameters of the query by name; null without a query.
   * @param faults the query's own are added to them
   */
  query(faults: ParameterFault[]): ReadonlyMap<string, string> | null;
}

/** The cost of a request. Access needs it before the request is validated, so it depends on the request alone. */
export interface Cost {
  /** The burst quota that the request counts against, in addition to the daily one. */
  readonly window: BurstWindow;
  /** How many, or how they follow from the query. */
  readonly units: number | ((given: Pick<GivenParameters, 'query'>) => number);
}

/** A route that one question to a query thread answers. */
export interface DataRoute extends RouteFacts {
  readonly cost: Cost;
  /** Whether the body is unbounded: the client's large bodies in flight are checked before it is made. */
  readonly unbounded: boolean;
  /** Whether the answer may come in parts. */
  readonly batch: boolean;
  /** The kind of identifier in the path, for messages; null if it has none. */
  readonly subject: string | null;
  /** The names of all query parameters, and of those whose value may be several, separated by commas. */
  readonly names: readonly string[];
  readonly lists: readonly string[];
}

/** Facts about the publication and the request that a question may contain. */
export interface QuestionContext {
  /** Dataset version. */
  readonly id: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Whether the answer may come in parts; absent if it may not. */
  readonly inParts?: boolean;
}

/** Value of an `Allow` header: methods that only read come first. */
export function allowedMethods(methods: readonly string[]): string {
  const reads: readonly string[] = readMethods;
  const writing = methods.filter((method) => !reads.includes(method));
  return [...methods.filter((method) => reads.includes(method)), 'OPTIONS', ...writing].join(', ');
}
