/**
 * Tests a service with its own certificate behind haproxy and nginx, which verify it: all connections are encrypted.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { company } from '../http/app-in-memory.ts';
import { CertificateFiles, makeAuthority, makeCertificate } from '../support/certificates.ts';
import { temporaryFolder } from '../support/folders.ts';
import { isInstalled, titled } from '../support/programs.ts';
import { freePort, startHaproxyWith, startNginxWith } from '../support/proxies.ts';
import { serve } from '../support/serve.ts';
import { copiedSample } from '../support/service.ts';
import { steadyLoad, until } from '../support/steady-load.ts';

/** The address of the service, and the file with the root certificate. */
interface Behind {
  readonly port: number;
  readonly admin: number;
  readonly root: string;
}

// The server and check lines are also in docs/watch-the-service.md.
const proxies = [
  {
    name: 'haproxy',
    start: ({ port, admin, root }: Behind) =>
      startHaproxyWith(
        (own) => `defaults
  mode http
  timeout connect 5s
  timeout client 10s
  timeout server 10s
frontend clients
  bind 127.0.0.1:${own}
  default_backend lei
backend lei
  option forwardfor
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host admin
  default-server inter 200ms
  server one 127.0.0.1:${port} ssl verify required ca-file ${root} sni str(localhost) verifyhost localhost check port ${admin} no-check-ssl
`,
      ),
  },
  {
    name: 'nginx',
    start: ({ port, root }: Behind) =>
      startNginxWith(
        (own) => `  upstream lei { server 127.0.0.1:${port}; keepalive 8; }
  server {
    listen 127.0.0.1:${own};
    location / {
      proxy_pass https://lei;
      proxy_ssl_verify on;
      proxy_ssl_trusted_certificate ${root};
      proxy_ssl_server_name on;
      proxy_ssl_name localhost;
      proxy_ssl_verify_depth 2;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $remote_addr;
    }
  }
`,
      ),
  },
] as const;

/** The service, and functions that replace its certificate and what proxies trust. */
async function encryptedService() {
  const authority = await makeAuthority();
  const files = new CertificateFiles(await makeCertificate(authority, 'one'));
  const root = join(temporaryFolder('encrypted'), 'root.pem');
  const admin = freePort();
  const service = await serve(await copiedSample(), {
    ...files.settings,
    LEI_ADMIN: `127.0.0.1:${admin}`,
    LEI_LOG_LEVEL: 'info',
    LEI_LOG_REQUESTS: 'off',
  });
  return {
    service,
    behind: { port: Number(new URL(service.url).port), admin, root },
    async renew(name: string) {
      const renewals = () => service.log().split('A new certificate is in use.').length;
      const before = renewals();
      files.replaceBy(await makeCertificate(authority, name));
      service.kill('SIGHUP');
      await until(() => renewals() > before);
    },
    trust: () => writeFileSync(root, authority.root),
    async distrust() {
      writeFileSync(root, (await makeAuthority()).root);
    },
  };
}

const isTested = proxies.some(({ name }) => isInstalled(name)) && isInstalled('openssl');
let encrypted: Awaited<ReturnType<typeof encryptedService>>;
beforeAll(async () => {
  if (isTested) encrypted = await encryptedService();
});
afterAll(async () => {
  if (!isTested) return;
  encrypted.service.kill('SIGTERM');
  expect(await encrypted.service.exited).toBe(0);
});

for (const { name, start } of proxies) {
  describe.skipIf(!isInstalled(name) || !isInstalled('openssl'))(
    titled(`${name} before a service with a certificate of its own`, name, 'openssl'),
    () => {
      test('checks the certificate, loses no request during its renewal, and refuses one of another authority', async () => {
        const { behind, renew, trust, distrust } = encrypted;
        trust();
        const proxy = await start(behind);
        const url = `http://127.0.0.1:${proxy.port}${company.path}`;
        await until(async () => (await fetch(url)).status === 200);
        const load = steadyLoad(url, 4);
        await until(() => load.answered() > 50);
        await renew(name);
        const answered = load.answered();
        await until(() => load.answered() > answered + 200);
        expect(await load.stop()).toEqual([]);
        await proxy.stop();
        await distrust();
        const careful = await start(behind);
        expect((await fetch(`http://127.0.0.1:${careful.port}${company.path}`)).status).toBeOneOf([502, 503]);
        await careful.stop();
      });
    },
  );
}
