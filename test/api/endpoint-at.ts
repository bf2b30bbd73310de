/** Finds the endpoint of a path from the templates alone: the tests' own version of the router. */
import type { Endpoint } from '../../src/api/endpoint.ts';
import { allEndpoints } from '../../src/api/table.ts';

export function endpointAt(path: string): Endpoint | null {
  const matches = ({ template }: Endpoint) =>
    new RegExp(`^${template.replace(/\{[a-z]+\}/, '[^/]+')}$`).test(path);
  return allEndpoints.find(matches) ?? null;
}
