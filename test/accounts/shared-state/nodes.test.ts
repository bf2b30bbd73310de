/** Tests how the nodes of a fleet know each other through a real Redis server. */
import { afterAll, beforeAll, describe, expect, setSystemTime, test } from 'bun:test';
import { Connection } from '../../../src/accounts/shared-state/connection.ts';
import { NodeCount, presence } from '../../../src/accounts/shared-state/nodes.ts';
import { openSharedState } from '../../../src/accounts/shared-state/open-shared-state.ts';
import { layout } from '../../../src/publication/layout.ts';
import { watchStore } from '../../../src/serve/store-watch.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { leiHere } from '../../support/lei-here.ts';
import { isInstalled, titled } from '../../support/programs.ts';
import { type RedisServer, startRedis } from '../../support/redis.ts';
import { until } from '../../support/steady-load.ts';

test('a node counts more nodes at once, and fewer only after a whole burst window', () => {
  const count = new NodeCount(1);
  const seen = (...beats: readonly (readonly [number, number])[]) =>
    beats.map(([present, second]) => count.see(present, second * 1_000));
  expect(seen([3, 0], [1, 1], [2, 30], [1, 60], [1, 61])).toEqual([3, 3, 3, 3, 2]);
  // The wait begins again once all are there.
  expect(seen([2, 62], [1, 63], [2, 100], [1, 101], [1, 160], [1, 161])).toEqual([2, 2, 2, 2, 2, 1]);
});

const [idA, idB] = ['20240504T000000Z-0000000a', '20240505T000000Z-0000000b'];

describe.if(isInstalled('redis-server'))(titled('the nodes of a fleet', 'redis-server'), () => {
  let redis: RedisServer;
  const opened: Connection[] = [];
  const open = async (name: string, url = redis.url) => {
    const store = new Connection({ url, deadlineMs: 20_000 });
    opened.push(store);
    await store.start();
    return presence(store, name, '1.2.3');
  };

  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    for (const store of opened) store.close();
    await redis.stop();
  });

  test('report what they serve, what they are ready for, and when they reported', async () => {
    const fleet = await open('watcher');
    expect(await fleet.nodes()).toEqual([]);
    const one = await open('one');
    const two = await open('two');
    await one.report({ active: idA, readyFor: idB });
    await two.report({ active: idA });
    const [first, second, ...others] = await fleet.nodes();
    expect(first).toMatchObject({ name: 'one', version: '1.2.3', active: idA, readyFor: idB, present: true });
    expect(second).toMatchObject({ name: 'two', active: idA, readyFor: null, present: true });
    expect(others).toEqual([]);
    await until(async () => {
      expect(await one.beat()).toBe(2);
      return ((await fleet.nodes())[0]?.lastSeenAt ?? 0) > (first?.lastSeenAt ?? 0);
    });
    expect((await fleet.nodes())[0]).toMatchObject({ active: idA, readyFor: idB });
  });

  test('are listed whatever somebody wrote in place of a report, with ids only where ids belong', async () => {
    const fleet = await open('watcher');
    const reports = {
      garbled: 'not JSON',
      list: '[1]',
      odd: JSON.stringify({ version: 7, generation: 'x', active: '../../x', readyFor: idB, refuses: {} }),
      '../up': JSON.stringify({ active: idA }),
    };
    for (const [name, report] of Object.entries(reports)) {
      await redis.command('SET', `lei:node:${name}`, report);
      await redis.command('ZADD', 'lei:nodes', String(Date.now()), name);
    }
    await redis.command('RPUSH', 'lei:node:pushed', 'x');
    await redis.command('ZADD', 'lei:nodes', String(Date.now()), 'pushed');
    const names = [...Object.keys(reports), 'pushed'];
    const seen = (await fleet.nodes()).filter(({ name }) => names.includes(name));
    const unread = { active: null, reason: expect.stringContaining('can read') };
    expect(seen).toEqual([
      expect.objectContaining({ name: 'garbled', ...unread }),
      expect.objectContaining({ name: 'list', ...unread }),
      expect.objectContaining({ name: 'odd', version: '', generation: 0, active: null, readyFor: idB }),
      expect.objectContaining({ name: 'pushed', ...unread }),
    ]);
    const listed = await leiHere({ LEI_SHARED_STATE: redis.url }, ['fleet']);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toMatch(/garbled +- +- +- +\d+ s ago; Its report in the shared state is not one/);
    for (const name of names) await redis.command('ZREM', 'lei:nodes', name);
  });

  test('notice another node of the same name, but not their own last run', async () => {
    const last = await open('twin');
    for (let beats = 0; beats < 2; beats++) await last.beat();
    const one = await open('twin');
    for (let beats = 0; beats < 3; beats++) await one.beat();
    expect([last.sharesName(), one.sharesName()]).toEqual([false, false]);
    const two = await open('twin');
    for (let beats = 0; beats < 2; beats++) for (const node of [one, two]) await node.beat();
    expect([one.sharesName(), two.sharesName()]).toEqual([true, true]);
  });

  test('log that another node has their name', async () => {
    const twin = () =>
      openSharedState({
        ...({ url: redis.url, down: 'share', node: 'double', version: '1.2.3', user: 'service' } as const),
        layout: layout(temporaryFolder('double')),
      });
    const [one, two] = [await twin(), await twin()];
    const warnings: string[] = [];
    if (one.store === null) throw new Error('The node has no store.');
    const end = watchStore(one.store, { info: () => {}, warn: (message) => void warnings.push(message) });
    await until(() => warnings.length > 0);
    end();
    expect(warnings).toEqual([expect.stringContaining('Another node is called double too')]);
    await Promise.all([one.close(), two.close()]);
  });

  test('keep their shares of each limit if the store loses everything and goes away again', async () => {
    const server = await startRedis();
    const node = (name: string) =>
      openSharedState({
        ...({ url: server.url, down: 'share', node: name, version: '1.2.3', user: 'service' } as const),
        layout: layout(temporaryFolder(name)),
      });
    const [one, two] = [await node('one'), await node('two')];
    await until(() => one.store?.facts().nodes === 2);
    await two.close();
    await server.command('FLUSHALL');
    // A heartbeat has seen that there is one node now.
    await until(async () => (await server.command('ZCARD', 'lei:nodes')) === 1);
    await server.command('DEL', 'lei:nodes');
    await until(async () => (await server.command('ZCARD', 'lei:nodes')) === 1);
    expect(one.store?.facts().nodes).toBe(2);
    await server.stop();
    await until(() => one.store?.facts().lost !== null);
    const policy = { daily: 1_000, lookup: 30, search: 30 };
    const demand = { caller: 'acc_any', policy, window: 'lookup', units: 1, countsForDay: true } as const;
    const take = async () => one.ledger.take({ ...demand, refusable: true, now: Date.now() });
    let taken = 0;
    while ((await take()).outcome === 'taken') taken++;
    expect(taken).toBe(policy.lookup / 2);
    await one.close();
  });

  test('are absent once they fall silent, and are forgotten by the store itself', async () => {
    const fleet = await open('watcher');
    const gone = await open('gone');
    await gone.report({ active: idA });
    expect(Number(await redis.command('PTTL', 'lei:node:gone'))).toBeGreaterThan(0);
    await redis.command('ZADD', 'lei:nodes', 'INCR', -5_000, 'gone');
    expect((await fleet.nodes()).find(({ name }) => name === 'gone')).toMatchObject({ present: false });
    await redis.command('DEL', 'lei:node:gone');
    expect((await fleet.nodes()).find(({ name }) => name === 'gone')).toBeUndefined();
  });

  test('were seen a moment ago even by a reader whose clock is an hour ahead of the store', async () => {
    const fleet = await open('watcher');
    await (await open('one')).report({ active: idA });
    setSystemTime(new Date(Date.now() + 3_600_000));
    const seen = (await fleet.nodes()).find(({ name }) => name === 'one');
    expect(Date.now() - (seen?.lastSeenAt ?? 0)).toBeLessThan(60_000);
    setSystemTime();
  });

  test('are not reported while the store is away', async () => {
    const away = await open('lost', 'redis://user:hidden@127.0.0.1:1/0');
    await away.report({ active: idA });
    const failure = await away.nodes().catch(String);
    expect(failure).toContain('The shared state at redis://127.0.0.1:1/0 is unavailable');
    expect(failure).not.toContain('hidden');
  });
});
