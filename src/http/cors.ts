/**
 * The CORS headers. Answers have constant ones, which are prepared (decision 050). The plugin answers preflights: once
 * for each list of methods, since its answer depends on nothing else.
 */
import { cors } from '@elysiajs/cors';
import { Elysia } from 'elysia';

/** Response headers that scripts of other origins may read. */
export const exposedHeaders = [
  'ETag',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Server-Timing',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

/** Request headers that scripts of other origins may set. Named, because a `*` never covers Authorization. */
const allowedHeaders = ['Authorization', 'If-None-Match', 'If-Modified-Since'];

/** How long a browser may remember the answer to a preflight. */
const preflightSeconds = 7200;

/** On every answer that scripts of other origins may read, errors too. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': exposedHeaders.join(', '),
} as const;

const prepared = new Map<string, Promise<readonly (readonly [string, string])[]>>();

/** The headers of the answer to a preflight of a path that answers these methods. */
export function preflightHeaders(
  methods: readonly string[],
): Promise<readonly (readonly [string, string])[]> {
  const key = methods.join();
  const known = prepared.get(key) ?? askPlugin(methods);
  prepared.set(key, known);
  return known;
}

async function askPlugin(methods: readonly string[]) {
  const plugin = cors({
    origin: '*',
    methods: [...methods],
    allowedHeaders,
    exposeHeaders: exposedHeaders,
    credentials: false,
    maxAge: preflightSeconds,
  });
  const headers = { 'Access-Control-Request-Method': 'GET' };
  const { headers: answered } = await new Elysia()
    .use(plugin)
    .fetch(new Request('http://preflight/', { method: 'OPTIONS', headers }));
  // The plugin sends `Vary: *` for any origin, which would stop every cache.
  return [...answered].filter(([name]) => name.startsWith('access-control-'));
}
