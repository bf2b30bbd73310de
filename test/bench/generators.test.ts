/** Tests the project's own load generators: what they count, alone and several at once. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import fc from 'fast-check';
import { closedLoopBy, openLoopBy } from './harness/generators.ts';
import { addedUp, bucketPercentile, countLatency, noLatencies } from './harness/latency-buckets.ts';
import { percentiles } from './harness/open-loop.ts';

const asked: string[] = [];
let server: ReturnType<typeof Bun.serve>;
beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push(`${pathname} ${request.headers.get('authorization')}`);
      if (pathname.startsWith('/refused')) return new Response('{}', { status: 429 });
      const body = Buffer.from(JSON.stringify({ name: pathname, more: 'x'.repeat(100_000) }));
      if (pathname.startsWith('/stream')) return new Response(streamOf([body, body]));
      return Response.json({ name: pathname, more: 'x'.repeat(100_000) });
    },
  });
});
afterAll(() => server.stop(true));

function streamOf(pieces: readonly Buffer[]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

const order = (paths: readonly string[], baseUrl = `http://127.0.0.1:${server.port}`) => ({
  baseUrl,
  headers: { Authorization: 'Bearer key' },
  paths,
  connections: 6,
  seconds: 0.3,
  answersLeast: 40,
});

test('two closed loops send all paths with the headers, and count every answer once', async () => {
  asked.length = 0;
  const result = await closedLoopBy({ processes: 2, cores: [] }, order(['/a', '/b', '/c', '/d']));
  expect(result.failures).toBe(0);
  expect(result.requests).toBeGreaterThan(12);
  expect(new Set(asked)).toEqual(new Set(['/a', '/b', '/c', '/d'].map((path) => `${path} Bearer key`)));
  // Each of the connections may have one more request in flight when the time is up.
  expect(asked.length - result.requests).toBeGreaterThanOrEqual(0);
  expect(asked.length - result.requests).toBeLessThanOrEqual(6);
  expect(result.latencies.reduce((sum, count) => sum + count, 0)).toBe(result.requests);
  expect(result.cpuSeconds).toBeGreaterThan(0);
  expect(result.seconds).toBeGreaterThanOrEqual(0.3);
});

test('a closed loop counts refusals as failures', async () => {
  const result = await closedLoopBy({ processes: 1, cores: [] }, order(['/a', '/refused']));
  expect(result.failures / result.requests).toBeCloseTo(0.5, 1);
});

test('a closed loop reads answers in chunks', async () => {
  const result = await closedLoopBy({ processes: 1, cores: [] }, order(['/a', '/stream']));
  expect(result.failures).toBe(0);
  expect(result.requests).toBeGreaterThan(12);
});

test('a closed loop reads answers in pieces, and counts lost connections and missing answers', async () => {
  const answer = 'HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 5\r\n\r\nHello';
  let connections = 0;
  const pieces = createServer((socket) => {
    const place = connections++;
    socket.on('error', () => {});
    socket.on('data', async () => {
      if (place === 0) return;
      if (place === 1) return socket.destroy();
      for (const piece of [answer.slice(0, 20), answer.slice(20, -2), answer.slice(-2)]) {
        socket.write(piece);
        await Bun.sleep(1);
      }
      return undefined;
    });
  });
  const port = await new Promise<number>((resolve) => {
    pieces.listen(0, '127.0.0.1', () => resolve(Number(Object(pieces.address()).port)));
  });
  const result = await closedLoopBy({ processes: 1, cores: [] }, order(['/'], `http://127.0.0.1:${port}`));
  pieces.close();
  expect(result.requests).toBeGreaterThanOrEqual(40);
  // One connection was lost, and neither that one nor the silent one had an answer.
  expect(result.failures).toBe(3);
});

test('two open loops split rate and questions, and check every answer', async () => {
  const result = await openLoopBy(
    { processes: 2, cores: [] },
    {
      baseUrl: `http://127.0.0.1:${server.port}`,
      headers: {},
      asks: ['/a', '/b', '/refused'].map((path) => ({ path, proof: `"name":"${path}"` })),
      stretches: [{ seconds: 0.3, from: 200, to: 200 }],
      outstandingMost: 64,
      connectionsMost: 8,
    },
  );
  expect(result).toMatchObject({ wrong: 0, failed: 20 });
  expect(result.latencies.reduce((sum, count) => sum + count, 0)).toBe(60);
});

test('percentiles from the merged buckets of several generators are within 2 % of the exact ones', () => {
  const latency = fc.double({ min: 0.002, max: 60_000, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.array(latency, { maxLength: 50 }), { minLength: 1, maxLength: 4 }), (parts) => {
      const buckets = parts.map((part) => {
        const counts = noLatencies();
        for (const ms of part) countLatency(counts, ms);
        return counts;
      });
      const exact = percentiles(Float64Array.from(parts.flat()));
      for (const [share, right] of [[0.5, exact.p50] as const, [0.99, exact.p99] as const]) {
        const found = bucketPercentile(addedUp(buckets), share);
        if (right === null) expect(found).toBeNull();
        else expect(Math.abs((found ?? 0) / right - 1)).toBeLessThan(0.02);
      }
    }),
  );
});
