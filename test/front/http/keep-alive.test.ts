/** How long idle connections stay open, seen by a client and through the balancers in front. */
import { afterAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { isInstalled } from '../../support/programs.ts';
import { type RunningProxy, startHaproxyWith, startNginxWith } from '../../support/proxies.ts';
import { company, found, startInMemory } from './app-in-memory.ts';

/** Asks once on a connection of its own and tells how long the connection stays open after the answer. */
async function idleSeconds(port: number): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${company.path} HTTP/1.1\r\nHost: service.test\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  const answeredAt = performance.now();
  await new Promise((resolve) => socket.once('close', resolve));
  return (performance.now() - answeredAt) / 1_000;
}

describe('an idle connection', () => {
  const service = startInMemory({ LEI_KEEP_ALIVE_SECONDS: '1' });
  afterAll(() => service.stop());

  test('stays open for LEI_KEEP_ALIVE_SECONDS at least; one that waits for its answer stays longer', async () => {
    const slow = Promise.withResolvers<ReturnType<typeof found>>();
    service.scene.answer = ({ kind }) => (kind === 'company' ? found({}) : slow.promise);
    const waiting = fetch(`${service.baseUrl}${company.path}/changes`);
    // The server looks for idle connections every 4 seconds, so the moment of the first answer decides.
    const idle = await Promise.all(
      [0, 1_000, 2_000, 3_000].map(async (delay) => {
        await new Promise((resume) => setTimeout(resume, delay));
        return idleSeconds(service.port);
      }),
    );
    for (const seconds of idle) {
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThan(10);
    }
    slow.resolve(found([]));
    expect((await waiting).status).toBe(200);
  }, 30_000);
});

/** How long the balancers of this test keep an idle connection to the service, and the service its own. */
const balancerSeconds = 3;
const serviceSeconds = 4;

const balancers = {
  haproxy: (service: number) =>
    startHaproxyWith(
      (port) => `global
  tune.idle-pool.shared on
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend clients
  bind 127.0.0.1:${port}
  default_backend service
backend service
  http-reuse always
  server one 127.0.0.1:${service} pool-max-conn 100 pool-purge-delay ${balancerSeconds}s
`,
    ),
  nginx: (service: number) =>
    startNginxWith(
      (port) => `  upstream service {
    server 127.0.0.1:${service} max_fails=0;
    keepalive 100;
    keepalive_timeout ${balancerSeconds}s;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_next_upstream off;
    }
  }
`,
    ),
} as const satisfies Record<string, (service: number) => Promise<RunningProxy>>;

const installed = (['haproxy', 'nginx'] as const).filter(isInstalled);

describe('behind a balancer', () => {
  const service = startInMemory({ LEI_KEEP_ALIVE_SECONDS: String(serviceSeconds) });
  afterAll(() => service.stop());

  /** The statuses of a client whose requests come from half a second before the edge to half a second behind it. */
  async function client(ask: () => Promise<number>, share: number): Promise<readonly number[]> {
    const statuses = [await ask()];
    for (let round = 0; round < 2; round++) {
      await new Promise((resume) => setTimeout(resume, (balancerSeconds - 0.5 + share) * 1_000));
      statuses.push(await ask());
    }
    return statuses;
  }

  test.skipIf(installed.length === 0)(
    `no request is lost whose connection was idle for about as long as the balancer keeps it: ${installed.join(', ')}`,
    async () => {
      const faults = installed.map(async (name) => {
        const proxy = await balancers[name](service.port);
        const ask = async () => (await fetch(`http://127.0.0.1:${proxy.port}${company.path}`)).status;
        const clients = Array.from({ length: 60 }, (_, index) => client(ask, index / 60));
        const statuses = (await Promise.all(clients)).flat();
        await proxy.stop();
        return statuses.filter((status) => status !== 200);
      });
      expect((await Promise.all(faults)).flat()).toEqual([]);
    },
    30_000,
  );
});
