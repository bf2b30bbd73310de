/** Tests HTTPS by the service itself: a real chain, what clients may use, and renewal without a lost request. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { reasonOf } from '../../../src/errors.ts';
import { company } from '../../http/app-in-memory.ts';
import {
  CertificateFiles,
  type MadeCertificate,
  makeAuthority,
  makeCertificate,
  shownName,
  type TestAuthority,
} from '../../support/certificates.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { isInstalled, pathOf } from '../../support/programs.ts';
import { sampleOf } from '../../support/promtool.ts';
import { freePort } from '../../support/proxies.ts';
import { askOn, parseAnswer } from '../../support/raw-socket.ts';
import { type Served, serve } from '../../support/serve.ts';
import { copiedSample, startTestService } from '../../support/service.ts';
import { steadyLoad, until } from '../../support/steady-load.ts';

const canRun = isInstalled('openssl');

describe.skipIf(!canRun).each(['1', '2'])('a service with a certificate and %s front threads', (fronts) => {
  let authority: TestAuthority;
  let certificates: readonly MadeCertificate[];
  let files: CertificateFiles;
  let service: Served;
  const admin = freePort();
  beforeAll(async () => {
    authority = await makeAuthority();
    certificates = await Promise.all(['one', 'two', 'three'].map((name) => makeCertificate(authority, name)));
    files = new CertificateFiles(at(0));
    service = await serve(await copiedSample(), {
      ...files.settings,
      LEI_FRONTS: fronts,
      LEI_ADMIN: `127.0.0.1:${admin}`,
      LEI_LOG_LEVEL: 'info',
      LEI_LOG_REQUESTS: 'off',
    });
  });
  afterAll(async () => {
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
  });
  const at = (index: number): MadeCertificate => {
    const made = certificates[index];
    if (made === undefined) throw new Error('There is no such certificate.');
    return made;
  };
  const port = () => Number(new URL(service.url).port);
  const trusting = () => ({ tls: { ca: authority.root } });

  /** The common name of the certificate that a new connection sees. */
  const shown = () => shownName(port(), authority);

  async function sClient(...args: readonly string[]): Promise<string> {
    const running = Bun.spawn([pathOf('openssl'), 's_client', '-connect', `127.0.0.1:${port()}`, ...args], {
      stdin: new Blob([]),
      stdout: 'pipe',
      stderr: 'pipe',
    });
    return (await running.stdout.text()) + (await running.stderr.text());
  }

  test('answers at an https address whose certificate chain leads to a trusted root', async () => {
    expect(service.url).toStartWith('https://127.0.0.1:');
    const response = await service.get('/api/v1/lei/123', trusting());
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ type: `${service.url}/problems/invalid-identifier` });
    await expect(service.get(company.path)).rejects.toThrow(/certificate/);
    const said = await sClient(
      '-CAfile',
      join(authority.folder, 'root.pem'),
      '-verify_return_error',
      '-showcerts',
    );
    expect(said).toContain('Verify return code: 0 (ok)');
    expect(said.match(/-----BEGIN CERTIFICATE-----/g)).toHaveLength(2);
  });

  test('speaks TLS 1.2 and 1.3, nothing older', async () => {
    const outcome = async (version: string) =>
      /^New, (\S+), Cipher is (?!\(NONE\))/m.exec(
        await sClient(version, '-cipher', 'ALL:@SECLEVEL=0'),
      )?.[1] ?? 'refused';
    expect(await Promise.all(['-tls1', '-tls1_1', '-tls1_2', '-tls1_3'].map(outcome))).toEqual([
      'refused',
      'refused',
      'TLSv1.2',
      'TLSv1.3',
    ]);
  });

  test('accepts no cipher without forward secrecy and authenticated encryption', async () => {
    const weak = ['AES128-SHA', 'AES256-GCM-SHA384', 'ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384'];
    for (const cipher of weak) {
      const said = await sClient('-tls1_2', '-cipher', `${cipher}:@SECLEVEL=0`);
      expect([cipher, said.includes('Cipher is (NONE)')]).toEqual([cipher, true]);
    }
    expect(await sClient('-tls1_2', '-cipher', 'ECDHE-ECDSA-AES128-GCM-SHA256')).toContain(
      'Cipher is ECDHE-ECDSA-AES128-GCM-SHA256',
    );
  });

  test('serves every address and method over https as over http', async () => {
    const asked = [
      ['GET', '/', 200],
      ['GET', '/docs', 200],
      ['GET', '/openapi.json', 200],
      ['GET', '/ext/openapi.json', 200],
      ['GET', '/.well-known/api-catalog', 200],
      ['GET', '/robots.txt', 200],
      ['GET', '/problems/not-found', 200],
      ['GET', '/account', 200],
      ['GET', '/reconcile', 200],
      ['GET', '/reconcile/suggest/property?prefix=c', 200],
      ['HEAD', '/reconcile', 200],
      ['PUT', '/reconcile', 405],
      ['HEAD', company.path, 200],
      ['POST', company.path, 405],
      ['DELETE', '/api/v1/status', 405],
      ['PATCH', `/ext/v1/lei/${company.lei}/as-of/2026-01-31`, 405],
      ['OPTIONS', company.path, 204],
      ['GET', '/api/v1/nothing', 404],
    ] as const;
    for (const [method, path, status] of asked) {
      const response = await service.get(path, { ...trusting(), method });
      expect([method, path, response.status]).toEqual([method, path, status]);
      await response.arrayBuffer();
    }
    const preflight = await service.get(company.path, { ...trusting(), method: 'OPTIONS' });
    expect(preflight.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    for (const path of [company.path, '/docs', '/nowhere', '/'])
      expect((await service.get(path, trusting())).headers.get('strict-transport-security')).toBe(
        'max-age=31536000',
      );
  });

  test('answers nothing to plain HTTP', async () => {
    await expect(fetch(`http://127.0.0.1:${port()}/api/v1/status`)).rejects.toThrow();
  });

  test('renews its certificate under load, by itself and at SIGHUP, without a failed request', async () => {
    expect(await shown()).toBe('one');
    const address = `${service.url}${company.path}`;
    const renewals = () => service.log().split('A new certificate is in use.').length - 1;
    const kept = steadyLoad(address, 2, trusting());
    // One connection per request: these reach the listeners while they change.
    const fresh = steadyLoad(address, 2, { ...trusting(), headers: { Connection: 'close' } });
    files.replaceBy(at(1));
    await until(() => renewals() === 1);
    expect(await shown()).toBe('two');
    files.replaceBy(at(2));
    service.kill('SIGHUP');
    await until(() => renewals() === 2);
    expect(await shown()).toBe('three');
    const answered = fresh.answered();
    await until(() => fresh.answered() > answered + 40);
    expect([await kept.stop(), await fresh.stop()]).toEqual([[], []]);
    const names = await Promise.all(Array.from({ length: 20 }, shown));
    expect(new Set(names)).toEqual(new Set(['three']));
    const text = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text();
    const endsAt = sampleOf(text, 'lei_certificate_end_timestamp_seconds') ?? 0;
    expect(endsAt * 1_000 - Date.now()).toBeWithin(3_600_000, 86_400_000);
  });

  test('refuses files that do not match with a warning, continues, and accepts the next that do', async () => {
    const before = await shown();
    files.replaceBy({ chain: at(0).chain, key: at(1).key });
    service.kill('SIGHUP');
    await until(() => service.log().includes('does not belong to the first certificate'));
    expect(await shown()).toBe(before);
    files.replaceBy({ chain: 'nothing', key: at(1).key });
    service.kill('SIGHUP');
    await until(() => service.log().includes('holds no certificate in PEM form'));
    expect(await shown()).toBe(before);
    files.replaceBy(await makeCertificate(authority, 'unused curve', 'secp224r1'));
    service.kill('SIGHUP');
    await until(() => service.log().includes("HTTPS can't use the key"));
    expect(await shown()).toBe(before);
    expect((await service.get(company.path, trusting())).headers.get('connection')).not.toBe('close');
    files.replaceByPipe();
    service.kill('SIGHUP');
    await until(() => service.log().includes('is not a regular file'));
    expect(await shown()).toBe(before);
    expect((await service.get(company.path, trusting())).status).toBe(200);
    files.replaceBy(at(0));
    service.kill('SIGHUP');
    await until(async () => (await shown()) === 'one');
    const warnings = service
      .log()
      .split('\n')
      .filter((line) => line.includes('"level":"warn"'));
    expect(warnings).toHaveLength(4);
    // The service ends (afterAll) with a pipe in place of its certificate.
    files.replaceByPipe();
    service.kill('SIGHUP');
  });
});

describe.skipIf(!canRun).each(['1', '2'])('a stop with a certificate and %s front threads', (fronts) => {
  const start = async () => {
    const authority = await makeAuthority();
    const { settings } = new CertificateFiles(await makeCertificate(authority, 'one'));
    const service = await startTestService({ environment: { ...settings, LEI_FRONTS: fronts } });
    const { port } = service;
    const connected = (options: { readonly allowHalfOpen?: boolean } = {}) =>
      new Promise<TLSSocket>((resolve, reject) => {
        const socket = connect({ ...options, port, host: '127.0.0.1', ca: authority.root }, () =>
          resolve(socket),
        );
        socket.once('error', reject);
      });
    return { service, connected };
  };

  test('does not wait for idle connections, whether they have sent a request or not', async () => {
    const { service, connected } = await start();
    const silent = await connected();
    // It does not close its side when the service does.
    const asked = await connected({ allowHalfOpen: true });
    const answer = await askOn(asked, `GET ${company.path} HTTP/1.1\r\nHost: service.test\r\n\r\n`);
    expect(parseAnswer(answer).status).toBe(200);
    await service.stop();
    // A stop that gives up after ten seconds warns of it.
    expect(await service.logText()).not.toContain('"level":"warn"');
    for (const socket of [silent, asked]) socket.destroy();
  });

  test('waits for a request whose body arrives slowly, and sends its whole answer', async () => {
    const { service, connected } = await start();
    const socket = await connected();
    const body = new URLSearchParams({ queries: '{"one":{"query":"deutsche bank"}}' }).toString();
    const head = [
      'POST /reconcile HTTP/1.1',
      'Host: service.test',
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
    ];
    const answer = askOn(socket, `${head.join('\r\n')}\r\n\r\n${body.slice(0, 9)}`);
    const stopped = service.stop();
    await until(() =>
      connected().then(
        (another) => {
          another.destroy();
          return false;
        },
        () => true,
      ),
    );
    // Longer than the stop waits for the next request.
    const closedAt = performance.now();
    await until(() => performance.now() - closedAt > 2_000);
    socket.write(body.slice(9));
    const { status, body: results } = parseAnswer(await answer);
    expect([status, JSON.parse(results)]).toEqual([200, { one: { result: expect.any(Array) } }]);
    await stopped;
    expect(await service.logText()).not.toContain('"level":"warn"');
  });
});

describe.skipIf(!canRun)('a start', () => {
  test('is refused with a message that names the faulty file', async () => {
    const authority = await makeAuthority();
    const [one, two] = await Promise.all(['one', 'two'].map((name) => makeCertificate(authority, name)));
    if (one === undefined || two === undefined) throw new Error('There are no certificates.');
    const refusal = async (settings: Record<string, string>) => {
      const starting = startTestService({ dataDir: temporaryFolder('data'), environment: settings });
      return starting.then(() => 'It has started.', reasonOf);
    };
    const unfit = new CertificateFiles({ ...one, key: two.key });
    expect(await refusal(unfit.settings)).toContain(
      `The key in ${unfit.key} (LEI_TLS_KEY) does not belong to the first certificate in ${unfit.certificate} (LEI_TLS_CERT).`,
    );
    const { key, certificate } = new CertificateFiles(one);
    expect(await refusal({ LEI_TLS_CERT: key, LEI_TLS_KEY: key })).toContain(
      `${key} holds no certificate in PEM form`,
    );
    expect(await refusal({ LEI_TLS_CERT: certificate, LEI_TLS_KEY: certificate })).toContain(
      `${certificate} holds no private key in PEM form`,
    );
    const odd = new CertificateFiles(await makeCertificate(authority, 'odd', 'secp224r1'));
    expect(await refusal(odd.settings)).toContain(`HTTPS can't use the key in ${odd.key} (LEI_TLS_KEY)`);
    expect(await refusal({ LEI_TLS_CERT: '/nowhere.pem', LEI_TLS_KEY: key })).toContain(
      "LEI_TLS_CERT: /nowhere.pem can't be read (ENOENT).",
    );
    expect(await refusal({ LEI_TLS_CERT: certificate })).toContain(
      'LEI_TLS_CERT is set but LEI_TLS_KEY is not',
    );
  });
});
