/** Asks the reconciliation service of a real service, and checks its answers against the specification. */
import type { TestService } from '../support/service.ts';
import { expectShape } from './specification.ts';

export interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReturnType<typeof JSON.parse>;
}

type Shape = Parameters<typeof expectShape>[0];

/** @param shape of a 200 answer */
export async function askOf(
  service: Pick<TestService, 'fetch'>,
  shape: Shape,
  path: string,
  init?: BunFetchRequestInit,
): Promise<Asked> {
  const response = await service.fetch(path, init);
  const body = JSON.parse(await response.text());
  if (response.status === 200) expectShape(shape, body);
  return { status: response.status, headers: response.headers, body };
}

/** A form of JSON values, as clients post it. */
export function form(
  fields: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
) {
  const body = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) body.set(name, JSON.stringify(value));
  return { method: 'POST', body, headers };
}

/** What is left of the burst; null if the request was not counted. */
export function left({ headers }: Asked): number | null {
  const match = /"(?:lookup|search)";r=(\d+)/.exec(headers.get('ratelimit') ?? '');
  return match === null ? null : Number(match[1]);
}
