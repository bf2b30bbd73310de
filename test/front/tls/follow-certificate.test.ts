/** Tests the warnings about renewed certificates that can't be used. */
import { expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { followCertificate } from '../../../src/front/tls/follow-certificate.ts';
import { temporaryFolder } from '../../support/folders.ts';

test('warns once about files that cannot be used, and again after they were right in between', async () => {
  const folder = temporaryFolder('certificate');
  const files = { certificate: join(folder, 'chain.pem'), key: join(folder, 'key.pem') };
  const restore = () => writeFileSync(files.certificate, 'chain');
  restore();
  writeFileSync(files.key, 'key');
  const warnings: string[] = [];
  const ignore = () => undefined;
  const follower = followCertificate({
    files,
    first: { chain: 'chain', key: 'key', endsAt: 0 },
    renew: async () => undefined,
    log: { info: ignore, error: ignore, warn: (message) => warnings.push(message) },
  });
  for (const change of [() => rmSync(files.certificate), ignore, restore, () => rmSync(files.certificate)]) {
    change();
    await follower.look();
  }
  follower.stop();
  expect(warnings).toEqual(
    Array.from({ length: 2 }, () => 'The new certificate is refused; the previous one stays in use.'),
  );
});
