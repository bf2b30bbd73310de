/** Tests who may use the reconciliation service, and what it costs: keys, tokens in the address, quotas. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { newSecret } from '../../src/accounts/state/key.ts';
import { createAccount, leiJson, runLei } from '../support/lei-here.ts';
import { askOn } from '../support/raw-socket.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { askOf, form, left } from './asking.ts';

const bank = '7LTWFZYICNSX8D621K86';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    environment: {
      LEI_LIMITS: 'enforce',
      LEI_TRUSTED_PROXIES: '127.0.0.1',
      LEI_LOG_LEVEL: 'debug',
      LEI_LOG_REQUESTS: 'all',
    },
  });
});
afterAll(() => service.stop());

let clients = 0;
/** The headers of a new client. */
function newClient() {
  return { 'X-Forwarded-For': `203.0.113.${++clients}` };
}

function queries(count: number) {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`q${n}`, { query: 'deutsche bank' }]));
}

interface Made {
  readonly account: string;
  readonly key: string;
  readonly token: string;
  readonly tokenId: string;
}

async function account(email: string, ...limits: readonly string[]): Promise<Made> {
  const made = await createAccount(service.dataDir, email, ...limits);
  const { json } = await leiJson(service.dataDir, 'keys', 'create', email, '--reconcile');
  const { key, secret } = tokenOf(json);
  return { account: made.account.id, key: made.secret, token: secret, tokenId: key.id };
}

function tokenOf(json: unknown): { readonly key: { readonly id: string }; readonly secret: string } {
  if (json === null || typeof json !== 'object') throw new Error('No token was made.');
  return JSON.parse(JSON.stringify(json));
}

describe('a request', () => {
  test('costs one search per query, one look-up per company, and one search for any other answer', async () => {
    const headers = newClient();
    const post = (fields: Readonly<Record<string, unknown>>, shape: 'results' | 'extension') =>
      askOf(service, shape, '/reconcile', form(fields, headers));
    expect(left(await post({ queries: queries(7) }, 'results'))).toBe(53);
    const extend = { ids: [bank, bank, 'none'], properties: [{ id: 'country' }] };
    expect(left(await post({ extend }, 'extension'))).toBe(297);
    const get = (path: string, shape: 'suggestions' | 'flyout') => askOf(service, shape, path, { headers });
    expect(left(await get('/reconcile/suggest/entity?prefix=deu', 'suggestions'))).toBe(52);
    expect(left(await get('/reconcile/suggest/property?prefix=c', 'suggestions'))).toBe(51);
    expect(left(await get(`/reconcile/flyout/entity?id=${bank}`, 'flyout'))).toBe(50);
    const preview = await service.fetch(`/reconcile/preview?id=${bank}`, { headers });
    expect(preview.headers.get('ratelimit')).toContain('"search";r=49');
    expect(left(await post({ queries: [] }, 'results'))).toBe(48);
  });

  test('for the manifest or for proposals costs nothing', async () => {
    const headers = newClient();
    const asked = await askOf(service, 'manifest', '/reconcile', { headers });
    expect([asked.status, left(asked)]).toEqual([200, null]);
    expect(
      left(await askOf(service, 'proposal', '/reconcile/properties?type=LegalEntity', { headers })),
    ).toBeNull();
    const after = await askOf(service, 'results', '/reconcile', form({ queries: queries(1) }, headers));
    expect(left(after)).toBe(59);
  });

  test('for the manifest says the limits of the account whose token is in the address', async () => {
    const limitsAt = async (path: string) => (await askOf(service, 'manifest', path)).body;
    const { token } = await account('manifest@example.com', '--burst-search', '20', '--daily', '7');
    expect(await limitsAt(`/reconcile/${token}`)).toMatchObject({
      batchSize: 7,
      limits: { searchesPerMinute: 20, lookUpsPerMinute: 300, unitsPerDay: { withoutKey: 100, account: 7 } },
    });
    expect(await limitsAt('/reconcile')).toMatchObject({
      batchSize: 50,
      limits: {
        searchesPerMinute: 60,
        lookUpsPerMinute: 300,
        unitsPerDay: { withoutKey: 100, account: 1000 },
      },
    });
  });

  test('that would exceed a limit is refused as a whole, and the answer says when to come back', async () => {
    const headers = newClient();
    const ask = (count: number) =>
      askOf(service, 'results', '/reconcile', form({ queries: queries(count) }, headers));
    expect((await ask(50)).status).toBe(200);
    const refused = await ask(11);
    expect([refused.status, refused.body.violatedPolicies]).toEqual([429, ['search']]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.body.detail).toContain('/signup');
    expect(left(await ask(10))).toBe(0);
  });

  test('larger than a caller’s quota gets a 400 that costs one and names the largest batch', async () => {
    const { token } = await account('small@example.com', '--burst-search', '5');
    const path = `/reconcile/${token}`;
    const { status, body } = await askOf(service, 'results', path, form({ queries: queries(6) }));
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          parameter: 'queries',
          detail: 'must hold at most 5 values, the maximum that your limits allow; it holds 6',
        },
      ],
    ]);
    expect(left(await askOf(service, 'results', path, form({ queries: queries(4) })))).toBe(0);
  });
});

describe('a token', () => {
  test('in the address opens the service at every address of the manifest, and shares its account’s quota', async () => {
    const { key, token } = await account('ada@example.com');
    expect(token).toMatch(/^lei_reconcile_[A-Za-z0-9]{38}$/);
    const { body, headers } = await askOf(service, 'manifest', `/reconcile/${token}`);
    expect(headers.get('cache-control')).toBe('private, no-cache');
    const base = `${service.baseUrl}/reconcile/${token}`;
    expect(body.suggest.entity.service_url).toBe(base);
    expect(body.preview.url).toBe(`${base}/preview?id={{id}}`);
    const query = form({ queries: queries(2) });
    expect(left(await askOf(service, 'results', `/reconcile/${token}`, query))).toBe(58);
    const suggested = `/reconcile/${token}/suggest/entity?prefix=deu`;
    expect(left(await askOf(service, 'suggestions', suggested))).toBe(57);
    const withKey = form({ queries: queries(2) }, { Authorization: `Bearer ${key}` });
    expect(left(await askOf(service, 'results', '/reconcile', withKey))).toBe(55);
    const preview = await service.fetch(`/reconcile/${token}/preview?id=${bank}`);
    expect([preview.status, preview.headers.get('referrer-policy')]).toEqual([200, 'no-referrer']);
  });

  test('does not excuse an Authorization header without an active key; with one, its own account pays', async () => {
    const { token } = await account('both@example.com');
    const { key } = await account('other@example.com');
    for (const header of ['Bearer nonsense', `Bearer ${newSecret()}`, `Bearer ${token}`, 'Basic YTpi']) {
      const headers = { ...newClient(), Authorization: header };
      const { status, body } = await askOf(service, 'manifest', `/reconcile/${token}`, { headers });
      expect([header, status, body.detail]).toEqual([header, 401, expect.stringContaining('Send only one')]);
    }
    const withKey = form({ queries: queries(2) }, { Authorization: `Bearer ${key}` });
    expect(left(await askOf(service, 'results', `/reconcile/${token}`, withKey))).toBe(58);
    expect(left(await askOf(service, 'results', '/reconcile', withKey))).toBe(58);
  });

  test('is not a key: elsewhere it gets 401 with the place where it belongs', async () => {
    const { token } = await account('bob@example.com');
    const headers = { ...newClient(), Authorization: `Bearer ${token}` };
    for (const path of [`/api/v1/lei/${bank}`, '/ext/v1/suggest?q=deutsche', '/reconcile']) {
      const { status, body } = await askOf(service, 'manifest', path, { headers });
      expect([status, body.detail]).toEqual([401, expect.stringContaining('/reconcile/lei_reconcile_…')]);
    }
    // Nor is it logged once the service has seen it in an address.
    const bare = { ...newClient(), Authorization: token };
    await askOf(service, 'results', `/reconcile/${token}`, form({ queries: queries(1) }));
    expect((await service.fetch(`/api/v1/lei/${bank}`, { headers: bare })).status).toBe(401);
  });

  test('that is unknown or mistyped, or a key in its place, gets 401, even for the manifest', async () => {
    const { key, token } = await account('eve@example.com');
    const mistyped = token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a');
    for (const secret of [newSecret('reconcile'), mistyped, key, 'x', '%20']) {
      const headers = newClient();
      const { status, body, ...asked } = await askOf(service, 'manifest', `/reconcile/${secret}`, {
        headers,
      });
      expect([status, body.detail]).toEqual([401, expect.stringContaining('not an active token')]);
      expect(asked.headers.get('www-authenticate')).toContain('invalid_token');
      expect(JSON.stringify(body)).not.toContain(secret.slice(0, 30).padEnd(30, 'x'));
    }
  });

  test('is refused once it is revoked, and while its account is suspended', async () => {
    const { account: id, token, tokenId } = await account('zoe@example.com');
    const status = async () => (await service.fetch(`/reconcile/${token}`, { headers: newClient() })).status;
    expect(await status()).toBe(200);
    await leiJson(service.dataDir, 'accounts', 'suspend', id);
    expect(await status()).toBe(401);
    await leiJson(service.dataDir, 'accounts', 'resume', id);
    expect(await status()).toBe(200);
    const wrong = await leiJson(service.dataDir, 'keys', 'revoke', token);
    expect(JSON.stringify(wrong.json)).toContain('Give its id');
    await leiJson(service.dataDir, 'keys', 'revoke', tokenId);
    expect(await status()).toBe(401);
  });

  test('is recognisable by its prefix in lists, is shown once, and never appears in the log', async () => {
    const { stdout } = await runLei(service.dataDir, 'keys', 'create', 'ada@example.com', '--reconcile');
    const token = /lei_reconcile_[A-Za-z0-9]{38}/.exec(stdout)?.[0] ?? '';
    expect(stdout).toContain(`/reconcile/${token}`);
    const headers = { ...newClient(), 'X-Request-Id': token };
    await service.fetch(`/reconcile/${token}`, { headers });
    await service.fetch(`/reconcile/${token}/nothing`, { headers });
    await service.fetch(`/reconcile/${token.slice(0, -1)}`, { headers });
    await service.fetch(`/reconcile/${token}`, form({ queries: queries(1) }, headers));
    const list = await runLei(service.dataDir, 'keys', 'list');
    expect(list.stdout).toContain(token.slice(0, 18));
    const log = await service.logText();
    expect(log).toContain('"operation":"reconcile"');
    for (const text of [log, list.stdout]) expect(text).not.toContain(token.slice(0, 19));
  });
});

test('a caller with a bad token is refused before the body arrives', async () => {
  const socket = connect(service.port, '127.0.0.1');
  const type = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100000';
  const answer = await askOn(socket, `POST /reconcile/wrong HTTP/1.1\r\nHost: x\r\n${type}\r\n\r\nqueries=`);
  expect(answer).toContain('not an active token');
  socket.destroy();
});
