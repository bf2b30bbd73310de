/** Describes every header of the API's answers. */

import type { JsonObject } from '../../json.ts';
import { cacheControl, exposedHeaders } from '../headers.ts';

const header = (description: string, example: string, type = 'string') => ({
  description,
  schema: { type },
  example: type === 'integer' ? Number(example) : example,
});

const headers = {
  ETag: header(
    'Strong entity tag of this representation. Send it back in `If-None-Match` to get 304 while nothing has changed.',
    '"mHk1c0uC9Jr3cE5bX2yQvA"',
  ),
  'Last-Modified': header(
    'When the publication that answered was activated here; it moves forward on a rollback too.',
    'Sun, 05 May 2024 01:02:03 GMT',
  ),
  'Cache-Control': header(
    '`private, no-cache`; `no-store` on 401, 429 and 503. Answers may be kept, and must be revalidated.',
    cacheControl,
  ),
  Vary: header('The coding of a body depends on what the client accepts.', 'Accept-Encoding'),
  'X-Request-Id': header(
    'The id that the client sent in `X-Request-Id` (1 to 128 characters of `A-Za-z0-9._-`), or a new one. It stands in the log and in the problem’s `instance`.',
    '0f8e2a7c51d3-1a',
  ),
  Link: header(
    'RFC 8288: the address of the next page, where there is one.',
    '</api/v1/search?q=bank&cursor=b3BhcXVl>; rel="next"',
  ),
  RateLimit: header(
    'Structured field (draft-ietf-httpapi-ratelimit-headers): what is left (`r`) of each quota and the seconds (`t`) until some comes back.',
    '"daily";r=87;t=51234, "lookup";r=299;t=60',
  ),
  'RateLimit-Policy': header(
    'Structured field: each quota (`q`) and its window in seconds (`w`).',
    '"daily";q=100;w=86400, "lookup";q=300;w=60',
  ),
  'X-RateLimit-Limit': header('Quota of the policy that is closest to exhaustion.', '100', 'integer'),
  'X-RateLimit-Remaining': header('What is left of that quota.', '87', 'integer'),
  'X-RateLimit-Reset': header('Epoch seconds at which some of it comes back.', '1714953600', 'integer'),
  'Retry-After': header('Whole seconds to wait before asking again.', '60', 'integer'),
  'WWW-Authenticate': header('RFC 6750.', 'Bearer realm="lei", error="invalid_token"'),
  'X-Content-Type-Options': header('Browsers must not guess another type.', 'nosniff'),
  'Access-Control-Allow-Origin': header('Scripts of any origin may read the answer.', '*'),
  'Access-Control-Expose-Headers': header('Headers that such scripts may read.', exposedHeaders.join(', ')),
} as const;

export type HeaderName = keyof typeof headers;

export const headerComponents: JsonObject = headers;

const always = [
  'Cache-Control',
  'Vary',
  'X-Request-Id',
  'X-Content-Type-Options',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
] as const;
const quota = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

/**
 * References to the headers of one response.
 * @param counted whether it carries the rate-limit headers
 */
export function headerReferences(counted: boolean, more: readonly HeaderName[]): JsonObject {
  const all = [...more, ...always, ...(counted ? quota : [])];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
