import { expect, test } from 'bun:test';
import { startTestService } from '../support/service.ts';
import { SignedIn, secretPattern } from '../support/signed-in.ts';

test('an account works across fronts: sign-up, use, sign-in, another key, exact usage after a restart, revocation', async () => {
  const environment = { LEI_FRONTS: '2', LEI_LIMITS: 'enforce', LEI_BURST_SEARCH: '50' };
  let service = await startTestService({ environment });
  const secretIn = async (answer: Response) => secretPattern.exec(await answer.text())?.[0] ?? '';
  const ask = async (path: string, secret: string) => {
    const headers = { Authorization: `Bearer ${secret}` };
    const answer = await service.fetch(path, { headers, keepalive: false });
    await answer.arrayBuffer();
    return answer.status;
  };
  try {
    const applicant = { email: 'ada@example.com', company: 'Analytical Engines', use: 'Supplier checks' };
    const signedUp = await service.fetch('/signup', { method: 'POST', body: new URLSearchParams(applicant) });
    const first = await secretIn(signedUp);
    const browser = await SignedIn.open({ url: service.baseUrl }, first);
    const form = await browser.form('create-key', { name: 'Nightly import' });
    const [made, again] = await Promise.all([browser.send(form), browser.send(form)]);
    expect([made.status, again.status].sort()).toEqual([200, 409]);
    const second = (await secretIn(made)) || (await secretIn(again));

    const asked = [];
    for (let i = 0; i < 40; i++) asked.push(ask('/api/v1/lei/213800E5Z6QRDSMZMK84', i % 2 ? first : second));
    for (let i = 0; i < 20; i++) asked.push(ask('/api/v1/search?q=bank&limit=1', i % 2 ? first : second));
    asked.push(ask('/ext/v1/companies?lei=213800E5Z6QRDSMZMK84,529900K9B0N5BT694847', first));
    expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
    const used = '<strong>62</strong> of 1,000 requests used today: 42 look-ups, 20 searches.';
    expect(await browser.page()).toContain(used);

    const { dataDir } = service;
    await service.stop();
    service = await startTestService({ environment, dataDir });
    const later = new SignedIn({ url: service.baseUrl });
    later.cookie = browser.cookie;
    expect(await later.page()).toContain(used);

    const text = await (await later.get('/account/data.json')).text();
    const { keys }: { keys: { id: string; name: string | null }[] } = JSON.parse(text);
    const keyOf = (name: string | null) => keys.find((key) => key.name === name)?.id ?? '';
    await later.send(await later.form('revoke-key', { key: keyOf('Nightly import') }));
    expect(
      new Set(await Promise.all(Array.from({ length: 6 }, () => ask('/api/v1/mic/XPAR', second)))),
    ).toEqual(new Set([401]));
    await later.send(await later.form('revoke-key', { key: keyOf(null) }));
    const pages = await Promise.all(Array.from({ length: 6 }, () => later.page()));
    expect(pages.filter((page) => page.includes('Sign in to your account'))).toHaveLength(6);
    expect(await service.logText()).not.toContain('lei_live_');
  } finally {
    await service.stop();
  }
});
