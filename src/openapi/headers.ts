/**
 * Describes every header of the API's answers, each once. The introduction lists the headers of all answers; an
 * operation names only its own.
 */

import { exposedHeaders } from '../http/cors.ts';
import { cacheControl } from '../http/headers.ts';
import type { JsonObject } from '../lei/schema.ts';

const header = (description: string, example: string, type = 'string') => ({
  description,
  schema: { type },
  example: type === 'integer' ? Number(example) : example,
});

const headers = {
  ETag: header(
    'The entity tag of this answer. Send it back in `If-None-Match`: while nothing has changed, the answer is 304.',
    '"mHk1c0uC9Jr3cE5bX2yQvA"',
  ),
  'Last-Modified': header(
    'The time at which the data of this answer became active here. A rollback also moves it forward.',
    'Sun, 05 May 2024 01:02:03 GMT',
  ),
  'Cache-Control': header(
    '`private, no-cache`: you may store the answer, but must revalidate it. `no-store` on 401, 429 and 503.',
    cacheControl,
  ),
  Vary: header('The compression of a body depends on what the client accepts.', 'Accept-Encoding'),
  'X-Request-Id': header(
    'The id of the request: the value that the client sent in this header (1 to 128 characters of `A-Za-z0-9._-`), or a new one. A problem shows it as `instance`.',
    '0f8e2a7c51d3-1a',
  ),
  Link: header(
    'The address of the next page, if there is one (RFC 8288).',
    '</api/v1/search?q=bank&cursor=b3BhcXVl>; rel="next"',
  ),
  RateLimit: header(
    'What is left (`r`) of each quota, and the seconds (`t`) until some comes back (draft-ietf-httpapi-ratelimit-headers).',
    '"daily";r=87;t=51234, "lookup";r=299;t=60',
  ),
  'RateLimit-Policy': header(
    'Each quota (`q`) and its window in seconds (`w`).',
    '"daily";q=100;w=86400, "lookup";q=300;w=60',
  ),
  'X-RateLimit-Limit': header('The limit of the quota that is closest to exhaustion.', '100', 'integer'),
  'X-RateLimit-Remaining': header('What is left of that quota.', '87', 'integer'),
  'X-RateLimit-Reset': header(
    'The time at which some of it comes back, in seconds since 1970.',
    '1714953600',
    'integer',
  ),
  'Retry-After': header('Seconds to wait before asking again.', '60', 'integer'),
  'WWW-Authenticate': header(
    'The kind of key that the service accepts (RFC 6750).',
    'Bearer realm="lei", error="invalid_token"',
  ),
  'X-Content-Type-Options': header('Browsers must not guess another type.', 'nosniff'),
  'Access-Control-Allow-Origin': header('Scripts of any origin may read the answer.', '*'),
  'Access-Control-Expose-Headers': header('Headers that such scripts may read.', exposedHeaders.join(', ')),
} as const;

export type HeaderName = keyof typeof headers;

export const headerComponents: JsonObject = headers;

/** Headers that every answer of the API has. */
export const commonHeaders = [
  'Cache-Control',
  'Vary',
  'X-Request-Id',
  'X-Content-Type-Options',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
] as const satisfies readonly HeaderName[];

/** Headers that every answer of a counted operation has. */
export const quotaHeaders = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const satisfies readonly HeaderName[];

export function headerReferences(names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** A table of the headers that no operation repeats. */
export function commonHeadersTable(): string {
  const rows = commonHeaders.map((name) => `| \`${name}\` | ${headers[name].description} |`);
  return ['| Header | Says |', '| --- | --- |', ...rows].join('\n');
}
