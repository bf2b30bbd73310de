/** Tests the account page over two nodes with one real Redis server: a browser may reach either of them. */
import { expect, test } from 'bun:test';
import { isInstalled, titled } from '../support/programs.ts';
import { startRedis } from '../support/redis.ts';
import { startTestService } from '../support/service.ts';
import { SignedIn, secretPattern } from '../support/signed-in.ts';
import { until } from '../support/steady-load.ts';

test.skipIf(!isInstalled('redis-server'))(
  titled(
    'who signs in at one node is signed in at the other, until the key is revoked at either',
    'redis-server',
  ),
  async () => {
    const redis = await startRedis();
    const start = (node: string) =>
      startTestService({
        environment: { LEI_SHARED_STATE: redis.url, LEI_NODE: node, LEI_LIMITS: 'enforce' },
      });
    const [one, two] = await Promise.all([start('one'), start('two')]);
    try {
      const applicant = { email: 'ada@example.com', company: 'Analytical Engines', use: 'Supplier checks' };
      const made = await one.fetch('/signup', { method: 'POST', body: new URLSearchParams(applicant) });
      const secret = secretPattern.exec(await made.text())?.[0] ?? '';
      const headers = { Authorization: `Bearer ${secret}` };
      const ask = async ({ fetch }: typeof one, path: string) => (await fetch(path, { headers })).status;
      await until(async () => (await ask(two, '/api/v1/search?q=bank')) === 200);

      const atOne = await SignedIn.open({ url: one.baseUrl }, secret);
      const atTwo = new SignedIn({ url: two.baseUrl });
      atTwo.cookie = atOne.cookie;
      for (const node of [one, two, two])
        expect(await ask(node, '/api/v1/lei/213800E5Z6QRDSMZMK84')).toBe(200);
      for (const browser of [atOne, atTwo]) {
        expect(await browser.page()).toMatch(/ of 1,000 requests used today: 3 look-ups, \d+ searches\./);
      }

      const form = await atOne.form('create-key', { name: 'Nightly import' });
      const answers = await Promise.all([atOne.send(form), atTwo.send(form)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      await until(async () => (await atTwo.page()).includes('Nightly import'));

      const { keys } = JSON.parse(await (await atOne.get('/account/data.json')).text());
      await atTwo.send(await atTwo.form('revoke-key', { key: keys[0].id }));
      expect(await atOne.page()).toContain('Your session has ended');
      await until(async () => (await ask(one, '/api/v1/mic/XPAR')) === 401);
    } finally {
      await Promise.all([one.stop(), two.stop()]);
      await redis.stop();
    }
  },
);
