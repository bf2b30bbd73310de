/** Tests the warnings about renewed certificates that can't be used. */
import { expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPemTexts } from '../../../src/http/certificate.ts';
import { listenersMax } from '../../../src/http/listeners.ts';
import { CertificateFollower } from '../../../src/serve/tls/follow-certificate.ts';
import { CertificateFiles, makeAuthority, makeCertificate } from '../../support/certificates.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { isInstalled } from '../../support/programs.ts';

test('a pipe in place of a certificate is refused at once, and holds up neither a renewal nor a stop', async () => {
  const folder = temporaryFolder('certificate');
  const files = { certificate: join(folder, 'chain.pem'), key: join(folder, 'key.pem') };
  execFileSync('mkfifo', [files.certificate]);
  writeFileSync(files.key, 'key');
  expect(await readPemTexts(files).catch(String)).toContain('LEI_TLS_CERT: ');
  rmSync(files.certificate);
  writeFileSync(files.certificate, 'chain');
  expect(await readPemTexts(files)).toEqual({ chain: 'chain', key: 'key' });
});

test('warns once about files that cannot be used, and again after they were right in between', async () => {
  const folder = temporaryFolder('certificate');
  const files = { certificate: join(folder, 'chain.pem'), key: join(folder, 'key.pem') };
  const restore = () => writeFileSync(files.certificate, 'chain');
  restore();
  writeFileSync(files.key, 'key');
  const warnings: string[] = [];
  const ignore = () => undefined;
  const first = { chain: 'chain', key: 'key', endsAt: 0 };
  const follower = new CertificateFollower(
    {
      config: { tls: files, host: '127.0.0.1', keepAliveSeconds: 75 },
      fronts: { renew: async () => undefined, forgetEarlier: async () => undefined },
      port: 0,
      first,
      log: { info: ignore, warn: (message) => warnings.push(message) },
      opened: ignore,
    },
    files,
    first,
  );
  for (const change of [() => rmSync(files.certificate), ignore, restore, () => rmSync(files.certificate)]) {
    change();
    await follower.look();
  }
  follower.stop();
  expect(warnings).toEqual(
    Array.from({ length: 2 }, () => 'The new certificate is refused; the previous one stays in use.'),
  );
});

test.skipIf(!isInstalled('openssl'))(
  'a flood of renewals waits before it would close a listener that may still have connections',
  async () => {
    const authority = await makeAuthority();
    const [one, two] = await Promise.all(['one', 'two'].map((name) => makeCertificate(authority, name)));
    if (one === undefined || two === undefined) throw new Error('There are no certificates.');
    const files = new CertificateFiles(one);
    const warnings: unknown[] = [];
    const renewed: string[] = [];
    let now = 0;
    const first = { ...one, endsAt: 0 };
    const follower = new CertificateFollower(
      {
        config: { tls: files, host: '127.0.0.1', keepAliveSeconds: 75 },
        fronts: {
          renew: async ({ chain }) => void renewed.push(chain),
          forgetEarlier: async () => undefined,
        },
        port: 0,
        first,
        log: { info: () => undefined, warn: (_, fields) => warnings.push(fields?.['reason']) },
        opened: () => undefined,
        now: () => now,
      },
      files,
      first,
    );
    const renew = async (times: number) => {
      for (let count = 0; count < times; count++) {
        files.replaceBy(follower.current().chain === one.chain ? two : one);
        await follower.look();
      }
    };
    await renew(40);
    expect(renewed).toHaveLength(listenersMax - 1);
    expect(warnings).toEqual([expect.stringContaining('There were 15 renewals within 80 seconds')]);
    now += 80_000;
    await renew(1);
    expect(renewed).toHaveLength(listenersMax);
    follower.stop();
  },
);
