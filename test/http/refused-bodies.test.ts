import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { isInstalled, titled } from '../support/programs.ts';
import { type RunningProxy, startNginx, startNginxWith } from '../support/proxies.ts';
import { sendRaw } from '../support/raw-socket.ts';
import { startTestService, type TestService } from '../support/service.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const requests: readonly (readonly [string, string, Readonly<Record<string, string>>, number])[] = [
  ['POST', '/signup', form, 413],
  ['POST', '/signup', { ...form, Origin: 'http://other.example' }, 403],
  ['POST', '/signup', { 'Content-Type': 'text/plain' }, 415],
  ['PUT', '/account', form, 405],
  ['POST', '/reconcile', form, 400],
  ['POST', '/reconcile', { 'Content-Type': 'text/plain' }, 400],
  ['POST', '/reconcile/suggest/entity', form, 405],
  ['POST', '/api/v1/status', form, 405],
  ['POST', '/api/v1/lei/7LTWFZYICNSX8D621K86', form, 405],
  ['POST', '/nowhere', form, 404],
];

describe('a refused request with a body', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ environment: { LEI_LIMITS: 'off' } });
  });
  afterAll(() => service.stop());

  const buffering = () =>
    startNginxWith(
      (port) => `  upstream service { server 127.0.0.1:${service.port}; keepalive 8; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
`,
    );
  const proxies: Readonly<Record<string, () => Promise<RunningProxy>>> = {
    'reads it first': buffering,
    'passes it on as it arrives': () => startNginx(service.port),
  };

  test.skipIf(!isInstalled('nginx')).each(Object.entries(proxies))(
    titled('gets its status, and no 502, through an nginx that %s', 'nginx'),
    async (_, start) => {
      const nginx = await start();
      for (const [method, path, headers, status] of requests) {
        const init = { method, headers, body: 'a'.repeat(900_000) };
        for (let round = 0; round < 4; round++) {
          const answer = await fetch(`http://127.0.0.1:${nginx.port}${path}`, init);
          await answer.arrayBuffer();
          expect([method, path, answer.status]).toEqual([method, path, status]);
        }
      }
      await nginx.stop();
    },
  );

  test('is answered even if the body never arrives', async () => {
    const answer = await sendRaw(
      service.port,
      'POST /docs HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\na',
    );
    expect(answer).toStartWith('HTTP/1.1 405 ');
  });
});
