/** Tests several fronts in one service: clients see what one front would show them. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { threadTimes } from '../bench/harness/busy-threads.ts';
import { counted, withinMinute } from '../support/counted.ts';
import { temporaryFolder } from '../support/folders.ts';
import { createAccount, leiJson } from '../support/lei-here.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/steady-load.ts';

const fronts = 3;
/** DEUTSCHE BANK AKTIENGESELLSCHAFT. */
const lookUp = '/api/v1/lei/7LTWFZYICNSX8D621K86';
const search = '/api/v1/search?q=bank';

const withKey = (secret: string) => ({ headers: { Authorization: `Bearer ${secret}` } });
/** Each test is another client, by the header that the trusted proxy (this test) sets. */
const from = (client: string, more: Readonly<Record<string, string>> = {}) => ({
  headers: { 'X-Forwarded-For': client, ...more },
});

describe('several fronts', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      environment: {
        LEI_FRONTS: String(fronts),
        LEI_WORKERS: '2',
        LEI_LIMITS: 'enforce',
        LEI_TRUSTED_PROXIES: '127.0.0.1,::1',
        LEI_BURST_LOOKUP: '40',
        LEI_LOG_REQUESTS: 'all',
      },
    });
  });
  afterAll(() => service.stop());

  const statusOf = async (path: string, init: RequestInit) => {
    const response = await service.fetch(path, init);
    await response.arrayBuffer();
    return response.status;
  };
  /** Asks over a connection of its own, so that any front may answer. */
  const anyFront = (path: string, init: RequestInit = {}) =>
    service.fetch(path, { ...init, keepalive: false });

  const origin = () => ({ Origin: service.baseUrl });

  test('allow one key exactly its minute over 256 connections', async () => {
    const outcomes = await withinMinute(async (attempt) => {
      const email = `burst-${attempt}@example.com`;
      const { secret } = await createAccount(service.dataDir, email, '--burst-search', '137');
      return counted(400, 256, () => statusOf(search, withKey(secret)));
    });
    expect(outcomes).toEqual({ 200: 137, 429: 263 });
  });

  test('allow one key exactly its day over 256 connections', async () => {
    const own = ['--daily', '234', '--burst-lookup', '100000'];
    const { secret } = await createAccount(service.dataDir, 'daily@example.com', ...own);
    const outcomes = await counted(500, 256, () => statusOf(lookUp, withKey(secret)));
    expect(outcomes).toEqual({ 200: 234, 429: 500 - 234 });
  });

  test('allow each of many addresses exactly its minute, all at once', async () => {
    const clients = 20;
    const outcomes = await withinMinute((attempt) =>
      counted(clients * 41, 256, (index) => statusOf(lookUp, from(`198.18.${attempt}.${index % clients}`))),
    );
    expect(outcomes).toEqual({ 200: clients * 40, 429: clients });
  });

  test('count bad keys of an address together, and leave its neighbours alone', async () => {
    const guess = { Authorization: 'Bearer lei_live_nonsense' };
    const outcomes = await counted(100, 50, () => statusOf(lookUp, from('203.0.113.4', guess)));
    expect(outcomes).toEqual({ 401: 40, 429: 60 });
    expect(await statusOf(lookUp, from('203.0.113.5'))).toBe(200);
  });

  test('all answer, and with the same tag, dates, policy and body', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const response = await anyFront(lookUp, from(`192.0.2.${index}`));
        const { headers } = response;
        const shown = ['etag', 'last-modified', 'ratelimit-policy', 'cache-control'].map((name) =>
          headers.get(name),
        );
        return {
          shown: JSON.stringify([...shown, await response.text()]),
          front: headers.get('x-request-id')?.split('-')[0],
        };
      }),
    );
    expect(new Set(answers.map(({ shown }) => shown)).size).toBe(1);
    expect(new Set(answers.map(({ front }) => front)).size).toBe(fronts);
  });

  test('report the same rest of a quota, whichever of them is asked', async () => {
    for (let left = 39; left >= 20; left--) {
      const { headers } = await anyFront(lookUp, from('192.0.2.200'));
      expect(headers.get('ratelimit')).toContain(`"lookup";r=${left};`);
    }
  });

  test('read each other’s cursors', async () => {
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let page = 0; page < 20; page++) {
      const after = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const response = await anyFront(`${search}&limit=5${after}`, from('192.0.2.201'));
      const { data, links } = Object(await response.json());
      for (const { lei } of data.items) seen.add(lei);
      cursor = links.next;
    }
    expect(seen.size).toBe(100);
  });

  test('know a key that was made on the sign-up page, and create one account for a form sent twice', async () => {
    const page = await (await anyFront('/signup')).text();
    const form = /name="form" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const fields = { email: 'ada@example.com', company: 'Analytical Engines', use: 'Tests', form };
    const send = () =>
      anyFront('/signup', {
        method: 'POST',
        body: new URLSearchParams(fields),
        ...from('192.0.2.9', origin()),
      });
    const sent = await Promise.all(Array.from({ length: 6 }, send));
    expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    const texts = await Promise.all(sent.map((each) => each.text()));
    const secret = /lei_live_[A-Za-z0-9]{38}/.exec(texts.join(''))?.[0] ?? '';
    const used = await Promise.all(Array.from({ length: 20 }, () => anyFront(lookUp, withKey(secret))));
    expect(new Set(used.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('count the sign-ups of a client together', async () => {
    const signUp = async (number: number) => {
      const fields = { email: `c${number}@example.com`, company: 'C', use: 'Tests' };
      return (
        await anyFront('/signup', {
          method: 'POST',
          body: new URLSearchParams(fields),
          ...from('192.0.2.77', origin()),
        })
      ).status;
    };
    const statuses = await Promise.all(Array.from({ length: 14 }, (_, number) => signUp(number)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
  });

  test('refuse a revoked key as soon as the command has ended', async () => {
    const made = await createAccount(service.dataDir, 'live@example.com');
    const all = async () => {
      const asked = Array.from({ length: 20 }, () => anyFront(lookUp, withKey(made.secret)));
      return new Set((await Promise.all(asked)).map(({ status }) => status));
    };
    expect(await all()).toEqual(new Set([200]));
    await leiJson(service.dataDir, 'keys', 'revoke', made.key.id);
    expect(await all()).toEqual(new Set([401]));
  });

  test('are listed by lei status', async () => {
    const { json } = await leiJson(service.dataDir, 'status');
    expect(json).toMatchObject({ running: true, threads: { fronts, queries: 2 } });
    const response = await service.fetch('/api/v1/status');
    expect(Object(await response.json()).data).not.toHaveProperty('threads');
  });

  test('have thread names, so that the system shows how busy each one is', () => {
    const roles = [...threadTimes(process.pid).values()].map(({ role }) => role);
    const named = (wanted: string) => roles.filter((role) => role === wanted).length;
    // Threads of an earlier service in this process may still be ending.
    expect(named('fronts')).toBeGreaterThanOrEqual(fronts);
    expect(named('query threads')).toBeGreaterThanOrEqual(2);
  });

  test('write complete lines into one log, each request once', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => `logged-${index}`);
    await Promise.all(ids.map((id) => anyFront('/api/v1/status', { headers: { 'X-Request-Id': id } })));
    const logged = async () =>
      (await service.logText())
        .split('\n')
        .filter((line) => line.includes('logged-'))
        .map((line) => String(Object(JSON.parse(line)).requestId));
    await until(async () => (await logged()).length >= ids.length);
    expect((await logged()).toSorted()).toEqual(ids.toSorted());
  });
});

test('a port that another service uses is refused at start, even if that one has several fronts', async () => {
  const one = await startTestService({ environment: { LEI_FRONTS: '2' } });
  try {
    const environment = { LEI_FRONTS: '2', LEI_PORT: String(one.port) };
    await expect(startTestService({ environment })).rejects.toThrow(
      `Port ${one.port} on 127.0.0.1 is in use.`,
    );
  } finally {
    await one.stop();
  }
});

test('in shadow mode several fronts count together and refuse nobody', async () => {
  const service = await startTestService({
    environment: { LEI_FRONTS: '2', LEI_LIMITS: 'shadow', LEI_BURST_LOOKUP: '5' },
  });
  try {
    const asked = Array.from({ length: 30 }, () => service.fetch(lookUp, { keepalive: false }));
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
    const { headers } = await service.fetch(lookUp);
    expect(headers.get('ratelimit')).toContain('"daily";r=69;');
    expect(headers.get('ratelimit')).toContain('"lookup";r=0;');
  } finally {
    await service.stop();
  }
});

test('a request that could not be served is refunded by any front', async () => {
  const environment = { LEI_FRONTS: '2', LEI_LIMITS: 'enforce' };
  const service = await startTestService({ dataDir: temporaryFolder('empty'), environment });
  try {
    const asked = Array.from({ length: 150 }, () => service.fetch(lookUp, { keepalive: false }));
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([503]));
    expect((await service.fetch(lookUp)).headers.get('ratelimit')).toContain('"daily";r=100;');
  } finally {
    await service.stop();
  }
});
