/**
 * A bare `Bun.serve` with answers like the service's, to show the share of Bun itself. It answers asynchronously, as a
 * server with threads does, with thirteen headers, four of them new in every answer.
 */
import { cacheControl, commonHeaders } from '../../../src/http/headers.ts';
import { announce, pathOf, readCaptured } from './capture.ts';

const bodies = new Map(
  [...readCaptured(process.argv[2] ?? '')].map(([path, body]) => [path, Buffer.from(body)]),
);

const headers = new Headers({
  ...commonHeaders,
  'Content-Type': 'application/json',
  'Cache-Control': cacheControl,
  'Last-Modified': 'Sat, 21 Nov 2026 18:18:18 GMT',
  'RateLimit-Policy': '"daily";q=1000000000;w=86400, "lookup";q=1000000000;w=60',
  'X-RateLimit-Limit': '1000000000',
  'X-RateLimit-Reset': '1795305600',
});

let count = 0;

function respond(path: string): Response {
  const body = bodies.get(path);
  if (body === undefined) return new Response('not captured', { status: 404 });
  count++;
  headers.set('ETag', `"0123456789ab${count}"`);
  headers.set('X-Request-Id', `0123456789ab-${count}`);
  headers.set('RateLimit', `"daily";r=${1e9 - count};t=43200, "lookup";r=${1e9 - count};t=60`);
  headers.set('X-RateLimit-Remaining', String(1e9 - count));
  return new Response(body, { headers });
}

let waiting: (() => void)[] = [];

function answerWaiting(): void {
  const answering = waiting;
  waiting = [];
  for (const answer of answering) answer();
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  development: false,
  fetch({ url }) {
    const path = pathOf(url);
    return new Promise<Response>((resolve) => {
      if (waiting.length === 0) setImmediate(answerWaiting);
      waiting.push(() => resolve(respond(path)));
    });
  },
});
announce(server.port);
