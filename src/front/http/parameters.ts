/** Reads the query string of an endpoint by the rules of its parameters. */
import {
  noParameters,
  type ParameterName,
  type Parameters,
  queryParameters,
  Refusal,
} from '../endpoints/parameters.ts';
import type { ParameterFault } from '../problems.ts';
import { readQuery } from './query-string.ts';

/**
 * The parameters of a request; each fault is added to `faults`.
 * @param text query string without `?`
 * @param known names that the endpoint takes
 */
export function readParameters(
  text: string,
  known: readonly ParameterName[],
  faults: ParameterFault[],
): Parameters {
  if (text === '' && !known.includes('q')) return noParameters;
  const values = readQuery(text, known, faults);
  const read = <T>(name: ParameterName, rule: { read(value: string): T | Refusal }): T | null => {
    const value = values.get(name);
    if (value === undefined) return null;
    const outcome = rule.read(value);
    if (!(outcome instanceof Refusal)) return outcome;
    faults.push({ parameter: name, detail: outcome.detail });
    return null;
  };
  const q = read('q', queryParameters.q);
  requireAll(known, values, faults);
  const limit = read('limit', queryParameters.limit);
  return {
    q,
    limit: limit ?? noParameters.limit,
    limitGiven: limit !== null,
    country: read('country', queryParameters.country),
    status: read('status', queryParameters.status),
    cursor: read('cursor', queryParameters.cursor),
  };
}

/** Adds a fault for each required parameter that is absent and has no other fault. */
function requireAll(
  known: readonly ParameterName[],
  values: ReadonlyMap<string, string>,
  faults: ParameterFault[],
): void {
  for (const name of known) {
    const { required } = queryParameters[name];
    if (required === null || values.has(name) || faults.some(({ parameter }) => parameter === name)) continue;
    faults.push({ parameter: name, detail: required });
  }
}
