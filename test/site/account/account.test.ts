import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { stateLimits } from '../../../src/accounts/state/limits.ts';
import { layout } from '../../../src/publication/layout.ts';
import { SignedIn } from '../../support/signed-in.ts';
import { Served } from '../served.ts';

const secretPattern = /lei_(live|reconcile)_[A-Za-z0-9]{38}/;
const hour = 3_600_000;

let served: Served;
let account: Awaited<ReturnType<Served['account']>>;

beforeEach(async () => {
  served = await Served.start();
  account = await served.account();
});
afterEach(() => served.stop());

/** Starts again with other settings. */
async function serveWith(settings: Readonly<Record<string, string>>): Promise<void> {
  await served.stop();
  served = await Served.start(settings);
  account = await served.account();
}

const keysOf = () => served.opened.state.accounts.withKeys(account.id)?.keys.map(({ key }) => key) ?? [];

describe('signing in', () => {
  test('gives the browser a random session for an hour, in a cookie hidden from scripts and other sites', async () => {
    const browser = new SignedIn(served);
    const answer = await browser.signIn(account.secret);
    const { id } = browser;
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/account');
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^lei_session=[A-Za-z0-9_-]{43}; Path=\/account; Max-Age=3600; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    const page = await browser.page();
    expect(page).toContain('ada@example.com');
    expect(page).not.toMatch(secretPattern);
    served.now += hour - 1;
    expect(await browser.page()).toContain('Your account');
    served.now += 1;
    expect(await browser.page()).toContain('Your session has ended');
    const stored = Buffer.from(await Bun.file(join(layout(served.opened.folder).state, 'data.mdb')).bytes());
    expect([stored.includes(account.keyId), stored.includes(id)]).toEqual([true, false]);
  });

  test('over HTTPS sets a cookie that is sent over HTTPS only, below the path of LEI_BASE_URL', async () => {
    await serveWith({ LEI_BASE_URL: 'https://lei.example/data' });
    const browser = new SignedIn(served);
    const answer = await browser.signIn(account.secret);
    expect(answer.headers.get('location')).toBe('/data/account');
    expect(answer.headers.getSetCookie()[0]).toMatch(/; Path=\/data\/account; .*; SameSite=Strict; Secure$/);
    expect(await browser.page()).toContain('action="/data/account"');
  });

  test('ends the offer to sign up on the pages of accounts, which alone know of it, and no answer varies by it', async () => {
    const browser = await SignedIn.open(served, account.secret);
    const isOffered = async (path: string) => {
      const answer = await browser.get(path);
      expect([path, answer.headers.get('vary')]).toEqual([path, 'Accept-Encoding']);
      return (await answer.text()).includes('<a href="/signup">Sign up</a>');
    };
    expect([await isOffered('/account'), await isOffered('/docs'), await isOffered('/')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('refuses an inactive or unknown key with 401, and never shows it again', async () => {
    await served.opened.state.accounts.suspend(account.id, new Date(served.now));
    served.opened.access.refresh();
    for (const typed of ['', 'nonsense', account.secret, `${account.secret}x`, 'x'.repeat(5_000)]) {
      const answer = await new SignedIn(served).signIn(typed);
      expect(answer.status).toBe(401);
      expect(answer.headers.getSetCookie()).toEqual([]);
      const page = await answer.text();
      expect(page).toContain('This is not an active key');
      if (typed !== '') expect(page).not.toContain(typed);
    }
  });

  test('counts guesses apart from the quotas of the API, and refuses further ones for the rest of the minute', async () => {
    await serveWith({ LEI_BURST_SEARCH: '5', LEI_TRUSTED_PROXIES: '127.0.0.1' });
    const guess = (from: string) => new SignedIn(served, from).signIn('lei_live_guess');
    for (let i = 0; i < 5; i++) expect((await guess('198.51.100.1')).status).toBe(401);
    served.now += 20_000;
    const refused = await guess('198.51.100.1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40']);
    const asked = { peer: '198.51.100.1', window: 'search', now: served.now } as const;
    expect(served.opened.ask(asked)).toMatchObject({ outcome: 'admitted', quota: { burstLeft: 4 } });
    for (let i = 0; i < 4; i++) served.opened.ask(asked);
    expect(served.opened.ask(asked).outcome).toBe('exhausted');
    for (let i = 0; i < 5; i++) served.opened.ask({ ...asked, peer: '198.51.100.2' });
    // Neither another client nor the holder of a key is affected.
    expect((await guess('198.51.100.2')).status).toBe(401);
    expect((await new SignedIn(served, '198.51.100.1').signIn(account.secret)).status).toBe(303);
    served.now += 40_000;
    expect((await guess('198.51.100.1')).status).toBe(401);
  });

  test('says how long to wait by the clock that counts, which may be ahead of a late request', async () => {
    await serveWith({ LEI_BURST_SEARCH: '1' });
    await new SignedIn(served).signIn('lei_live_guess');
    served.now -= 400;
    const refused = await new SignedIn(served).signIn('lei_live_guess');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  });

  test('counts a guess when its form is there, however long that takes', async () => {
    await serveWith({ LEI_BURST_SEARCH: '1' });
    await new SignedIn(served).signIn('lei_live_guess');
    const { access } = served.opened;
    const { admitPage } = access;
    access.admitPage = (visit) => {
      const admission = admitPage(visit);
      served.now += 20_000;
      return admission;
    };
    const refused = await new SignedIn(served).signIn('lei_live_guess');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40']);
  });

  test('counts, like every visit with a session, as a page visit of the client’s minute', async () => {
    await serveWith({ LEI_PAGES_BURST: '4' });
    const browser = await SignedIn.open(served, account.secret);
    for (let visit = 1; visit < 4; visit++) expect((await browser.get('/account')).status).toBe(200);
    expect((await browser.get('/account')).status).toBe(429);
    expect((await new SignedIn(served).signIn(account.secret)).status).toBe(429);
    expect((await new SignedIn(served).get('/account')).status).toBe(200);
    served.now += 60_000;
    expect((await browser.get('/account')).status).toBe(200);
  });

  test('never adopts a session that the browser brings along, and ends the one it had', async () => {
    const browser = new SignedIn(served);
    browser.cookie = `lei_session=${'A'.repeat(43)}`;
    await browser.signIn(account.secret);
    const first = browser.id;
    expect(first).not.toBe('A'.repeat(43));
    await browser.signIn(account.secret);
    expect(browser.id).not.toBe(first);
    const thief = new SignedIn(served);
    thief.cookie = `lei_session=${first}`;
    expect(await thief.page()).toContain('Sign in to your account');
  });

  test('fails with two cookies of one name, since another site may have set one', async () => {
    const browser = await SignedIn.open(served, account.secret);
    browser.cookie = `lei_session=${'A'.repeat(43)}; ${browser.cookie}`;
    expect(await browser.page()).toContain('Sign in to your account');
  });

  test('ends by signing out, on every page that the browser still shows', async () => {
    const browser = await SignedIn.open(served, account.secret);
    const stale = await browser.form('create-key');
    const answer = await browser.send(await browser.form('sign-out'));
    expect(answer.headers.get('location')).toBe('/account?done=signed-out');
    expect(answer.headers.getSetCookie()[0]).toStartWith('lei_session=; Path=/account; Max-Age=0;');
    const { status } = await browser.send(stale);
    expect([status, keysOf().length]).toEqual([401, 1]);
  });

  test.each(['by the page', 'by a command beside the service'])(
    'ends for everyone with the cookie once the key is revoked %s',
    async (how) => {
      const [owner, thief] = [await SignedIn.open(served, account.secret), new SignedIn(served)];
      const stolen = owner.cookie;
      thief.cookie = stolen;
      const form = await thief.form('create-key');
      if (how === 'by the page') await owner.send(await owner.form('revoke-key', { key: account.keyId }));
      else await served.opened.state.accounts.revokeKey(account.keyId, new Date(served.now));
      expect(await thief.page()).toContain('Your session has ended');
      // With the cookie of the ended session, and without any.
      for (const cookie of [stolen, '']) {
        for (const ask of [
          (browser: SignedIn) => browser.send(form),
          (browser: SignedIn) => browser.get('/account/data.json'),
        ]) {
          const browser = new SignedIn(served);
          browser.cookie = cookie;
          const { status, headers } = await ask(browser);
          expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="lei"']);
        }
      }
      expect(keysOf()).toHaveLength(1);
    },
  );

  test('survives a restart of the service', async () => {
    const browser = await SignedIn.open(served, account.secret);
    await served.opened.reopen();
    const again = await Served.over(served.opened);
    const later = new SignedIn(again);
    later.cookie = browser.cookie;
    expect(await later.page()).toContain('ada@example.com');
    await again.close();
  });
});

describe('a key', () => {
  test('that is made on the page is shown once: not after a reload, nor a second click, nor on another page', async () => {
    const browser = await SignedIn.open(served, account.secret);
    const form = await browser.form('create-key', { name: ' Nightly\timport ' });
    const answers = await Promise.all([browser.send(form), browser.send(form)]);
    const pages = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const shown = pages.filter((page) => secretPattern.test(page));
    expect(shown).toHaveLength(1);
    const secret = secretPattern.exec(shown[0] ?? '')?.[0] ?? '';
    expect((await browser.send(form)).status).toBe(409);
    expect(keysOf().map(({ name }) => name)).toEqual([null, 'Nightly import']);
    expect(served.opened.ask({ authorization: `Bearer ${secret}`, now: served.now }).outcome).toBe(
      'admitted',
    );
    expect(await browser.page()).not.toContain(secret);
    expect(await (await browser.get('/account/data.json')).text()).not.toContain(secret);
    expect(JSON.stringify(served.opened.logged)).not.toContain(secret);
  });

  test('can be named and revoked, and is refused at once', async () => {
    const browser = await SignedIn.open(served, account.secret);
    await browser.send(await browser.form('create-key'));
    const [, further] = keysOf();
    const named = await browser.send(
      await browser.form('name-key', { key: further?.id ?? '', name: '<b>&"' }),
    );
    expect(named.headers.get('location')).toBe('/account?done=key-named');
    expect(await browser.page()).toContain('<h3>&lt;b&gt;&amp;&quot;</h3>');
    await browser.send(await browser.form('revoke-key', { key: further?.id ?? '' }));
    expect(keysOf()[1]?.revokedAt).not.toBeNull();
    const page = await browser.page('?done=key-revoked');
    expect(page).toContain('The key is revoked.');
    expect(page).toContain('Revoked keys (1)');
  });

  test('for OpenRefine is shown once as the address to add, and cannot sign in', async () => {
    const browser = await SignedIn.open(served, account.secret);
    const form = await browser.form('create-key', { kind: 'reconcile', name: 'Refine' });
    const page = await (await browser.send(form)).text();
    const token = secretPattern.exec(page)?.[0] ?? '';
    expect(token).toStartWith('lei_reconcile_');
    expect(page).toContain(`${served.url}/reconcile/${token}`);
    expect(await browser.page()).toContain('lei_reconcile_');
    expect(await browser.page()).not.toContain(token);
    expect((await new SignedIn(served).signIn(token)).status).toBe(401);
    const odd = await browser.form('create-key', { kind: 'root' });
    expect((await browser.send(odd)).status).toBe(400);
  });

  test('of another account can be neither named nor revoked', async () => {
    const other = await served.account('bob@example.com');
    const browser = await SignedIn.open(served, account.secret);
    for (const action of ['name-key', 'revoke-key']) {
      const form = await browser.form('create-key');
      const answer = await browser.send({ ...form, action, key: other.keyId, name: 'mine' });
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('has no such key')]);
    }
    const [key] = served.opened.state.accounts.withKeys(other.id)?.keys ?? [];
    expect(key?.key).toMatchObject({ name: null, revokedAt: null });
  });

  test('beyond the most that an account may have is not made', async () => {
    for (let i = 1; i < stateLimits.activeKeysPerAccountMax; i++) {
      await served.opened.state.accounts.createKey(account.id, new Date(served.now));
    }
    const browser = await SignedIn.open(served, account.secret);
    const page = await browser.page();
    expect(page).toContain('10 active keys, which is the maximum');
    const form = await browser.form('name-key', { key: account.keyId });
    expect((await browser.send({ ...form, action: 'create-key' })).status).toBe(409);
    expect(keysOf()).toHaveLength(stateLimits.activeKeysPerAccountMax);
  });

  test.each([
    ['x'.repeat(61), '61 characters; at most 60'],
    ['a\u202eb', 'contains an invisible or a control character'],
  ])('cannot be called %j', async (name, told) => {
    const browser = await SignedIn.open(served, account.secret);
    const answer = await browser.send(await browser.form('create-key', { name }));
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(told)]);
    expect(keysOf()).toHaveLength(1);
  });
});

describe('a change', () => {
  const forged = async (headers: Readonly<Record<string, string>>) => {
    const browser = await SignedIn.open(served, account.secret);
    const answer = await browser.send(await browser.form('create-key'), headers);
    return [answer.status, keysOf().length];
  };

  test.each([
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ])('is refused from another site, even with the cookie and the form: %p', async (headers) => {
    expect(await forged(headers)).toEqual([403, 1]);
  });

  test('is refused without a form of the session, or with one of another session', async () => {
    const browser = await SignedIn.open(served, account.secret);
    const other = await SignedIn.open(served, account.secret);
    const foreign = await other.form('create-key');
    const own = await browser.form('create-key');
    for (const form of [
      '',
      'x',
      `${own['form']}x`,
      `${'A'.repeat(22)}.${'A'.repeat(22)}`,
      foreign['form'] ?? '',
    ]) {
      expect((await browser.send({ ...own, form })).status).toBe(403);
    }
    expect((await browser.send(own)).status).toBe(200);
    expect(keysOf()).toHaveLength(2);
  });

  test('is refused without a session', async () => {
    const form = await (await SignedIn.open(served, account.secret)).form('delete-account', {
      confirm: 'yes',
    });
    const answer = await new SignedIn(served).send(form);
    expect([answer.status, keysOf().length]).toEqual([401, 1]);
  });

  test('that is unknown is refused, as is a form that is too long or of another type', async () => {
    const browser = await SignedIn.open(served, account.secret);
    const form = await browser.form('create-key');
    expect((await browser.send({ ...form, action: 'rule-the-world' })).status).toBe(400);
    expect((await browser.send({ ...form, name: 'x'.repeat(20_000) })).status).toBe(413);
    const json = await browser.fetch('/account', {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(json.status).toBe(415);
  });

  test('is made by POST to /account only', async () => {
    const browser = await SignedIn.open(served, account.secret);
    const form = new URLSearchParams(await browser.form('create-key'));
    expect((await browser.get(`/account?${form}`)).status).toBe(200);
    expect((await browser.fetch('/account/data.json', { method: 'POST', body: form })).status).toBe(405);
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const answer = await browser.fetch('/account', { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
    }
    expect(keysOf()).toHaveLength(1);
  });
});

describe('every answer', () => {
  test('is never cached, not readable by other sites, not framed, and runs only our scripts', async () => {
    const browser = new SignedIn(served);
    const answers = [await browser.get('/account'), await browser.signIn('nonsense')];
    await browser.signIn(account.secret);
    answers.push(await browser.get('/account'), await browser.get('/account/data.json'));
    answers.push(await browser.send(await browser.form('create-key')), await browser.send({ action: 'x' }));
    for (const { headers } of answers) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('access-control-allow-origin')).toBeNull();
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('content-security-policy')).toContain("form-action 'self'");
      expect(headers.get('content-security-policy')).not.toContain('unsafe');
    }
  });

  test('to HEAD equals the one to GET, without a body', async () => {
    const browser = await SignedIn.open(served, account.secret);
    const answer = await browser.fetch('/account', { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });
});

describe('usage', () => {
  test('of today and of 30 days is shown by kind, as a chart and a table', async () => {
    await served.use(account.id);
    const page = await (await SignedIn.open(served, account.secret)).page();
    expect(page).toContain('<strong>275</strong> of 1,000 requests used today: 210 look-ups, 65 searches.');
    expect(page).toContain('<tr><th scope="row">21 Nov 2026</th><td>210</td><td>65</td><td>275</td></tr>');
    expect(page.match(/<th scope="row">/g)).toHaveLength(30);
    expect(page.match(/<g><title>/g)).toHaveLength(30);
    expect(page).toMatch(
      /role="img" aria-label="Usage of the last 30 days by kind\. Highest on 17 Nov 2026: 400 look-ups, 125 searches/,
    );
    expect(page).not.toContain('style=');
  });

  test('shows the limits of this account', async () => {
    await served.opened.state.accounts.setLimits(account.id, {
      daily: 123_456,
      burstLookup: null,
      burstSearch: 7,
    });
    served.opened.access.refresh();
    const page = await (await SignedIn.open(served, account.secret)).page();
    expect(page).toContain('<dt>Requests a day, over all keys</dt><dd>123,456</dd>');
    expect(page).toContain('<dt>Searches in 60 seconds</dt><dd>7</dd>');
    expect(page).toContain('<strong>0</strong> of 123,456 requests used today');
  });

  test('is neither counted nor limited with LEI_LIMITS=off, while guesses are still refused', async () => {
    await serveWith({ LEI_LIMITS: 'off' });
    for (let i = 0; i < 100; i++) expect((await new SignedIn(served).signIn('guess')).status).toBe(401);
    const page = await (await SignedIn.open(served, account.secret)).page();
    expect(page).toContain('This service does not count requests.');
    expect(page).toContain('This service does not limit requests.');
    expect(page).not.toContain('<svg');
  });
});

describe('the account', () => {
  test('can be downloaded completely, without a secret or a digest', async () => {
    await served.use(account.id);
    const browser = await SignedIn.open(served, account.secret);
    const answer = await browser.get('/account/data.json');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="lei-account.json"');
    const text = await answer.text();
    const [stored] = served.opened.state.accounts.list();
    expect(JSON.parse(text)).toMatchObject({
      account: { id: account.id, email: 'ada@example.com', company: 'Analytical Engines', use: 'Tests' },
      limits: { daily: 1_000, lookupsPerMinute: 300, searchesPerMinute: 60 },
      keys: [{ id: account.keyId, name: null, revokedAt: null }],
      usage: expect.arrayContaining([{ date: '2026-11-21', lookups: 210, searches: 65 }]),
    });
    expect(text).not.toContain(stored?.keys[0]?.digest ?? 'no digest');
    expect(text).not.toMatch(secretPattern);
  });

  test('is deleted for good once its holder has confirmed it', async () => {
    const browser = await SignedIn.open(served, account.secret);
    expect((await browser.send(await browser.form('delete-account'))).status).toBe(400);
    expect(keysOf()).toHaveLength(1);
    const answer = await browser.send(await browser.form('delete-account', { confirm: 'yes' }));
    expect(answer.headers.get('location')).toBe('/account?done=account-deleted');
    expect(served.opened.state.accounts.list()).toEqual([]);
    expect(served.opened.ask({ authorization: account.header, now: served.now }).outcome).toBe(
      'unauthorized',
    );
    expect(await browser.page('?done=account-deleted')).toContain('Your account and its keys are deleted.');
    expect((await new SignedIn(served).signIn(account.secret)).status).toBe(401);
  });

  test('sends those without a key to the sign-up, or with LEI_SIGNUP=off to the operator', async () => {
    expect(await new SignedIn(served).page()).toContain('<a href="/signup">Get one</a>');
    await serveWith({ LEI_SIGNUP: 'off', LEI_CONTACT: 'ops@example.com' });
    const page = await new SignedIn(served).page();
    expect(page).not.toContain('/signup');
    expect(page).toContain(
      'Ask <a href="mailto:ops@example.com">the operator of this service</a> for an account',
    );
    expect((await new SignedIn(served).signIn(account.secret)).status).toBe(303);
  });
});
