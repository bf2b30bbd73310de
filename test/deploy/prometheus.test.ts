/** Tests alert rules, runbook and dashboard over a real Prometheus that scrapes a real service. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { company } from '../http/app-in-memory.ts';
import { temporaryFolder } from '../support/folders.ts';
import { isInstalled, pathOf, titled } from '../support/programs.ts';
import { type RunningPrometheus, startPrometheus } from '../support/prometheus.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/steady-load.ts';

const deploy = join(import.meta.dir, '..', '..', 'deploy');
const rules = join(deploy, 'prometheus', 'lei.rules.yml');
const ruleTests = ['lei.rules.test.yml', 'lei.rules.days.test.yml'];

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}
const dashboard: { readonly panels: readonly Panel[] } = JSON.parse(
  readFileSync(join(deploy, 'grafana', 'lei-dashboard.json'), 'utf8'),
);

/** As Grafana asks: for all instances and over the few available seconds. */
const expressions = dashboard.panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => ({
    title,
    expression: expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '30s'),
  })),
);

/** Panels that stay empty for a service without HTTPS that has never been updated. */
const mayBeEmpty = /lei_certificate_end_timestamp_seconds|lei_update_last_success_timestamp_seconds/;

function promtool(...words: readonly string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([pathOf('promtool'), ...words], {
    cwd: join(deploy, 'prometheus'),
  });
  return { code: exitCode, said: stdout.toString() + stderr.toString() };
}

describe.skipIf(!isInstalled('promtool'))(titled('the alert rules', 'promtool'), () => {
  test('are well-formed, as is the example configuration', () => {
    expect(promtool('check', 'rules', 'lei.rules.yml').code).toBe(0);
    expect(promtool('check', 'config', 'prometheus.yml').code).toBe(0);
  });

  test('fire when they should, and only then', () => {
    const { code, said } = promtool('test', 'rules', ...ruleTests);
    expect([code, said.match(/SUCCESS/g)?.length]).toEqual([0, ruleTests.length]);
  });

  test('are all tested', () => {
    const tests = ruleTests.map((name) => readFileSync(join(deploy, 'prometheus', name), 'utf8')).join('');
    const untested = alerts().filter((name) => !tests.includes(`alertname: ${name}\n`));
    expect(untested).toEqual([]);
  });
});

test('the runbook has a section for every alert, and no other', () => {
  const runbook = readFileSync(join(deploy, 'runbook.md'), 'utf8');
  const sections = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name);
  expect(sections).toEqual(alerts());
  const links = [...readFileSync(rules, 'utf8').matchAll(/runbook\.md#(\w+)/g)].map(([, name]) => name);
  expect(links).toEqual(alerts().map((name) => name.toLowerCase()));
});

/** The names of the alerts, in their order. */
function alerts(): string[] {
  return [...readFileSync(rules, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
}

describe.skipIf(!isInstalled('prometheus'))(titled('over a service that runs', 'prometheus'), () => {
  let service: TestService;
  let prometheus: RunningPrometheus;
  let redis: RedisServer | null = null;
  beforeAll(async () => {
    redis = isInstalled('redis-server') ? await startRedis() : null;
    service = await startTestService({
      environment: {
        LEI_ADMIN: '127.0.0.1:0',
        LEI_LIMITS: 'enforce',
        LEI_PUBLICATION_SOURCE: `file://${temporaryFolder('source')}`,
        ...(redis && { LEI_SHARED_STATE: redis.url }),
      },
    });
    prometheus = await startPrometheus(service.admin, rules);
    // The requests are an increase only after a first scrape.
    await until(async () => (await prometheus.query('lei_ready')).length > 0);
    for (const path of [company.path, '/api/v1/search?q=bank', '/api/v1/lei/x', '/docs', '/nowhere'])
      await (await service.fetch(path)).arrayBuffer();
    await until(async () => (await prometheus.query('rate(lei_http_requests_total[30s]) >= 0')).length > 0);
    await until(
      async () => (await prometheus.query('increase(process_cpu_seconds_total[30s]) > 0')).length > 0,
    );
  });
  afterAll(async () => {
    await prometheus?.stop();
    await service?.stop();
    await redis?.stop();
  });

  test('every expression of the dashboard returns data', async () => {
    const empty: string[] = [];
    for (const { title, expression } of expressions) {
      const shown = await prometheus.query(expression);
      if (shown.length === 0 && !mayBeEmpty.test(expression)) empty.push(`${title}: ${expression}`);
    }
    expect(expressions.length).toBeGreaterThan(25);
    expect(empty).toEqual([]);
  });

  test('panels with a line for each operation or kind show only those that were asked for', async () => {
    const lines = expressions.filter(({ expression }) => /by \((?:operation|kind)/.test(expression));
    expect(lines.length).toBeGreaterThan(3);
    for (const { title, expression } of lines) {
      const shown = JSON.stringify(await prometheus.query(expression));
      expect([title, shown.includes('"NaN"')]).toEqual([title, false]);
    }
  });

  test('every metric used by a rule exists, and no alert fires', async () => {
    const text = readFileSync(rules, 'utf8');
    const names = new Set(text.match(/\b(?:lei|process)_[a-z_]+\b/g));
    if (redis === null) names.delete('lei_shared_state_up');
    for (const name of names) expect([name, (await prometheus.query(name)).length > 0]).toEqual([name, true]);
    expect(await prometheus.query('ALERTS{alertstate="firing"}')).toEqual([]);
  });
});
