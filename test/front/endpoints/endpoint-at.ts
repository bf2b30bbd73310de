/** Finds the endpoint of a path from the templates alone: the tests' own version of the router. */
import type { Endpoint } from '../../../src/front/endpoints/endpoint.ts';
import { allEndpoints } from '../../../src/front/endpoints/table.ts';

export function endpointAt(path: string): Endpoint | null {
  const matches = ({ template }: Endpoint) =>
    new RegExp(`^${template.replace(/\{[a-z]+\}/, '[^/]+')}$`).test(path);
  return allEndpoints.find(matches) ?? null;
}
