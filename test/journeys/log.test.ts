/** Tests what the log says about a service's life, at its usual level. */
import { expect, test } from 'bun:test';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { cli } from '../support/run-lei.ts';
import { serve } from '../support/serve.ts';
import { copiedSample } from '../support/service.ts';
import { until } from '../support/steady-load.ts';

interface Line {
  readonly level: string;
  readonly message: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

test('begins with the version and the changed settings, without secrets, and ends with the stop', async () => {
  const secret = 'a-secret-of-more-than-32-characters-for-cursors';
  const served = await serve(await copiedSample(), {
    LEI_LOG_LEVEL: 'info',
    LEI_CURSOR_SECRET: secret,
    LEI_MAPPING_URL: 'https://reader:hidden@mirror.example/api',
    LEI_HOST: '127.0.0.1',
  });
  served.kill('SIGTERM');
  expect(await served.exited).toBe(0);
  const text = await served.stderr;
  const lines: Line[] = text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  const settings = lines[0]?.settings ?? {};
  expect(lines[0]).toMatchObject({
    level: 'info',
    message: 'The service is starting.',
    version: packageJson.version,
  });
  expect(settings).toMatchObject({
    LEI_CURSOR_SECRET: 'set',
    LEI_LIMITS: 'off',
    LEI_MAPPING_URL: 'https://…@mirror.example/api',
  });
  // Equal to their defaults.
  expect(Object.keys(settings)).not.toContain('LEI_HOST');
  expect(Object.keys(settings)).not.toContain('LEI_LOG_LEVEL');
  expect(lines).toContainEqual(
    expect.objectContaining({ message: expect.stringMatching(/^Listening on /), url: served.url }),
  );
  expect(lines.at(-1)).toMatchObject({
    message: 'The service has stopped.',
    uptimeSeconds: expect.any(Number),
  });
  expect(text).not.toContain(secret);
  expect(text).not.toContain('hidden');
});

test('is JSON in every line, also where standard output goes to the same place, and names identifiers, not texts', async () => {
  const dataDir = await copiedSample();
  const path = join(dataDir, 'log');
  const descriptor = openSync(path, 'a');
  const running = Bun.spawn([process.execPath, cli, 'serve'], {
    env: {
      ...process.env,
      LEI_DATA_DIR: dataDir,
      LEI_PORT: '0',
      LEI_FRONTS: '1',
      LEI_WORKERS: '1',
      LEI_LOG_REQUESTS: 'all',
      // Each is a warning.
      LEI_KEEP_PUBLICATIONS: '1',
      LEI_NOTHING: '1',
    },
    stdin: 'ignore',
    stdout: descriptor,
    stderr: descriptor,
  });
  const lines = (): Line[] =>
    readFileSync(path, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const url = () => lines().find(({ message }) => message.startsWith('Listening on '))?.['url'];
  await until(() => url() !== undefined);
  const lei = '7LTWFZYICNSX8D621K86';
  const paths = [
    `/api/v1/lei/${lei.toLowerCase()}`,
    `/company/${lei}`,
    '/api/v1/search?q=hidden',
    '/api/v1/lei/hidden',
  ];
  for (const asked of paths) await fetch(`${url()}${asked}`);
  running.kill('SIGTERM');
  expect(await running.exited).toBe(0);
  const requests = lines().filter(({ message }) => message === 'request');
  expect(requests.map(({ identifier }) => identifier)).toEqual([lei, lei, null, null]);
  expect(lines().filter(({ level }) => level === 'warn')).toHaveLength(2);
  expect(readFileSync(path, 'utf8')).not.toContain('hidden');
});
