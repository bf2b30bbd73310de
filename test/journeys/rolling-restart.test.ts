/** Tests a service between its stop signal and its end, and a rolling restart of two behind haproxy. */
import { describe, expect, test } from 'bun:test';
import { company } from '../http/app-in-memory.ts';
import { isInstalled } from '../support/programs.ts';
import { freePort, startHaproxyWith } from '../support/proxies.ts';
import { type Served, serve } from '../support/serve.ts';
import { copiedSample } from '../support/service.ts';
import { steadyLoad, until } from '../support/steady-load.ts';

const statusAt = async (url: string) => (await fetch(url)).status;

describe('a service that is told to stop', () => {
  test('is unready at once, accepts connections while it drains, ends connections with their answers, and ends at once at a second signal', async () => {
    const admin = freePort();
    const service = await serve(await copiedSample(), {
      LEI_ADMIN: `127.0.0.1:${admin}`,
      // Longer than a test may take.
      LEI_DRAIN_SECONDS: '600',
    });
    expect(await statusAt(`http://127.0.0.1:${admin}/readyz`)).toBe(200);
    const before = await service.get(company.path);
    expect(before.headers.get('connection')).not.toBe('close');
    service.kill('SIGTERM');
    const drainsSince = performance.now();
    await until(async () => (await statusAt(`http://127.0.0.1:${admin}/readyz`)) === 503);
    const during = await service.get(company.path);
    expect([during.status, during.headers.get('connection')]).toEqual([200, 'close']);
    expect(await statusAt(`http://127.0.0.1:${admin}/livez`)).toBe(200);
    // npm repeats a signal within 100 ms.
    await until(() => performance.now() - drainsSince > 150);
    service.kill('SIGTERM');
    expect(await service.exited).toBe(143);
  });
});

interface Node {
  readonly port: number;
  readonly admin: number;
  readonly dataDir: string;
}

/** Longer than haproxy takes to notice (2 checks, 200 ms apart). */
const drainSeconds = 4;

function start({ port, admin, dataDir }: Node): Promise<Served> {
  return serve(dataDir, {
    LEI_PORT: String(port),
    LEI_ADMIN: `127.0.0.1:${admin}`,
    LEI_DRAIN_SECONDS: String(drainSeconds),
    LEI_WORKERS: '1',
  });
}

function balancer(nodes: readonly Node[]) {
  return startHaproxyWith(
    (port) => `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend clients
  bind 127.0.0.1:${port}
  default_backend service
backend service
  option httpchk GET /readyz
  http-reuse always
${nodes.map((node, index) => `  server node${index} 127.0.0.1:${node.port} check port ${node.admin} inter 200ms fall 2 rise 1\n`).join('')}
`,
  );
}

test.skipIf(!isInstalled('haproxy'))(
  'two services behind haproxy are restarted one after the other under load without a failed request',
  async () => {
    const nodes = await Promise.all(
      [1, 2].map(async () => ({ port: freePort(), admin: freePort(), dataDir: await copiedSample() })),
    );
    const running = await Promise.all(nodes.map(start));
    const proxy = await balancer(nodes);
    const address = `http://127.0.0.1:${proxy.port}${company.path}`;
    await until(async () => (await statusAt(address)) === 200);
    const load = steadyLoad(address, 4);
    for (const [index, node] of nodes.entries()) {
      running[index]?.kill('SIGTERM');
      const stoppedAt = performance.now();
      expect([await running[index]?.exited, running[index]?.log()]).toEqual([0, '']);
      expect(performance.now() - stoppedAt).toBeGreaterThan(1_000 * drainSeconds);
      running[index] = await start(node);
      await until(async () => (await statusAt(`http://127.0.0.1:${node.admin}/readyz`)) === 200);
      // The balancer sends requests here again before the other one is stopped.
      const before = await answeredBy(node);
      await until(async () => (await answeredBy(node)) > before);
    }
    const faults = await load.stop();
    expect(faults).toEqual([]);
    for (const service of running) service.kill('SIGKILL');
    await proxy.stop();
  },
);

/** How many look-ups a service has answered with 200. */
async function answeredBy({ admin }: Node): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text();
  return Number(
    /^lei_http_requests_total\{operation="getCompanyByLei",status="200"\} (\d+)/m.exec(text)?.[1] ?? 0,
  );
}
