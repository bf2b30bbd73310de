/**
 * The CORS headers. Answers have constant ones, which are prepared (decision 050). The plugin answers preflights: once
 * for each list of methods, since its answer depends on nothing else.
 */
import { cors } from '@elysiajs/cors';
import { Elysia } from 'elysia';
import type { RouteFacts } from './definition.ts';

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

/** The facts of a path that a preflight needs. */
type PreflightFacts = Pick<RouteFacts, 'methods' | 'requestHeaders'>;

const prepared = new Map<string, Promise<readonly (readonly [string, string])[]>>();

/** The headers of the answer to a preflight. */
export function preflightHeaders(facts: PreflightFacts): Promise<readonly (readonly [string, string])[]> {
  const key = [...facts.methods, ...(facts.requestHeaders ?? [])].join();
  const known = prepared.get(key) ?? askPlugin(facts);
  prepared.set(key, known);
  return known;
}

async function askPlugin({ methods, requestHeaders = [] }: PreflightFacts) {
  const plugin = cors({
    origin: '*',
    methods: [...methods],
    allowedHeaders: [...allowedHeaders, ...requestHeaders],
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
