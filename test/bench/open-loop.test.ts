import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createServer, type Server } from 'node:http';
import { type OpenLoopOrder, openLoop, percentiles } from './harness/open-loop.ts';

/** Answers `{"name":"/x"}`, wrongly below /wrong, with refusals below /refused, and /held only when released. */
let server: ReturnType<typeof Bun.serve>;
const held: (() => void)[] = [];

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === '/refused') return new Response('{}', { status: 429 });
      if (pathname === '/let-go') for (const release of held.splice(0)) release();
      if (pathname === '/held') await new Promise<void>((resolve) => held.push(resolve));
      return Response.json({ name: pathname === '/wrong' ? '/other' : pathname });
    },
  });
});
afterAll(() => server.stop(true));

function order(paths: readonly string[], stretches: OpenLoopOrder['stretches']): OpenLoopOrder {
  return {
    baseUrl: `http://127.0.0.1:${server.port}`,
    headers: {},
    asks: paths.map((path) => ({ path, proof: `"name":"${path}"` })),
    stretches,
    outstandingMost: 64,
  };
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' ? (address?.port ?? 0) : 0);
    });
  });
}

test('requests leave on schedule, at a constant rate and on a ramp', async () => {
  const flat = await openLoop(order(['/a', '/b'], [{ seconds: 0.3, from: 200, to: 200 }]));
  expect(flat).toMatchObject({ sent: 60, answered: 60, wrong: 0, failed: 0, statuses: { 200: 60 } });
  const ramp = await openLoop(order(['/a'], [{ seconds: 0.4, from: 50, to: 250 }]));
  expect(ramp).toMatchObject({ sent: 60, answered: 60, wrong: 0, failed: 0 });
});

test('wrong answers and refusals are not counted as right answers', async () => {
  const result = await openLoop(
    order(['/a', '/wrong', '/refused', '/b'], [{ seconds: 0.2, from: 200, to: 200 }]),
  );
  expect(result).toMatchObject({ sent: 40, statuses: { 200: 30, 429: 10 }, wrong: 10, failed: 10 });
});

test('the latency of a stalled answer counts from its scheduled time', async () => {
  // Forty requests leave in 0.2 s; the last one releases the first.
  const paths = ['/held', ...Array.from({ length: 38 }, (_, n) => `/${n}`), '/let-go'];
  const result = await openLoop(order(paths, [{ seconds: 0.2, from: 200, to: 200 }]));
  expect(result).toMatchObject({ sent: 40, answered: 40, wrong: 0, failed: 0 });
  expect(result.latencyMs.most).toBeGreaterThan(190);
});

test('answers of the warm-up are counted, their latencies are not', async () => {
  // One every 5 ms; the first twenty are due before 98 ms.
  const result = await openLoop({
    ...order(['/a', '/wrong'], [{ seconds: 0.2, from: 200, to: 200 }]),
    warmUpSeconds: 0.098,
  });
  expect(result).toMatchObject({ sent: 40, answered: 40, wrong: 20, failed: 0, latencies: 20 });
});

test('chunked bodies are joined, and a connection that the server closes is replaced without counting a failure', async () => {
  // Like a proxy, splits the name over two chunks and closes the connection after every third answer.
  let count = 0;
  const chunked = createServer((request, response) => {
    if (++count % 3 === 0) response.setHeader('connection', 'close');
    const body = JSON.stringify({ name: request.url });
    response.write(body.slice(0, 9));
    setImmediate(() => response.end(body.slice(9)));
  });
  const port = await listening(chunked);
  const result = await openLoop({
    ...order(['/abcdef'], [{ seconds: 0.3, from: 200, to: 200 }]),
    baseUrl: `http://127.0.0.1:${port}`,
  });
  chunked.close();
  expect(result).toMatchObject({ sent: 60, answered: 60, wrong: 0, failed: 0, lost: {} });
});

test('an unanswered request does not slow the others down', async () => {
  const silent = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) =>
      url.endsWith('/held') ? new Promise<Response>(() => {}) : Response.json({ name: '/a' }),
  });
  const result = await openLoop({
    ...order(['/held', ...Array(19).fill('/a')], [{ seconds: 0.1, from: 200, to: 200 }]),
    baseUrl: `http://127.0.0.1:${silent.port}`,
    drainSeconds: 1,
  });
  await silent.stop(true);
  expect(result).toMatchObject({
    answered: 19,
    failed: 1,
    lost: { 'no answer within 1 s of the last departure': 1 },
  });
  expect(result.perSecond).toBeGreaterThan(50);
});

test('requests that are due at once use as many connections as are allowed', async () => {
  const ports = new Set<number>();
  const counting = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, server) {
      ports.add(server.requestIP(request)?.port ?? 0);
      return Response.json({ name: new URL(request.url).pathname });
    },
  });
  const result = await openLoop({
    ...order(['/a'], [{ seconds: 0.001, from: 50_000, to: 50_000 }]),
    baseUrl: `http://127.0.0.1:${counting.port}`,
    connectionsMost: 3,
  });
  await counting.stop(true);
  expect(result).toMatchObject({ sent: 50, answered: 50, wrong: 0, failed: 0 });
  expect(ports.size).toBe(3);
});

test('new connections replace those that the server closes while requests wait', async () => {
  let count = 0;
  const closing = createServer((request, response) => {
    if (++count % 3 === 0) response.setHeader('connection', 'close');
    response.end(JSON.stringify({ name: request.url }));
  });
  const port = await listening(closing);
  const result = await openLoop({
    ...order(['/a'], [{ seconds: 0.001, from: 50_000, to: 50_000 }]),
    baseUrl: `http://127.0.0.1:${port}`,
    connectionsMost: 2,
    drainSeconds: 1,
  });
  closing.close();
  expect(result).toMatchObject({ sent: 50, answered: 50, wrong: 0, failed: 0, lost: {} });
});

test('percentiles are measured values (nearest rank), and null if there are none', () => {
  const shuffled = Float64Array.from({ length: 1000 }, (_, n) => ((n * 7) % 1000) + 1);
  expect(percentiles(shuffled)).toEqual({ p50: 500, p90: 900, p99: 990, p999: 999, most: 1000 });
  expect(percentiles(Float64Array.of(3, 1, 2))).toEqual({ p50: 2, p90: 3, p99: 3, p999: 3, most: 3 });
  expect(percentiles(Float64Array.of())).toEqual({ p50: null, p90: null, p99: null, p999: null, most: null });
});
