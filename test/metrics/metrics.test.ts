/** Tests the metrics: threads count in blocks of shared memory, and the text shows their sums. */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  beatsOf,
  blockOf,
  bucketBounds,
  clearGauges,
  createMetricsMemory,
} from '../../src/metrics/blocks.ts';
import { meteringObserver, startHeartbeat } from '../../src/metrics/meter.ts';
import { metricsText } from '../../src/metrics/text.ts';
import { processReadings } from '../../src/serve/admin/readings.ts';
import { questionSeen, requestSeen } from '../contracts/observers.ts';
import { isInstalled } from '../support/programs.ts';
import { promtoolCheck, sampleOf } from '../support/promtool.ts';

const names = { operations: ['getCompanyByLei', 'searchCompanies', 'unknown'], kinds: ['company', 'search'] };

function threads(...threadNames: string[]) {
  const memory = createMetricsMemory(names, threadNames);
  return {
    memory,
    observers: threadNames.map((thread) => meteringObserver(blockOf(memory, thread))),
    text: () => metricsText(memory, []),
    sample: (name: string) => sampleOf(metricsText(memory, []), name),
  };
}

const requests = (operation: string, status: number) =>
  `lei_http_requests_total{operation="${operation}",status="${status}"}`;

interface Counted {
  readonly status: number;
  readonly durationMs: number;
}

/** Expects that the samples of an operation describe its requests. */
function expectSums(shown: string, operation: string, counted: readonly Counted[]): void {
  const duration = 'lei_http_request_duration_seconds';
  const seconds = counted.reduce((sum, { durationMs }) => sum + durationMs / 1_000, 0);
  expect(sampleOf(shown, `${duration}_count{operation="${operation}"}`)).toBe(counted.length);
  expect(sampleOf(shown, `${duration}_sum{operation="${operation}"}`)).toBeCloseTo(seconds, 6);
  for (const bound of bucketBounds) {
    const within = counted.filter(({ durationMs }) => durationMs / 1_000 <= bound).length;
    expect(sampleOf(shown, `${duration}_bucket{operation="${operation}",le="${bound}"}`)).toBe(within);
  }
  for (const status of [200, 304, 404, 503]) {
    const count = counted.filter((each) => each.status === status).length;
    // A status that never occurred is not shown.
    expect(sampleOf(shown, requests(operation, status)) ?? 0).toBe(count);
  }
}

test('the buckets of a histogram are for longer and longer times', () => {
  const bounds: readonly number[] = bucketBounds;
  expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
});

describe('the metrics of several threads', () => {
  test('are the sums over all threads, whatever they count and in whatever order', () => {
    const event = fc.record({
      thread: fc.nat({ max: 2 }),
      operation: fc.constantFrom(...names.operations),
      status: fc.constantFrom(200, 304, 404, 503),
      durationMs: fc.double({ min: 0, max: 20_000, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const { observers, text } = threads('main', 'front-1', 'front-2');
        for (const { thread, ...seen } of events) observers[thread]?.request({ ...requestSeen, ...seen });
        const shown = text();
        for (const operation of names.operations) {
          expectSums(
            shown,
            operation,
            events.filter((each) => each.operation === operation),
          );
        }
      }),
      { numRuns: 50 },
    );
  });

  test('count a request in flight on one thread until that thread has answered it', () => {
    const { observers, sample } = threads('front-1', 'front-2');
    for (const observer of observers) observer.arrived();
    expect(sample('lei_http_requests_in_flight')).toBe(2);
    observers[0]?.request(requestSeen);
    expect(sample('lei_http_requests_in_flight')).toBe(1);
  });

  test('forget the requests in flight of a thread that has ended, and keep its counts', () => {
    const { memory, observers, sample } = threads('front-1', 'front-2');
    for (const observer of observers) observer.arrived();
    observers[1]?.arrived();
    observers[1]?.request(requestSeen);
    clearGauges(blockOf(memory, 'front-2'));
    expect(sample('lei_http_requests_in_flight')).toBe(1);
    expect(sample(requests('getCompanyByLei', 200))).toBe(1);
  });

  test('never share a cache line', () => {
    const { memory } = threads('a', 'b', 'c');
    const blocks = memory.threads.map((thread) => blockOf(memory, thread));
    const ends = blocks.map(({ beat }) => beat.byteOffset + beat.byteLength);
    const starts = blocks.map(({ cells }) => cells.byteOffset);
    expect(starts.slice(1).every((start, index) => start - (ends[index] ?? 0) >= 64)).toBe(true);
  });
});

describe('a count', () => {
  test('has no label that a caller could choose: an unlisted operation counts as unknown', () => {
    const { observers, text, sample } = threads('main');
    observers[0]?.request({ ...requestSeen, operation: '"}{evil', status: 404 });
    expect(sample(requests('unknown', 404))).toBe(1);
    expect(text()).not.toContain('evil');
  });

  test('of refusals names the quotas that a request exceeds', () => {
    const { observers, sample } = threads('main');
    const [observer] = observers;
    observer?.request({ ...requestSeen, status: 429, violatedPolicies: ['daily', 'search'] });
    observer?.request({ ...requestSeen, status: 429, violatedPolicies: ['search'] });
    observer?.request({ ...requestSeen, status: 401 });
    const limited = (policy: string) => sample(`lei_rate_limited_total{policy="${policy}"}`);
    expect([limited('daily'), limited('lookup'), limited('search')]).toEqual([1, 0, 2]);
    expect(sample('lei_unauthorized_total')).toBe(1);
  });

  test('of questions, swaps, loads and ended threads is shown by kind, outcome or role', () => {
    const { observers, sample } = threads('main');
    const [observer] = observers;
    observer?.question('company', 30, 3);
    observer?.swap('ok');
    observer?.load('failed');
    observer?.threadEnded('query', 'it ended');
    expect({
      answered: sample('lei_query_duration_seconds_bucket{kind="company",le="0.005"}'),
      quicker: sample('lei_query_duration_seconds_bucket{kind="company",le="0.0025"}'),
      waited: sample('lei_query_wait_seconds_sum{kind="company"}'),
      swaps: sample('lei_swaps_total{outcome="ok"}'),
      loads: sample('lei_loads_total{outcome="failed"}'),
      restarts: sample('lei_thread_restarts_total{role="query"}'),
    }).toEqual({ answered: 1, quicker: 0, waited: 0.03, swaps: 1, loads: 1, restarts: 1 });
  });
});

describe('the heartbeat of a thread', () => {
  test('beats without being asked, with its questions and the lag of its event loop', async () => {
    const { memory, sample } = threads('main', 'front-1');
    const heartbeat = startHeartbeat(blockOf(memory, 'main'), () => 7);
    expect(beatsOf(memory).map(({ thread }) => thread)).toEqual(['main']);
    expect(sample('lei_query_queue_length')).toBe(7);
    const startedAt = beatsOf(memory)[0]?.at ?? 0;
    const blockedUntil = performance.now() + 700;
    while (performance.now() < blockedUntil);
    while ((beatsOf(memory)[0]?.at ?? 0) === startedAt) await new Promise((resume) => setTimeout(resume, 5));
    heartbeat.stop();
    expect(sample('lei_event_loop_lag_seconds{thread="main"}')).toBeGreaterThan(0.1);
    expect(sample('lei_event_loop_lag_seconds{thread="front-1"}')).toBeUndefined();
  });
});

test.skipIf(!isInstalled('promtool'))('promtool accepts the output without a complaint', async () => {
  const { memory, observers } = threads('main', 'front-1');
  for (const observer of observers) {
    observer.request(requestSeen);
    observer.question(...questionSeen);
  }
  const odd = {
    name: 'lei_odd_info',
    help: 'A line\nand a \\.',
    type: 'gauge',
    samples: [{ labels: { text: '"quoted"\nand \\' }, value: 1 }],
  } as const;
  const text = metricsText(memory, [odd, ...processReadings(performance.timeOrigin)]);
  expect(await promtoolCheck(text)).toBe('');
  expect(text).toContain('lei_odd_info{text="\\"quoted\\"\\nand \\\\"} 1');
  expect(await promtoolCheck(`${text}no_help 1\n`)).not.toBe('');
});
