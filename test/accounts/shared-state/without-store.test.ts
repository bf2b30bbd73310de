/** Tests a node that starts, or continues with full limits, while the store is away. */
import { describe, expect, test } from 'bun:test';
import { createServer } from 'node:net';
import { joinSharedLedger, SharedLedger } from '../../../src/accounts/shared-state/ledger/shared-ledger.ts';
import { openSharedState } from '../../../src/accounts/shared-state/open-shared-state.ts';
import { noOwnLimits } from '../../../src/ports/account-directory.ts';
import type { Demand } from '../../../src/ports/ledger.ts';
import { layout } from '../../../src/publication/layout.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { isInstalled, titled } from '../../support/programs.ts';
import { startRedis } from '../../support/redis.ts';
import { until } from '../../support/steady-load.ts';

const noon = new Date('2026-11-21T12:00:00Z');
const who = { email: 'ada@example.com', company: 'Analytical Engines', use: 'Tests' };

const demand = (): Demand => ({
  caller: 'acc_busy',
  policy: { daily: 1_000, lookup: 30, search: 30 },
  window: 'lookup',
  units: 1,
  countsForDay: true,
  refusable: true,
  now: Date.now(),
});

describe.if(isInstalled('redis-server'))(titled('a node without its store', 'redis-server'), () => {
  test('starts with the accounts, secrets and counts that it had; a first start needs the store', async () => {
    const redis = await startRedis();
    const parts = { url: redis.url, down: 'full', node: 'one', version: '1', user: 'service' } as const;
    const mine = { ...parts, layout: layout(temporaryFolder('one')) };
    const before = await openSharedState(mine);
    const made = await before.accounts.create(who, noOwnLimits, noon);
    for (let taken = 0; taken < 10; taken++) await before.ledger.take(demand());
    await before.ledger.save(Date.now());
    await before.close();
    await redis.stop();

    const after = await openSharedState(mine);
    expect(after.accounts.list().map(({ account }) => account)).toEqual([Object(made).account]);
    expect(after.secrets).toEqual(before.secrets);
    expect(after.store?.facts().lost).toContain('ECONNREFUSED');
    let taken = 0;
    while ((await after.ledger.take(demand())).outcome === 'taken') taken++;
    // With LEI_SHARED_DOWN=full the whole limit, less what this node admitted itself.
    expect(taken).toBe(20);
    await after.close();

    const fresh = { ...parts, layout: layout(temporaryFolder('two')) };
    await expect(openSharedState(fresh)).rejects.toThrow('is unavailable');
  });

  test('asks for it once a second, however many threads count', async () => {
    const redis = await startRedis();
    const parts = { url: redis.url, down: 'share', node: 'one', version: '1', user: 'service' } as const;
    const node = await openSharedState({ ...parts, layout: layout(temporaryFolder('one')) });
    const share = node.shareLedger();
    const { store } = share;
    if (store === null) throw new Error('The ledger is not in a store.');
    const fronts = await Promise.all([1, 2, 3].map((thread) => joinSharedLedger(share, store, thread)));
    await redis.stop();
    const asked: number[] = [];
    const counting = createServer((socket) => {
      asked.push(performance.now());
      socket.destroy();
    }).listen(redis.port, '127.0.0.1');
    // At least two of the three seconds between them: a busy machine may delay the first.
    await until(() => asked.length >= 4);
    const [first = 0, , , fourth = 0] = asked;
    expect(fourth - first).toBeGreaterThan(2_000);
    counting.close();
    await redis.start();
    await until(() => node.store?.facts().lost === null);
    for (const front of fronts) {
      expect((await front.take(demand())).outcome).toBe('taken');
      if (front instanceof SharedLedger) await front.close();
    }
    await node.close();
    await redis.stop();
  });

  test('takes over nothing from another installation while it runs, and says so', async () => {
    const [redis, other] = await Promise.all([startRedis(), startRedis()]);
    const parts = { down: 'share', node: 'one', version: '1', user: 'service' } as const;
    const node = await openSharedState({ ...parts, url: redis.url, layout: layout(temporaryFolder('one')) });
    const made = await node.accounts.create(who, noOwnLimits, noon);
    const stranger = await openSharedState({
      ...parts,
      url: other.url,
      layout: layout(temporaryFolder('two')),
    });
    await stranger.close();
    const name = await other.command('GET', 'lei:installation');
    await redis.command('SET', 'lei:installation', String(name));
    const failure = await node.accounts
      .create({ ...who, email: 'bob@example.com' }, noOwnLimits, noon)
      .catch(String);
    expect(failure).toContain('another installation');
    expect(node.accounts.find(who.email)).toEqual(Object(made).account);
    await node.close();
    await Promise.all([redis.stop(), other.stop()]);
  });
});
