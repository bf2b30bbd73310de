import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { noon, type Opened } from '../../support/open-access.ts';
import { secretPattern } from '../../support/signed-in.ts';
import { until } from '../../support/steady-load.ts';
import { Served } from '../served.ts';

const ada = { email: 'ada@example.com', company: 'Analytical Engines', use: 'Supplier checks' };

/** Proxies on this machine are trusted, so a test can act as many clients. */
const settings = { LEI_TRUSTED_PROXIES: '127.0.0.1', LEI_BASE_URL: 'https://lei.example' };
let served: Served;
let opened: Opened;
let url: string;

function use(started: Served): void {
  served = started;
  opened = started.opened;
  url = `${started.url}/signup`;
}

beforeEach(async () => use(await Served.start(settings)));
afterEach(() => served.stop());

/** Serves the same state with other settings. */
async function restart(others: Readonly<Record<string, string>>): Promise<void> {
  await served.close();
  use(await Served.over(opened, { ...settings, ...others }));
}

async function getForm(): Promise<{ page: string; form: string; response: Response }> {
  const response = await fetch(url);
  const page = await response.text();
  return { page, form: /name="form" value="([^"]+)"/.exec(page)?.[1] ?? '', response };
}

type Headers = Readonly<Record<string, string>>;

/** Sends the form of this page as a browser does, unless the headers say otherwise. */
function post(fields: Readonly<Record<string, string>>, headers: Headers = {}) {
  return postFrom(fields, { Origin: served.origin, ...headers });
}

/** With these headers only. */
function postFrom(fields: Readonly<Record<string, string>>, headers: Headers) {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers });
}

describe('the sign-up page', () => {
  test('stays below the path of LEI_BASE_URL, even on pages without a key', async () => {
    await restart({ LEI_BASE_URL: 'https://lei.example/data' });
    const { page, form } = await getForm();
    expect(page).toContain('action="/data/signup"');
    expect(await (await post({ ...ada, form })).text()).toContain('href="/data/docs"');
    expect(await (await post({ ...ada, form })).text()).toContain('href="/data/signup"');
  });

  test.each(['enforce', 'shadow'])('states the daily quotas if requests are counted (%s)', async (mode) => {
    await restart({ LEI_LIMITS: mode, LEI_ANONYMOUS_DAILY: '7', LEI_ACCOUNT_DAILY: '9000' });
    const { page, form } = await getForm();
    expect(page).toContain('you can make 7 requests a day. A free account can make 9,000,');
    expect(await (await post({ ...ada, form })).text()).toContain('<li>9,000 requests a day (UTC)</li>');
  });

  test('mentions no quota with LEI_LIMITS=off', async () => {
    await restart({ LEI_LIMITS: 'off' });
    const { page, form } = await getForm();
    const made = await (await post({ ...ada, form })).text();
    expect(made).toContain('This service does not limit requests.');
    for (const each of [page, made]) expect(each).not.toMatch(/requests a day|a minute|RateLimit/);
  });

  test('creates an account and shows its first key, which works at once', async () => {
    const { form } = await getForm();
    const response = await post({ ...ada, form });
    const page = await response.text();
    expect(response.status).toBe(200);
    const secret = secretPattern.exec(page)?.[0] ?? '';
    expect(page).toContain(
      `curl -H 'Authorization: Bearer ${secret}' 'https://lei.example/api/v1/search?q=bank'`,
    );
    const [made] = opened.state.accounts.list();
    expect(made?.account).toMatchObject(ada);
    expect(opened.ask({ authorization: `Bearer ${secret}` })).toMatchObject({
      outcome: 'admitted',
      caller: made?.account.id ?? '',
    });
    expect(JSON.stringify(opened.logged)).not.toContain('lei_live_');
  });

  test('does not show the key again when the page is reloaded or the form is sent twice', async () => {
    const { form } = await getForm();
    const answers = await Promise.all([post({ ...ada, form }), post({ ...ada, form })]);
    const pages = await Promise.all(answers.map((answer) => answer.text()));
    expect(pages.filter((page) => secretPattern.test(page))).toHaveLength(1);
    const again = await post({ ...ada, form });
    expect(again.status).toBe(409);
    const page = await again.text();
    expect(page).toContain('This form was sent already');
    expect(page).not.toMatch(secretPattern);
    expect(opened.state.accounts.list()).toHaveLength(1);
  });

  test('creates one account per address, even from another form', async () => {
    await post({ ...ada, form: (await getForm()).form });
    const second = await post({ ...ada, email: 'ADA@example.com', form: (await getForm()).form });
    expect(second.status).toBe(409);
    expect(await second.text()).toContain('This address already has an account');
    expect(opened.state.accounts.list()).toHaveLength(1);
  });

  test('accepts the same form again if it created no account', async () => {
    await post(ada);
    const { form } = await getForm();
    expect((await post({ ...ada, form })).status).toBe(409);
    const other = await post({ ...ada, email: 'bob@example.com', form });
    expect(await other.text()).toMatch(secretPattern);
  });

  test('shows every fault at its field and keeps the typed values, as text', async () => {
    const response = await post({ email: '"><script>', company: '', use: '</textarea><b>&lt;' });
    const page = await response.text();
    expect(response.status).toBe(400);
    expect(page).toContain('<title>Error: Get an API key</title>');
    expect(page).toContain('value="&quot;&gt;&lt;script&gt;"');
    expect(page).toContain('&lt;/textarea&gt;&lt;b&gt;&amp;lt;</textarea>');
    expect(page).toContain('aria-describedby="email-hint email-fault" aria-invalid="true"');
    expect(page).toContain('Enter the company name.');
    expect(page).not.toContain('<script');
    expect(opened.state.accounts.list()).toEqual([]);
  });

  test('can be sent again after a fault, with the returned form', async () => {
    const { form } = await getForm();
    const faulty = await (await post({ ...ada, email: 'ada', form })).text();
    const next = /name="form" value="([^"]+)"/.exec(faulty)?.[1] ?? '';
    expect(next).not.toBe(form);
    expect(await (await post({ ...ada, form: next })).text()).toMatch(secretPattern);
  });

  test('forbids frames, caching, referrers, and foreign scripts and styles, on every answer', async () => {
    const form = await fetch(url);
    for (const answer of [form, await post({ ...ada }), await post({}), await post({ ...ada })]) {
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).toContain("form-action 'self'; base-uri 'none'; frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('referrer-policy')).toBe('same-origin');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('x-frame-options')).toBe('DENY');
      expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(await answer.text()).not.toMatch(/<style|<script>|style="/);
    }
  });

  test('answers HEAD like GET, without the page', async () => {
    const head = await fetch(url, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
  });

  test('repeats the caller’s request id, and lets no script of another site read it', async () => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      const { headers } = await fetch(url, { method, headers: { 'X-Request-Id': 'mine-1' } });
      expect([method, headers.get('x-request-id')]).toEqual([method, 'mine-1']);
      expect([method, headers.get('access-control-allow-origin')]).toEqual([method, null]);
    }
  });

  test('allows no other method', async () => {
    const response = await fetch(url, { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
  });

  test('does not exist with LEI_SIGNUP=off, and the home page does not mention it', async () => {
    expect(await (await fetch(served.url)).text()).toContain('/signup');
    await restart({ LEI_SIGNUP: 'off' });
    expect((await fetch(url)).status).toBe(404);
    expect((await post(ada)).status).toBe(404);
    expect(await (await fetch(served.url)).text()).not.toContain('/signup');
  });
});

describe('abuse of the sign-up page', () => {
  const from = (client: string) => ({ 'X-Forwarded-For': client });
  const someone = (number: number) => ({ ...ada, email: `a${number}@example.com` });

  test('by one client ends at its daily limit, and does not affect others', async () => {
    for (let i = 0; i < 10; i++) {
      expect((await post(someone(i), from('203.0.113.1'))).status).toBe(200);
    }
    const refused = await post(someone(90), from('203.0.113.1'));
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('43200');
    expect((await post(someone(91), from('2001:db8::1'))).status).toBe(200);
    served.now = noon + 12 * 3_600_000;
    expect((await post(someone(92), from('203.0.113.1'))).status).toBe(200);
  });

  test('by a hundred addresses that take all they can leaves sign-ups for everybody else, and is logged', async () => {
    let taken = 0;
    for (let round = 0; round < 12; round++) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          post(someone(round * 100 + i), from(`100.${i}.1.${1 + (i % 9)}`)),
        ),
      );
      taken += answers.filter(({ status }) => status === 200).length;
      await opened.access.tick(served.now);
    }
    expect(taken).toBe(500);
    expect(opened.logged.filter(({ level }) => level === 'warn')).toEqual([
      { level: 'warn', message: expect.stringContaining("Half of today's sign-ups are used") },
    ]);
    expect((await post(someone(9_001), from('203.0.113.1'))).status).toBe(200);
    expect((await post(someone(9_002), from('2001:db8:7::1'))).status).toBe(200);
  });

  test('from one network ends at its limit, whichever of its addresses asks', async () => {
    for (const [prefix, other] of [
      ['203.0.113.', '203.0.114.1'],
      ['2001:db8:1:', '2001:db8:2::1'],
    ]) {
      const addressOf = (i: number) => (prefix?.includes(':') ? `${prefix}${i}::1` : `${prefix}${i}`);
      const statuses: number[] = [];
      for (let i = 1; i <= 31; i++) {
        const email = `${prefix?.length}.${i}@example.com`;
        statuses.push((await post({ ...ada, email }, from(addressOf(i)))).status);
      }
      expect(statuses).toEqual([...Array(30).fill(200), 429]);
      const email = `${prefix?.length}@example.com`;
      expect((await post({ ...ada, email }, from(other ?? ''))).status).toBe(200);
    }
  });

  test('by thousands of clients ends at the total daily limit', async () => {
    const statuses = new Map<number, number>();
    const extra = 500;
    for (let first = 0; first < 1_000 + extra; first += 100) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) => post(someone(first + i), from(`10.${first / 100}.${i}.1`))),
      );
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 200: 1_000, 429: extra });
  });

  test('through a form on another site is refused', async () => {
    for (const site of ['cross-site', 'same-site']) {
      expect((await post(ada, { 'Sec-Fetch-Site': site })).status).toBe(403);
    }
    expect((await post(ada, { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
  });

  test('with a foreign Origin, or without one a foreign Referer, is refused', async () => {
    const foreign = [
      'null',
      'https://evil.example',
      'https://lei.example.evil.example',
      'http://127.0.0.1:1',
      'x',
    ];
    for (const source of foreign) {
      expect([source, (await post(ada, { Origin: source })).status]).toEqual([source, 403]);
      expect([source, (await postFrom(ada, { Referer: source })).status]).toEqual([source, 403]);
    }
    expect((await post(ada, { Origin: 'null', Referer: 'https://lei.example/signup' })).status).toBe(403);
    expect(opened.state.accounts.list()).toEqual([]);
  });

  test('does not include a program whose form has neither Origin nor Referer, unless a browser marks it as foreign', async () => {
    for (const site of ['cross-site', 'same-site']) {
      expect((await postFrom(ada, { 'Sec-Fetch-Site': site })).status).toBe(403);
    }
    expect(opened.state.accounts.list()).toEqual([]);
    expect((await postFrom(ada, {})).status).toBe(200);
    const own = { ...ada, email: 'own@example.com' };
    expect((await postFrom(own, { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
    expect(opened.state.accounts.list()).toHaveLength(2);
  });

  /** Which of these headers belong to a form that is accepted. */
  async function accepted(headers: readonly Headers[]): Promise<readonly Headers[]> {
    const answers = headers.map(async (each, index) => {
      const { status } = await postFrom({ ...ada, email: `ada${index}@example.com` }, each);
      return status === 200 ? [each] : [];
    });
    return (await Promise.all(answers)).flat();
  }

  test('does not include a form with the Origin or Referer of LEI_BASE_URL, and no other is its own then', async () => {
    const own = [{ Origin: 'https://lei.example' }, { Referer: 'https://lei.example/signup' }];
    const others = [{ Origin: new URL(url).origin }, { Referer: url }, { Origin: 'http://lei.example' }];
    expect(await accepted([...own, ...others])).toEqual(own);
  });

  test('does not include the loopback names with the port where LEI_BASE_URL is not set; a rebound name is another site', async () => {
    await restart({ LEI_BASE_URL: '' });
    const { port } = new URL(served.url);
    const own = ['localhost', '127.0.0.1', '[::1]'].map((name) => ({ Origin: `http://${name}:${port}` }));
    const rebound = { Origin: `http://evil.example:${port}`, Host: `evil.example:${port}` };
    const others = [rebound, { Origin: `https://localhost:${port}` }, { Origin: 'http://localhost' }];
    expect(await accepted([...own, ...others])).toEqual(own);
  });

  test('by a client that leaves in the middle of a form creates no account and logs no error', async () => {
    const head = [
      'POST /signup HTTP/1.1',
      'Host: x',
      'Origin: https://lei.example',
      'Content-Type: application/x-www-form-urlencoded',
      'Content-Length: 99',
    ];
    const sender = connect(Number(new URL(url).port), '127.0.0.1');
    sender.write(`${head.join('\r\n')}\r\n\r\n${new URLSearchParams(ada)}`, () => sender.destroy());
    await until(() => served.requestsSeen.some(({ status }) => status === 400));
    expect(opened.state.accounts.list()).toEqual([]);
    expect(opened.logged).toEqual([]);
  });

  test('with bodies that are too long or not a form is refused before they are read', async () => {
    expect((await post({ ...ada, use: 'x'.repeat(20_000) })).status).toBe(413);
    const json = await fetch(url, {
      method: 'POST',
      body: JSON.stringify(ada),
      headers: { 'Content-Type': 'application/json', Origin: served.origin },
    });
    expect(json.status).toBe(415);
    const form = new FormData();
    form.set('email', ada.email);
    const headers = { Origin: served.origin };
    expect((await fetch(url, { method: 'POST', body: form, headers })).status).toBe(415);
    expect((await fetch(url, { method: 'POST', headers })).status).toBe(415);
    expect(opened.state.accounts.list()).toEqual([]);
  });

  test('cannot bring a key into the log through any field', async () => {
    const planted = 'lei_live_planted';
    await post({ email: `${planted}@example.com`, company: planted, use: planted, form: planted });
    expect(JSON.stringify(opened.logged)).not.toContain(planted);
  });

  test('gets 503 without a stack trace when the disk refuses, and the form may be sent again', async () => {
    const create = () => Promise.reject(new Error('secret path on disk'));
    const whole = opened.state;
    opened.state = { ...whole, accounts: { ...whole.accounts, create } };
    await restart({});
    const { form } = await getForm();
    const response = await post({ ...ada, form });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.text()).not.toContain('secret path');
    expect((await post({ ...ada, form })).status).toBe(503);
    opened.state = whole;
  });
});
