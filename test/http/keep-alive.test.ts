/** Tests how long idle connections stay open, for a client and through balancers. */
import { afterAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { isInstalled } from '../support/programs.ts';
import { type RunningProxy, startHaproxyWith, startNginxWith } from '../support/proxies.ts';
import { askOn } from '../support/raw-socket.ts';
import { company, found, startInMemory } from './app-in-memory.ts';

/** Sends one request on its own connection and measures how long that stays open. */
async function idleSeconds(port: number): Promise<number> {
  const askedAt = performance.now();
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${company.path} HTTP/1.1\r\nHost: service.test\r\n\r\n`);
  await new Promise((resolve) => socket.once('data', resolve));
  await new Promise((resolve) => socket.once('close', resolve));
  return (performance.now() - askedAt) / 1_000;
}

/** Seconds that an idle connection stays open unless LEI_KEEP_ALIVE_SECONDS says less. */
const keepAliveDefault = 75;

describe('an idle connection', () => {
  const service = startInMemory({ LEI_KEEP_ALIVE_SECONDS: '1' });
  afterAll(() => service.stop());

  test('stays open for at least LEI_KEEP_ALIVE_SECONDS; one that waits for its answer stays longer', async () => {
    const slow = Promise.withResolvers<ReturnType<typeof found>>();
    service.scene.answer = ({ kind }) => (kind === 'company' ? found({}) : slow.promise);
    const waiting = fetch(`${service.baseUrl}${company.path}/changes`);
    // The server looks for idle connections every 4 seconds, so the time of the first answer decides.
    const idle = await Promise.all(
      [0, 1_000, 2_000, 3_000].map(async (delay) => {
        await new Promise((resume) => setTimeout(resume, delay));
        return idleSeconds(service.port);
      }),
    );
    for (const seconds of idle) {
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThan(keepAliveDefault);
    }
    slow.resolve(found([]));
    expect((await waiting).status).toBe(200);
  });
});

describe('a certificate that the server refuses', () => {
  const service = startInMemory();
  afterAll(() => service.stop());

  test('does not make connections end with their next answer', async () => {
    expect(() => service.renew({ chain: 'none', key: 'none' })).toThrow();
    const { status, headers } = await fetch(`${service.baseUrl}${company.path}`);
    expect([status, headers.get('connection') === 'close']).toEqual([200, false]);
  });
});

/** Both keep idle connections for a minute, and do not repeat a request if a connection ends before the answer. */
const balancers = {
  haproxy: (service: number) =>
    startHaproxyWith(
      (port) => `global
  nbthread 1
  # One event after the other: it answers a request before it looks at the connection that ended after it came.
  tune.maxpollevents 1
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  retries 0
frontend clients
  bind 127.0.0.1:${port}
  default_backend service
backend service
  http-reuse always
  server one 127.0.0.1:${service} pool-max-conn 100 pool-purge-delay 60s
`,
    ),
  nginx: (service: number) =>
    startNginxWith(
      (port) => `  upstream service {
    server 127.0.0.1:${service} max_fails=0;
    keepalive 100;
    keepalive_timeout 60s;
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

/**
 * How many of twenty clients get no answer to a request that arrives before the balancer has noticed the end of idle
 * connections. The balancer is stopped from before the request until after that end.
 */
async function lostBehind(proxy: RunningProxy, idleEnd: () => Promise<unknown>): Promise<number> {
  const sockets = Array.from({ length: 20 }, () => connect(proxy.port, '127.0.0.1'));
  const request = `GET ${company.path} HTTP/1.1\r\nHost: service.test\r\n\r\n`;
  const askAll = () => Promise.all(sockets.map((socket) => askOn(socket, request)));
  await askAll();
  proxy.pause();
  const answers = askAll();
  await idleEnd();
  proxy.goOn();
  const lost = (await answers).filter((text) => !text.startsWith('HTTP/1.1 200 '));
  for (const socket of sockets) socket.destroy();
  await proxy.stop();
  return lost.length;
}

describe('behind a balancer that keeps idle connections for a minute', () => {
  const hasty = startInMemory({ LEI_KEEP_ALIVE_SECONDS: '2' });
  const patient = startInMemory();
  afterAll(() => Promise.all([hasty.stop(), patient.stop()]));
  const idleEnd = () => idleSeconds(hasty.port);

  test.skipIf(installed.length === 0)(
    `no request is lost by default, and some are lost if LEI_KEEP_ALIVE_SECONDS is shorter: ${installed.join(', ')}`,
    async () => {
      const lost = installed.map(async (name) => {
        const [byHasty, byPatient] = await Promise.all([
          balancers[name](hasty.port).then((proxy) => lostBehind(proxy, idleEnd)),
          balancers[name](patient.port).then((proxy) => lostBehind(proxy, idleEnd)),
        ]);
        return { name, loses: byHasty > 0, byPatient };
      });
      expect(await Promise.all(lost)).toEqual(installed.map((name) => ({ name, loses: true, byPatient: 0 })));
    },
  );
});
