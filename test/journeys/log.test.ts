/** Tests what the log says about a service's life, at its usual level. */
import { expect, test } from 'bun:test';
import packageJson from '../../package.json' with { type: 'json' };
import { serve } from '../support/serve.ts';
import { copiedSample } from '../support/service.ts';

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
    expect.objectContaining({ message: 'The service is listening.', url: served.url }),
  );
  expect(lines.at(-1)).toMatchObject({
    message: 'The service has stopped.',
    uptimeSeconds: expect.any(Number),
  });
  expect(text).not.toContain(secret);
  expect(text).not.toContain('hidden');
}, 60_000);
