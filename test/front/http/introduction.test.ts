/** Tests that the first things a newcomer reads, in the README and in the description's introduction, are true. */
import { afterEach, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService | null = null;
afterEach(async () => {
  await service?.stop();
  service = null;
});

async function introduction(environment: Readonly<Record<string, string>>): Promise<string> {
  service = await startTestService({ environment });
  const document: { info: { description: string } } = JSON.parse(
    await (await service.fetch('/openapi.json')).text(),
  );
  return document.info.description;
}

const readme = readFileSync(join(import.meta.dir, '../../../README.md'), 'utf8');

function exampleIn(markdown: string): string {
  const example = /^```js\n(.+?)\n```$/ms.exec(markdown)?.[1];
  if (example === undefined) throw new Error('There is no example.');
  return example;
}

test('the retry example in the README and the description waits as long as Retry-After says', async () => {
  const described = exampleIn(await introduction({ LEI_LIMITS: 'enforce', LEI_BURST_SEARCH: '1' }));
  expect(exampleIn(readme)).toBe(described);
  const waits: number[] = [];
  const soon = (resume: () => void, milliseconds: number) => {
    waits.push(milliseconds);
    resume();
  };
  const ask: (url: string) => Promise<Response> = new Function('setTimeout', `${described}\nreturn ask;`)(
    soon,
  );

  const address = `${service?.baseUrl}/api/v1/search?q=bank`;
  expect((await ask(address)).status).toBe(200);
  expect(waits).toEqual([]);
  const refused = await ask(address);
  expect([refused.status, waits.length]).toEqual([429, 2]);
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  for (const wait of waits) expect(Math.abs(wait - seconds * 1000)).toBeLessThanOrEqual(1000);
});

test('the description explains where to get a key, how to send it, and what each request costs', async () => {
  const text = await introduction({ LEI_LIMITS: 'enforce', LEI_BASE_URL: 'https://lei.example/data' });
  expect(text).toContain('(https://lei.example/data/signup)');
  for (const each of [
    '`Authorization: Bearer lei_live_…`',
    'A 304, 400 or 404 costs one',
    '401, 405, 429, 503, preflights and the status endpoint cost nothing of the day',
    'Without a key, 100 requests a UTC day',
    '`violatedPolicies`',
  ]) {
    expect(text).toContain(each);
  }
});

test('the description does not mention features that are switched off', async () => {
  const text = await introduction({ LEI_SIGNUP: 'off', LEI_COMPRESSION: 'off', LEI_LIMITS: 'shadow' });
  for (const absent of ['/signup', 'zstd', '429. Wait', '```']) expect(text).not.toContain(absent);
  expect(text).toContain('does not refuse');
});

test('the README shows the sample’s real answer to its curl command', async () => {
  const [, path = '', shown = ''] = /^\$ curl 'http:\/\/[^/]+(\/[^']+)'\n(.+)$/m.exec(readme) ?? [];
  service = await startTestService();
  const answer: { meta: { datasetVersion: string } } = JSON.parse(await (await service.fetch(path)).text());
  const { datasetVersion } = answer.meta;
  const expected: { meta: object } = JSON.parse(shown);
  expect<unknown>(answer).toEqual({ ...expected, meta: { ...expected.meta, datasetVersion } });
});
