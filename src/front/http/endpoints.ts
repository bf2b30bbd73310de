/** The endpoints of the API as data: what each is called, where it lives, what it may be asked, what it asks. */
import { byKind, type IdentifierKind, identifierKinds, mappingTable } from '../../lei/identifier-kinds.ts';
import { checkLei } from '../../lei/identifiers.ts';
import type { Question } from '../../protocol/questions.ts';
import type { BurstWindow } from '../contracts.ts';
import type { ParameterName, Parameters } from './parameters.ts';

export type Subject = 'lei' | IdentifierKind;

export interface Endpoint {
  readonly operationId: string;
  /** Path as the description and the log give it, `{…}` for the identifier. */
  readonly template: string;
  readonly window: BurstWindow;
  /** The identifier in the path; null where the path has none. */
  readonly subject: Subject | null;
  /** The template before and after the identifier. */
  readonly before: string;
  readonly after: string;
  readonly parameters: readonly ParameterName[];
  /** @param position where a page starts, as an earlier answer gave it */
  question(identifier: string, parameters: Parameters, position: string | null): Question;
}

export const base = '/api/v1';

export const identifierChecks = {
  lei: checkLei,
  ...byKind(identifierKinds, (kind) => mappingTable[kind].check),
} as const;

function endpoint(
  operationId: string,
  path: string,
  window: BurstWindow,
  parameters: readonly ParameterName[],
  question: Endpoint['question'],
): Endpoint {
  const template = `${base}${path}`;
  const [before = template, after = ''] = template.split(/\{[a-z]+\}/);
  const subject = /\{([a-z]+)\}/.exec(path)?.[1];
  return {
    operationId,
    template,
    window,
    subject: isSubject(subject) ? subject : null,
    before,
    after,
    parameters,
    question,
  };
}

function isSubject(name: string | undefined): name is Subject {
  return name !== undefined && name in identifierChecks;
}

const mapping = (operationId: string, kind: IdentifierKind) =>
  endpoint(operationId, `/${kind}/{${kind}}`, 'lookup', [], (value) => ({ kind, value }));

/** The endpoints that are counted; status is apart. */
export const endpoints: readonly Endpoint[] = [
  endpoint('getCompanyByLei', '/lei/{lei}', 'lookup', [], (lei) => ({ kind: 'company', lei })),
  endpoint('getCompanyRelationships', '/lei/{lei}/relationships', 'search', [], (lei) => ({
    kind: 'relationships',
    lei,
  })),
  endpoint(
    'getCompanyChanges',
    '/lei/{lei}/changes',
    'search',
    ['cursor', 'limit'],
    (lei, { limit }, after) => ({ kind: 'changes', lei, after, limit }),
  ),
  endpoint(
    'searchCompanies',
    '/search',
    'search',
    ['q', 'country', 'status', 'cursor', 'limit'],
    (_, { q, country, status, limit }, after) => ({
      kind: 'search',
      q: q ?? '',
      country,
      status,
      after,
      limit,
    }),
  ),
  mapping('getBIC', 'bic'),
  mapping('getISIN', 'isin'),
  mapping('getMIC', 'mic'),
  mapping('getGEM', 'gem'),
  mapping('getQCC', 'qcc'),
];

/** Looks at neither query nor Authorization; its layers never ask it for a question or its window. */
export const statusEndpoint: Endpoint = endpoint('getStatus', '/status', 'lookup', [], () => {
  throw new Error('The status endpoint asks no query thread.');
});

/** The template as Elysia routes it. */
export function routePath(template: string): string {
  return template.replace(/\{([a-z]+)\}/, ':$1');
}

/** The endpoint whose path this is, whatever stands for the identifier. */
export function endpointAt(path: string): Endpoint | null {
  return [...endpoints, statusEndpoint].find((candidate) => matches(candidate, path)) ?? null;
}

function matches({ before, after, subject }: Endpoint, path: string): boolean {
  if (subject === null) return path === before;
  const identifierEnd = path.length - after.length;
  if (identifierEnd <= before.length || !path.startsWith(before) || !path.endsWith(after)) return false;
  return !path.slice(before.length, identifierEnd).includes('/');
}
