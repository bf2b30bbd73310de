/** Tests traces: what a collector receives about the requests of a real service. */
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { company } from '../http/app-in-memory.ts';
import { type Collector, type Span, startCollector } from '../support/otlp.ts';
import { serve } from '../support/serve.ts';
import { copiedSample, startTestService } from '../support/service.ts';
import { until } from '../support/steady-load.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';
const sampled = { headers: { traceparent: `00-${trace}-${parent}-01` } };
const unsampled = { headers: { traceparent: `00-${trace}-${parent}-00` } };

/**
 * Runs a service that sends its traces to a collector, asks it, ends it, and returns what was collected.
 * @param awaited the number of traced requests to wait for before the end: what is sent at the end has two seconds only,
 *   which may be too short on a busy machine
 */
async function collected(
  settings: Readonly<Record<string, string>>,
  requests: readonly (readonly [path: string, init?: BunFetchRequestInit])[],
  awaited: number,
): Promise<Pick<Collector, 'received' | 'spans'> & { readonly log: string }> {
  const collector = startCollector();
  const variables = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    ...(awaited > 0 && { OTEL_BSP_SCHEDULE_DELAY: '50' }),
    ...settings,
  };
  // OpenTelemetry's packages read the environment of the process themselves.
  Object.assign(process.env, variables);
  try {
    const environment = { LEI_LOG_LEVEL: 'info', LEI_LOG_REQUESTS: 'all', ...variables };
    const service = await startTestService({ environment });
    for (const [path, init] of requests) await (await service.fetch(path, init)).arrayBuffer();
    await until(() => collector.spans.filter(({ name }) => name === 'request').length >= awaited);
    await service.stop();
    await collector.stop();
    return { ...collector, log: await service.logText() };
  } finally {
    for (const name of Object.keys(variables)) delete process.env[name];
  }
}

const named = (spans: readonly Span[], name: string): Span => {
  const found = spans.find((span) => span.name === name);
  if (found === undefined) throw new Error(`There is no span ${name}.`);
  return found;
};

describe.each([
  ['http/protobuf', 'application/x-protobuf', '1'],
  ['http/json', 'application/json', '2'],
])('by %s', (protocol, contentType, fronts) => {
  test('a look-up is a request of the caller’s trace, followed by a wait, a query and a rendering', async () => {
    const { received, spans, log } = await collected(
      { OTEL_EXPORTER_OTLP_PROTOCOL: protocol, LEI_FRONTS: fronts },
      [[company.path, sampled]],
      1,
    );
    expect(new Set(received)).toEqual(new Set([`POST /v1/traces ${contentType}`]));
    expect(spans.map(({ name }) => name).sort()).toEqual(['query', 'render', 'request', 'wait']);
    const request = named(spans, 'request');
    expect(request).toMatchObject({
      service: 'lei-service',
      traceId: trace,
      parentId: parent,
      kind: 2,
      status: 0,
    });
    expect(Object.fromEntries(request.attributes)).toMatchObject({
      'http.request.method': 'GET',
      'http.route': '/api/v1/lei/{lei}',
      'http.response.status_code': '200',
      'lei.operation': 'getCompanyByLei',
    });
    const steps = ['wait', 'query', 'render'].map((name) => named(spans, name));
    for (const step of steps) expect([step.traceId, step.parentId]).toEqual([trace, request.spanId]);
    const moments = [request.start, ...steps.flatMap(({ start, end }) => [start, end]), request.end];
    expect(moments.toSorted((a, b) => Number(a - b))).toEqual(moments);
    expect(log).toContain(`"traceId":"${trace}"`);
  });
});

describe('sampling', () => {
  test('follows the caller by default, and starts a trace if there is none', async () => {
    const { spans, log } = await collected({}, [[company.path, unsampled], [company.path], ['/docs']], 2);
    const requests = spans.filter(({ name }) => name === 'request');
    expect(requests.map(({ attributes }) => attributes.get('lei.operation'))).toEqual([
      'getCompanyByLei',
      'page',
    ]);
    for (const { traceId, parentId } of requests) {
      expect(parentId).toBe('');
      expect(traceId).not.toBe(trace);
      expect(log).toContain(`"traceId":"${traceId}"`);
    }
    // A caller's trace that is not sampled is still named in the log.
    expect(log).toContain(`"traceId":"${trace}"`);
  });

  test('is what OTEL_TRACES_SAMPLER sets', async () => {
    const requests = [
      [company.path, sampled],
      [company.path, unsampled],
    ] as const;
    const counts: number[] = [];
    for (const sampler of ['always_on', 'always_off']) {
      // All of them are sent at the end.
      const { spans } = await collected({ OTEL_TRACES_SAMPLER: sampler }, requests, 0);
      counts.push(spans.filter(({ name }) => name === 'request').length);
    }
    expect(counts).toEqual([2, 0]);
  });
});

test('losing the collector harms nobody: requests continue, and the service stops in order', async () => {
  const gone = startCollector();
  await gone.stop();
  const service = await serve(await copiedSample(), {
    OTEL_EXPORTER_OTLP_ENDPOINT: gone.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    // If the stop waited for an export to be given up, this test would not end in time.
    OTEL_EXPORTER_OTLP_TIMEOUT: '3600000',
  });
  for (let request = 0; request < 2; request++) expect((await service.get(company.path)).status).toBe(200);
  service.kill('SIGTERM');
  expect(await service.exited).toBe(0);
});

test('the log says once when the collector takes no spans, and when it takes them again', async () => {
  let status = 400;
  const collector = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(null, { status }),
  });
  const service = await serve(await copiedSample(), {
    LEI_LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
    OTEL_BSP_SCHEDULE_DELAY: '20',
  });
  const linesWith = (part: string) =>
    service
      .log()
      .split('\n')
      .filter((line) => line.includes(part));
  const askUntil = async (isTold: () => boolean) => {
    while (!isTold()) expect((await service.get(company.path)).status).toBe(200);
  };
  await askUntil(() => linesWith('takes no spans').length > 0);
  expect(JSON.parse(linesWith('takes no spans')[0] ?? '')).toMatchObject({
    level: 'warn',
    reason: expect.any(String),
  });
  status = 200;
  await askUntil(() => linesWith('takes spans again').length > 0);
  expect(linesWith('takes no spans')).toHaveLength(1);
  service.kill('SIGTERM');
  expect(await service.exited).toBe(0);
  await collector.stop(true);
});

describe('OpenTelemetry', () => {
  /** The modules that a process has loaded after the tracer was asked for. */
  async function loaded(settings: string): Promise<number> {
    const load = join(import.meta.dir, '../../src/tracing/load.ts');
    const program = `
      import { loadTracer } from ${JSON.stringify(load)};
      import '${join(import.meta.dir, '../../src/serve/main.ts')}';
      await loadTracer(${settings}, '1', () => {});
      console.log(Object.keys(require.cache).filter((path) => path.includes('@opentelemetry')).length);
      process.exit();`;
    const running = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe' });
    return Number(await running.stdout.text());
  }

  test('is loaded only if traces are configured', async () => {
    expect(await loaded('null')).toBe(0);
    const settings = { protocol: 'http/json', sampler: 'always_on', share: 1, delayMs: 5_000 };
    expect(await loaded(JSON.stringify(settings))).toBeGreaterThan(10);
  });
});
