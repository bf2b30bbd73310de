/** Tests that the first things a newcomer reads, in the README and in the description's introduction, are true. */
import { afterEach, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestService, type TestService } from '../support/service.ts';

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

const readme = readFileSync(join(import.meta.dir, '../../README.md'), 'utf8');

function exampleIn(markdown: string): string {
  const example = /^```js\n(.+?)\n```$/ms.exec(markdown)?.[1];
  if (example === undefined) throw new Error('There is no example.');
  return example;
}

/** The function of the example, and the milliseconds that it would have waited. */
function waiting(example: string) {
  const waits: number[] = [];
  const soon = (resume: () => void, milliseconds: number) => {
    waits.push(milliseconds);
    resume();
  };
  const ask: (url: string) => Promise<Response> = new Function('setTimeout', `${example}\nreturn ask;`)(soon);
  return { ask, waits };
}

test('the retry example in the README and the description waits as long as Retry-After says', async () => {
  const described = exampleIn(await introduction({ LEI_LIMITS: 'enforce', LEI_BURST_SEARCH: '1' }));
  expect(exampleIn(readme)).toBe(described);
  const { ask, waits } = waiting(described);
  const address = `${service?.baseUrl}/api/v1/search?q=bank`;
  expect((await ask(address)).status).toBe(200);
  expect(waits).toEqual([]);
  const refused = await ask(address);
  expect([refused.status, waits.length]).toEqual([429, 2]);
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  // Each wait is that of an earlier answer, so it isn't shorter than the last answer's.
  for (const wait of waits) expect(wait).toBeWithin(seconds * 1000, 61_000);
});

test('the retry example waits for a busy service, and not for what waiting does not mend', async () => {
  const answered = async (...offered: Response[]) => {
    const server = Bun.serve({ port: 0, fetch: () => offered.shift() ?? new Response() });
    const { ask, waits } = waiting(exampleIn(readme));
    const { status } = await ask(server.url.href);
    await server.stop(true);
    return { status, waits };
  };
  const refusal = (status: number, headers: Record<string, string> = {}) =>
    new Response('', { status, headers });
  expect(await answered(refusal(503, { 'Retry-After': '5' }))).toEqual({ status: 200, waits: [5000] });
  expect(await answered(refusal(503))).toEqual({ status: 200, waits: [1000] });
  expect(await answered(refusal(429, { 'Retry-After': '61' }))).toEqual({ status: 429, waits: [] });
  expect(await answered(refusal(404))).toEqual({ status: 404, waits: [] });
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
