/** Reads the query string of an endpoint by the rules of its parameters. */
import type { Endpoint } from '../endpoints/endpoint.ts';
import {
  noParameters,
  type OwnParameter,
  type Parameters,
  queryParameters,
  Refusal,
} from '../endpoints/parameters.ts';
import type { ParameterFault } from '../problems.ts';
import { readQuery } from './query-string.ts';

/**
 * The parameters of a request; each fault is added to `faults`.
 * @param text query string without `?`
 */
export function readParameters(
  text: string,
  endpoint: Pick<Endpoint, 'names' | 'required' | 'own'>,
  faults: ParameterFault[],
): Parameters {
  if (text === '' && endpoint.required.length === 0) return noParameters;
  const values = readQuery(text, endpoint.names, faults);
  const read = <T>(name: string, rule: { read(value: string): T | Refusal }): T | null => {
    const value = values.get(name);
    if (value === undefined) return null;
    const outcome = rule.read(value);
    if (!(outcome instanceof Refusal)) return outcome;
    faults.push({ parameter: name, detail: outcome.detail });
    return null;
  };
  const q = read('q', queryParameters.q);
  const own = readOwn(endpoint, read);
  requireAll(endpoint, values, faults);
  const limit = read('limit', queryParameters.limit);
  return {
    q,
    limit: limit ?? noParameters.limit,
    limitGiven: limit !== null,
    country: read('country', queryParameters.country),
    status: read('status', queryParameters.status),
    cursor: read('cursor', queryParameters.cursor),
    own,
    tail: '',
  };
}

function readOwn(
  { own }: Pick<Endpoint, 'own'>,
  read: (name: string, rule: OwnParameter) => string | null,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const name in own) {
    const rule = own[name];
    const value = rule === undefined ? null : read(name, rule);
    if (value !== null) values.set(name, value);
  }
  return values.size === 0 ? noParameters.own : values;
}

/** Adds a fault for each required parameter that is absent and has no other fault. */
function requireAll(
  { required, own }: Pick<Endpoint, 'required' | 'own'>,
  values: ReadonlyMap<string, string>,
  faults: ParameterFault[],
): void {
  for (const name of required) {
    if (values.has(name) || faults.some(({ parameter }) => parameter === name)) continue;
    const { required: why } = own[name] ?? queryParameters.q;
    faults.push({ parameter: name, detail: why ?? 'is required' });
  }
}
