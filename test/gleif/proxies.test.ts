/** GLEIF's API on a host of its own: behind real proxies with the lines that docs/gleif-api.md prints. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MadeCertificate, makeAuthority, makeCertificate } from '../support/certificates.ts';
import { temporaryFolder } from '../support/folders.ts';
import { isInstalled, titled } from '../support/programs.ts';
import { startHaproxyWith, startNginxWith } from '../support/proxies.ts';
import { startTestService, type TestService } from '../support/service.ts';

const publicAddress = 'https://gleif.example.org/api/v1';
const page = readFileSync(join(import.meta.dir, '../../docs/gleif-api.md'), 'utf8');

/** The printed lines of a kind, with the addresses and files of this test in place of those of the page. */
function printedLines(kind: string, replaced: Readonly<Record<string, string>>): string {
  const lines = new RegExp(`\`\`\`${kind}\n([^]*?)\`\`\``).exec(page)?.[1];
  if (lines === undefined) throw new Error(`docs/gleif-api.md has no lines for ${kind}.`);
  return Object.entries(replaced).reduce((text, [printed, ours]) => {
    if (!text.includes(printed)) throw new Error(`The lines for ${kind} have no ${printed}.`);
    return text.replaceAll(printed, ours);
  }, lines);
}

let service: TestService;
let root = '';
/** Paths of the certificate, of its key, and of a file with both. */
let files: Readonly<Record<'certificate' | 'key' | 'both', string>>;

beforeAll(async () => {
  service = await startTestService({
    environment: { LEI_GLEIF_BASE_URL: publicAddress },
  });
  if (!isInstalled('openssl')) return;
  const authority = await makeAuthority();
  root = authority.root;
  files = writeCertificate(await makeCertificate(authority, 'one'));
});
afterAll(() => service.stop());

function writeCertificate({ chain, key }: MadeCertificate) {
  const folder = temporaryFolder('gleif-proxies');
  const contents = { certificate: chain, key, both: chain + key };
  for (const [name, text] of Object.entries(contents)) writeFileSync(join(folder, name), text);
  return {
    certificate: join(folder, 'certificate'),
    key: join(folder, 'key'),
    both: join(folder, 'both'),
  };
}

const proxies = [
  {
    name: 'nginx',
    start: () =>
      startNginxWith((port) =>
        printedLines('nginx', {
          'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
          '/etc/ssl/gleif.pem': files.certificate,
          '/etc/ssl/gleif.key': files.key,
          '127.0.0.1:3000': `127.0.0.1:${service.port}`,
        }),
      ),
  },
  {
    name: 'haproxy',
    start: () =>
      startHaproxyWith((port) =>
        printedLines('haproxy', {
          'bind :443': `bind 127.0.0.1:${port}`,
          '/etc/ssl/gleif-with-key.pem': files.both,
          '127.0.0.1:3000': `127.0.0.1:${service.port}`,
        }),
      ),
  },
] as const;

describe.each(proxies)('behind $name', ({ name, start }) => {
  test.if(isInstalled(name) && isInstalled('openssl'))(
    titled("a client finds GLEIF's paths, and each link leads to them", name, 'openssl'),
    async () => {
      const proxy = await start();
      const get = async (address: string) => {
        expect(address).toStartWith(publicAddress);
        const here = address.replace('https://gleif.example.org', `https://127.0.0.1:${proxy.port}`);
        // A starved service may refuse a search that took too long: a client asks again.
        for (;;) {
          const response = await fetch(here, { tls: { ca: root }, redirect: 'error' });
          const body = JSON.parse(await response.text());
          if (response.status !== 503) return { response, body };
        }
      };
      try {
        const query =
          'filter%5Bentity.names%5D=bank+%26+trust&page[size]=1&sort=-registration.lastUpdateDate';
        const list = await get(`${publicAddress}/lei-records?${query}`);
        expect([list.response.status, list.body.data.length]).toEqual([200, 1]);
        const next = await get(list.body.links.next);
        expect(next.body.meta.pagination.currentPage).toBe(2);
        const [record] = list.body.data;
        const self = await get(record.links.self);
        expect(self.body.data.id).toBe(record.id);
        for (const { links } of Object.values<{ links: Record<string, string> }>(record.relationships))
          for (const link of Object.values(links)) {
            const linked = await get(link);
            // The company of the issuer may not be in the sample; its document says so.
            expect([200, 404]).toContain(linked.response.status);
            expect(linked.response.headers.get('content-type')).toBe('application/vnd.api+json');
          }
        const walk = await get(`${publicAddress}/lei-records?page[cursor]=*&page[size]=2`);
        const second = await get(walk.body.links.next);
        expect(second.body.data[0].id).not.toBe(walk.body.data[0].id);
        const none = await get(`${publicAddress}/lei-records/none`);
        expect([none.response.status, none.body.errors[0].title]).toEqual([404, 'Not Found']);
      } finally {
        await proxy.stop();
      }
    },
  );
});
