import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type OpenLoopOrder, openLoop } from './harness/open-loop.ts';

/** Answers `{"name":"/x"}`, wrong ones below /wrong, refuses below /refused, and holds /held until let go. */
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
    host: '127.0.0.1',
    port: server.port ?? 0,
    headers: {},
    asks: paths.map((path) => ({ path, proof: `"name":"${path}"` })),
    stretches,
    outstandingMost: 64,
  };
}

test('as many requests leave as the timetable says, flat or on a ramp', async () => {
  const flat = await openLoop(order(['/a', '/b'], [{ seconds: 0.3, from: 200, to: 200 }]));
  expect(flat).toMatchObject({ sent: 60, answered: 60, wrong: 0, failed: 0, statuses: { 200: 60 } });
  const ramp = await openLoop(order(['/a'], [{ seconds: 0.4, from: 50, to: 250 }]));
  expect(ramp).toMatchObject({ sent: 60, answered: 60, wrong: 0, failed: 0 });
});

test('answers that do not hold what they must, and refusals, are told apart from right ones', async () => {
  const result = await openLoop(
    order(['/a', '/wrong', '/refused', '/b'], [{ seconds: 0.2, from: 200, to: 200 }]),
  );
  expect(result).toMatchObject({ sent: 40, statuses: { 200: 30, 429: 10 }, wrong: 10, failed: 10 });
});

test('a stalled answer counts from its place on the timetable', async () => {
  // Forty requests leave in 0.2 s; the first is held until the last one lets it go.
  const paths = ['/held', ...Array.from({ length: 38 }, (_, n) => `/${n}`), '/let-go'];
  const result = await openLoop(order(paths, [{ seconds: 0.2, from: 200, to: 200 }]));
  expect(result).toMatchObject({ sent: 40, answered: 40, wrong: 0, failed: 0 });
  expect(result.latencyMs.most).toBeGreaterThan(190);
});

test('answers of the warm-up are counted, and their latencies are left out', async () => {
  // One every 5 ms; the first twenty are due before 98 ms.
  const result = await openLoop({
    ...order(['/a', '/wrong'], [{ seconds: 0.2, from: 200, to: 200 }]),
    warmUpSeconds: 0.098,
  });
  expect(result).toMatchObject({ sent: 40, answered: 40, wrong: 20, failed: 0, latencies: 20 });
});
