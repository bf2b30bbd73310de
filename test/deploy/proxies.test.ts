/** Tests the examples for haproxy and nginx: the programs check them and then run in front of two services. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { company } from '../http/app-in-memory.ts';
import { makeAuthority, makeCertificate } from '../support/certificates.ts';
import { temporaryFolder } from '../support/folders.ts';
import { isInstalled, pathOf, titled } from '../support/programs.ts';
import { freePort, type RunningProxy, startHaproxyWith, startNginxWith } from '../support/proxies.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { steadyLoad, until } from '../support/steady-load.ts';

const examples = join(import.meta.dir, '..', '..', 'deploy');
const haproxyText = readFileSync(join(examples, 'haproxy', 'haproxy.cfg'), 'utf8');
const nginxText = readFileSync(join(examples, 'nginx', 'lei.conf'), 'utf8');

/** Two services, and the files of TLS. */
interface Setting {
  readonly services: readonly TestService[];
  readonly root: string;
  readonly folder: string;
}

async function prepare(): Promise<Setting> {
  const { folder, root } = await makeCertificateFolder();
  const environment = { LEI_ADMIN: '127.0.0.1:0', LEI_LIMITS: 'enforce', LEI_TRUSTED_PROXIES: '127.0.0.1' };
  const services = [await startTestService({ environment }), await startTestService({ environment })];
  return { services, root, folder };
}

/** The example with the ports and files of this test. Each replacement must find its text. */
function adapted(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((done, [from, to]) => {
    expect(done).toContain(from);
    return done.replaceAll(from, to);
  }, text);
}

function servers({ services }: Setting): Readonly<Record<string, string>> {
  const [one, two] = services;
  const portOf = (address: string | undefined) => String(address).split(':').at(-1) ?? '';
  return {
    '127.0.0.1:3000': `127.0.0.1:${one?.port}`,
    '127.0.0.1:3010': `127.0.0.1:${two?.port}`,
    '3001': portOf(one?.admin),
    '3011': portOf(two?.admin),
  };
}

/** With more frequent checks, so that the test need not wait. */
const haproxyFor = (setting: Setting) => (port: number) =>
  adapted(haproxyText, {
    ...servers(setting),
    ':443 ssl': `127.0.0.1:${port} ssl`,
    '/etc/haproxy/certificate.pem': join(setting.folder, 'certificate.pem'),
    'inter 2s': 'inter 200ms',
  });

const nginxFor = (setting: Setting) => (port: number) =>
  adapted(nginxText, {
    ...servers(setting),
    'listen 443': `listen 127.0.0.1:${port}`,
    '/etc/nginx/lei-chain.pem': join(setting.folder, 'chain.pem'),
    '/etc/nginx/lei-key.pem': join(setting.folder, 'key.pem'),
  });

const kinds = [
  { name: 'haproxy', start: (setting: Setting) => startHaproxyWith(haproxyFor(setting)) },
  { name: 'nginx', start: (setting: Setting) => startNginxWith(nginxFor(setting)) },
] as const;

for (const { name, start } of kinds) {
  describe.skipIf(!isInstalled(name) || !isInstalled('openssl'))(
    titled(`the example for ${name}`, name, 'openssl'),
    () => {
      let setting: Setting;
      let proxy: RunningProxy;
      let url = '';
      beforeAll(async () => {
        setting = await prepare();
        proxy = await start(setting);
        url = `https://127.0.0.1:${proxy.port}`;
        const statusOf = async () =>
          (await fetch(`${url}${company.path}`, { tls: { ca: setting.root } })).status;
        await until(async () => (await statusOf()) === 200);
      });
      afterAll(async () => {
        await proxy?.stop();
        await Promise.all((setting?.services ?? []).map((service) => service.stop()));
      });

      test('passes answers over TLS to the client that asked', async () => {
        const response = await fetch(`${url}${company.path}`, { tls: { ca: setting.root } });
        expect([response.status, response.headers.get('x-ratelimit-limit')]).toEqual([200, '100']);
        const forged = { 'x-forwarded-for': '203.0.113.9' };
        const left = async (headers: Record<string, string>) => {
          const answer = await fetch(`${url}${company.path}`, { headers, tls: { ca: setting.root } });
          return Number(answer.headers.get('x-ratelimit-remaining'));
        };
        // Each service counts alone: of three requests for one client, at least two are counted by the same service.
        const counts = [await left({}), await left(forged), await left(forged)];
        expect(new Set(counts).size).toBeGreaterThan(1);
        expect(Math.min(...counts)).toBeLessThan(99);
      });

      test('loses no request while one of the services stops', async () => {
        const headers = { 'x-forwarded-for': '203.0.113.7' };
        const load = steadyLoad(`${url}/api/v1/status`, 4, { headers, tls: { ca: setting.root } });
        await until(() => load.answered() > 50);
        await setting.services[0]?.stop();
        const before = load.answered();
        await until(() => load.answered() > before + 200);
        expect(await load.stop()).toEqual([]);
      });
    },
  );
}

test.skipIf(!isInstalled('haproxy') || !isInstalled('openssl'))(
  titled('haproxy has nothing to say about its example', 'haproxy', 'openssl'),
  async () => {
    const { folder } = await makeCertificateFolder();
    const path = join(folder, 'haproxy.cfg');
    const certificate = join(folder, 'certificate.pem');
    writeFileSync(path, adapted(haproxyText, { '/etc/haproxy/certificate.pem': certificate }));
    const checked = Bun.spawnSync([pathOf('haproxy'), '-c', '-f', path]);
    expect([checked.exitCode, checked.stderr.toString()]).toEqual([0, '']);
  },
);

test.skipIf(!isInstalled('nginx') || !isInstalled('openssl'))(
  titled('nginx has nothing to say about its example', 'nginx', 'openssl'),
  async () => {
    const { folder } = await makeCertificateFolder();
    const blocks = adapted(nginxText, {
      'listen 443': `listen 127.0.0.1:${freePort()}`,
      '/etc/nginx/lei-chain.pem': join(folder, 'chain.pem'),
      '/etc/nginx/lei-key.pem': join(folder, 'key.pem'),
    });
    const path = join(folder, 'nginx.conf');
    writeFileSync(path, `pid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\n${blocks}}\n`);
    const checked = Bun.spawnSync([pathOf('nginx'), '-e', 'stderr', '-t', '-c', path]);
    const said = checked.stderr.toString().split('\n');
    expect([checked.exitCode, said.filter((line) => /\[(warn|emerg|error)\]/.test(line))]).toEqual([0, []]);
  },
);

/** A folder with the files of TLS that the examples name. */
async function makeCertificateFolder() {
  const authority = await makeAuthority();
  const { chain, key } = await makeCertificate(authority, 'proxy');
  const folder = temporaryFolder('proxy');
  writeFileSync(join(folder, 'certificate.pem'), chain + key);
  writeFileSync(join(folder, 'chain.pem'), chain);
  writeFileSync(join(folder, 'key.pem'), key);
  return { folder, root: authority.root };
}
