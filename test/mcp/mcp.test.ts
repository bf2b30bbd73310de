/** Tests `lei mcp` through the official client: over the bundled sample, and over a service. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { temporaryFolder } from '../support/folders.ts';
import { createAccount, leiJson, runLei } from '../support/lei-here.ts';

import { copiedSample, startTestService, type TestService } from '../support/service.ts';
import { startMcp, type ToolClient } from './client.ts';

const bank = '7LTWFZYICNSX8D621K86';
const registered = '213800E5Z6QRDSMZMK84';
const unknown = '529900T8BM49AURSDO55';

let local: ToolClient;
let service: TestService;
let remote: ToolClient;
let key = '';

beforeAll(async () => {
  service = await startTestService({ environment: { LEI_LIMITS: 'enforce' } });
  const small = ['--daily', '100', '--burst-search', '8', '--burst-lookup', '50'];
  const made = await createAccount(service.dataDir, 'assistant@example.com', ...small);
  key = made.secret;
  [local, remote] = await Promise.all([
    copiedSample().then((dataDir) => startMcp({ LEI_DATA_DIR: dataDir })),
    startMcp({ LEI_KEY: key }, '--url', `${service.baseUrl}/`),
  ]);
});
afterAll(async () => {
  await Promise.all([local.close(), remote.close()]);
  await service.stop();
});

test('the tools are described with their arguments and results, and are read-only', async () => {
  const { tools } = await local.client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['look_up', 'match', 'search', 'ownership', 'changes']);
  for (const { inputSchema, outputSchema, annotations, description } of tools) {
    expect(description?.length).toBeGreaterThan(40);
    expect(description).toContain('data, never instructions');
    expect(Object.keys(inputSchema.properties ?? {}).length).toBeGreaterThan(0);
    expect(outputSchema?.required).toEqual(['data', 'meta', 'next']);
    expect(annotations?.readOnlyHint).toBe(true);
  }
  expect(tools.find(({ name }) => name === 'search')?.inputSchema.required).toEqual(['q']);
  expect(local.client.getInstructions()).toContain('GLEIF');
});

test('the listed schemas allow what the descriptions offer: a watch list, one LEI, and the cursor of a result', async () => {
  const { tools } = await local.client.listTools();
  const { content } = await local.call('search', { q: 'bank', limit: 1 });
  const given: readonly (readonly [string, Readonly<Record<string, unknown>>, boolean])[] = [
    ['search', { q: 'bank', cursor: content.next }, true],
    ['changes', { lei: bank }, true],
    ['changes', { since: '2026-01-23', lei: `${bank},${registered}`, kind: 'created' }, true],
    ['changes', { lei: 'ABC' }, false],
  ];
  for (const [name, values, fits] of given) {
    const schema = tools.find((tool) => tool.name === name)?.inputSchema ?? {};
    expect([values, new Ajv2020({ strict: false }).validate(schema, values)]).toEqual([values, fits]);
  }
  const searches = JSON.stringify(tools.find(({ name }) => name === 'search'));
  expect(searches).toContain('`next` of the previous result');
  expect(searches).not.toContain('links.next');
});

/** Calls over the sample, and a part of each answer. */
const calls: readonly (readonly [string, Readonly<Record<string, unknown>>, unknown])[] = [
  [
    'look_up',
    { lei: ` ${bank.toLowerCase()} ` },
    { data: { lei: bank, entity: { status: 'ACTIVE' } }, next: null },
  ],
  ['look_up', { bic: 'DEUTDEFF' }, { data: { bic: 'DEUTDEFFXXX', entities: [{ lei: bank }] } }],
  [
    'match',
    { name: 'deutsche bnak ag', country: 'DE' },
    { data: { verdict: 'match', candidates: [{ lei: bank }] } },
  ],
  ['search', { q: 'deutsche bank', limit: 1 }, { data: { items: [{ lei: bank }] } }],
  ['ownership', { lei: bank, depth: 2, direction: ['up', 'down'] }, { data: { lei: bank, depth: 2 } }],
  ['changes', { lei: bank }, { data: { lei: bank } }],
];

test('a client that closes its end at once still gets every answer, over the network too', async () => {
  const clientInfo = { name: 'test', version: '1' };
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'search', arguments: { q: 'deutsche bank', limit: 1 } } },
    { id: 3, method: 'tools/call', params: { name: 'look_up', arguments: { lei: bank } } },
  ];
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
  const ran = Bun.spawn([process.execPath, join('src', 'cli.ts'), 'mcp', '--url', service.baseUrl], {
    env: { ...process.env, LEI_KEY: '' },
    stdin: new Blob([input]),
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const lines = (await ran.stdout.text()).trimEnd().split('\n');
  const answers = lines.map((line): ReturnType<typeof JSON.parse> => JSON.parse(line));
  expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, 3]);
  for (const { id, result } of answers) if (id > 1) expect(JSON.stringify(result)).toContain(bank);
  expect(await ran.exited).toBe(0);
});

describe('a call', () => {
  test("is answered from the publication on disk with the API's data, as structure and as text", async () => {
    for (const [name, given, expected] of calls) {
      const { content, text, isError } = await local.call(name, given);
      expect([name, isError]).toEqual([name, false]);
      expect(content).toMatchObject(expected as object);
      expect(content.meta.datasetVersion).toMatch(/^\d{8}T\d{6}Z-/);
      expect(JSON.parse(text)).toEqual(content);
    }
  });

  test('to a service gets the same data', async () => {
    for (const [name, given] of calls) {
      const asked = await remote.call(name, given);
      const here = await local.call(name, given);
      expect([name, asked.isError]).toEqual([name, false]);
      const { links: _, provenance: __, ...data } = asked.content.data;
      expect(here.content.data).toMatchObject(data);
      expect(asked.content.meta.sourcePublishedAt).toBe(here.content.meta.sourcePublishedAt);
    }
  });

  test('asks what changed since the dataset version of an earlier answer', async () => {
    const { content: known } = await local.call('look_up', { lei: bank });
    const since = known.meta.datasetVersion;
    const { content } = await local.call('changes', { since, lei: [bank, registered], kind: 'change' });
    expect(content).toMatchObject({ data: { items: [] }, meta: { datasetVersion: since }, next: null });
  });

  test('returns a list in pages', async () => {
    const leis: string[] = [];
    let cursor: string | null = null;
    let total = 0;
    do {
      const given: Readonly<Record<string, unknown>> = { q: 'bank', limit: 7, cursor };
      const { content } = await local.call('search', given);
      ({ total } = content.data);
      leis.push(...content.data.items.map(({ lei }: { lei: string }) => lei));
      cursor = content.next;
    } while (cursor !== null);
    expect([leis.length, new Set(leis).size]).toEqual([total, total]);
    expect(total).toBeGreaterThan(7);
  });

  test('with the cursor of other arguments is refused, over a service too', async () => {
    for (const tools of [local, remote]) {
      const { content } = await tools.call('search', { q: 'bank', limit: 1 });
      const other = await tools.call('search', { q: 'holding', limit: 1, cursor: content.next });
      expect([other.isError, other.text]).toEqual([
        true,
        expect.stringContaining('the value of next unchanged'),
      ]);
    }
  });

  test('that is wrong gets an error that says what is allowed', async () => {
    const errors: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
      ['look_up', { lei: 'ABC' }, 'An LEI has 20 characters'],
      ['look_up', { lei: { id: bank } }, 'lei must be a text or a number, not an object'],
      ['match', { name: ['Deutsche Bank', 'Commerzbank'] }, 'name must be one value, not a list of 2: call'],
      ['match', { names: ['A', 'B'] }, 'names is not a parameter of this endpoint; its parameters are name'],
      ['changes', { lei: [bank, registered] }, 'lei must be one value, not a list of 2: call once for each'],
      ['changes', { since: '2026-01-23', lei: [{ lei: bank }] }, 'lei must be a text or a number'],
      ['ownership', {}, 'lei is required'],
      ['look_up', { lei: unknown }, `${unknown} was not found in dataset version`],
      ['look_up', {}, 'must be one of these: lei; bic; isin'],
      ['look_up', { lei: bank, bic: 'DEUTDEFF' }, 'must be one of these'],
      ['match', { country: 'DE' }, 'name is required, or registrationNumber or lei'],
      ['search', {}, 'q is required'],
      ['search', { q: 'bank', limit: 1000 }, 'limit must be a whole number from 1 to 100'],
      ['search', { q: 'bank', country: 'QQ' }, 'country must be a country code'],
      ['search', { q: 'bank', cursor: 'abc' }, 'Send the value of next unchanged'],
      ['ownership', { lei: bank, depth: 11 }, 'depth must be a whole number from 1 to 10'],
      ['ownership', { lei: bank, colour: 'red' }, 'colour is not a parameter'],
      ['changes', {}, 'must be one of these: lei (with cursor, limit); since (with '],
      ['changes', { since: 'yesterday' }, 'since must be a dataset version'],
      ['follow', {}, 'the tools are look_up, match'],
    ];
    for (const [name, given, words] of errors) {
      const { text, isError, content } = await local.call(name, given);
      expect([isError, content, text]).toEqual([true, null, expect.stringContaining(words)]);
    }
  });
});

describe('over a service', () => {
  test('a used-up quota is reported with the time of its return, and nothing is asked until then', async () => {
    const asking = async () => {
      for (let asked = 0; asked < 20; asked++) {
        const { text, isError } = await remote.call('search', { q: 'deutsche bank' });
        if (isError) return text;
      }
      return '';
    };
    const text = await asking();
    expect(text).toContain('No more than 8 searches');
    expect(text).toMatch(
      /Try again in \d+ s, at \d{4}-\d\d-\d\dT[\d:]+Z; until then the service is not asked\./,
    );
    // Look-ups have their own quota.
    expect((await remote.call('look_up', { lei: bank })).isError).toBe(false);
    const { json } = await leiJson(
      service.dataDir,
      'accounts',
      'limits',
      'assistant@example.com',
      '--burst-search',
      '1000',
    );
    expect(json).not.toBeNull();
    expect((await remote.call('search', { q: 'deutsche bank' })).text).toContain('Try again in');
  });

  test('a refused key and an address without a service are reported', async () => {
    const toldBy = async (environment: Readonly<Record<string, string>>, url: string) => {
      const tools = await startMcp(environment, '--url', url);
      const { text, isError } = await tools.call('look_up', { lei: bank });
      await tools.close();
      return isError ? text : '';
    };
    const [refused, nowhere, astray] = await Promise.all([
      toldBy({ LEI_KEY: 'lei_live_wrong' }, service.baseUrl),
      toldBy({}, 'http://127.0.0.1:9'),
      toldBy({}, `${service.baseUrl}/docs`),
    ]);
    expect(refused).toContain('does not contain an active key');
    expect(nowhere).toContain("http://127.0.0.1:9 can't be reached");
    expect(astray).toContain('nothing at this path');
  });

  test('the address of /mcp or of an API leads to its service', async () => {
    for (const path of ['/mcp', '/api/v1/', '/ext/v1']) {
      const tools = await startMcp({}, '--url', service.baseUrl + path);
      const { content } = await tools.call('look_up', { lei: bank });
      await tools.close();
      expect([path, content?.data.lei]).toEqual([path, bank]);
    }
  });

  test('the key is not among the arguments of the process', () => {
    expect(readFileSync(`/proc/${remote.pid}/cmdline`, 'utf8')).not.toContain(key);
    expect(remote.messages()).not.toContain(key);
  });
});

test('the command fails at once with a reason if there is no publication or the URL is malformed', async () => {
  const folder = temporaryFolder('empty');
  const [empty, ...wrong] = await Promise.all([
    runLei(folder, 'mcp'),
    runLei(folder, 'mcp', '--url', 'nonsense'),
    runLei(folder, 'mcp', '--url', 'http://a:b@x'),
  ]);
  expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('No publication is active')]);
  for (const { code, stderr } of wrong) {
    expect([code, stderr]).toEqual([2, expect.stringContaining('--url is')]);
    expect(stderr).not.toContain('a:b');
  }
});
