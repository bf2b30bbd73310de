/** Tests how the nodes of a fleet know each other through a real Redis server. */
import { afterAll, beforeAll, describe, expect, setSystemTime, test } from 'bun:test';
import { watchStore } from '../../src/front/store-watch.ts';
import { layout } from '../../src/publication/layout.ts';
import { Connection } from '../../src/shared-state/connection.ts';
import { presence } from '../../src/shared-state/nodes.ts';
import { openSharedState } from '../../src/shared-state/open-shared-state.ts';
import { temporaryFolder } from '../support/folders.ts';
import { isInstalled, titled } from '../support/programs.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { until } from '../support/steady-load.ts';

describe.if(isInstalled('redis-server'))(titled('the nodes of a fleet', 'redis-server'), () => {
  let redis: RedisServer;
  const opened: Connection[] = [];
  const open = async (name: string, url = redis.url) => {
    const store = new Connection({ url, deadlineMs: 2_000 });
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
    await one.report({ active: 'A', readyFor: 'B' });
    await two.report({ active: 'A' });
    const [first, second, ...others] = await fleet.nodes();
    expect(first).toMatchObject({ name: 'one', version: '1.2.3', active: 'A', readyFor: 'B', present: true });
    expect(second).toMatchObject({ name: 'two', active: 'A', readyFor: null, present: true });
    expect(others).toEqual([]);
    await until(async () => {
      expect(await one.beat()).toBe(2);
      return ((await fleet.nodes())[0]?.lastSeenAt ?? 0) > (first?.lastSeenAt ?? 0);
    });
    expect((await fleet.nodes())[0]).toMatchObject({ active: 'A', readyFor: 'B' });
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
  }, 30_000);

  test('are absent once they fall silent, and are forgotten by the store itself', async () => {
    const fleet = await open('watcher');
    const gone = await open('gone');
    await gone.report({ active: 'A' });
    expect(Number(await redis.command('PTTL', 'lei:node:gone'))).toBeGreaterThan(0);
    await redis.command('ZADD', 'lei:nodes', 'INCR', -5_000, 'gone');
    expect((await fleet.nodes()).find(({ name }) => name === 'gone')).toMatchObject({ present: false });
    await redis.command('DEL', 'lei:node:gone');
    expect((await fleet.nodes()).find(({ name }) => name === 'gone')).toBeUndefined();
  });

  test('were seen a moment ago even by a reader whose clock is an hour ahead of the store', async () => {
    const fleet = await open('watcher');
    await (await open('one')).report({ active: 'A' });
    setSystemTime(new Date(Date.now() + 3_600_000));
    const seen = (await fleet.nodes()).find(({ name }) => name === 'one');
    expect(Date.now() - (seen?.lastSeenAt ?? 0)).toBeLessThan(60_000);
    setSystemTime();
  });

  test('are not reported while the store is away', async () => {
    const away = await open('lost', 'redis://user:hidden@127.0.0.1:1/0');
    await away.report({ active: 'A' });
    const failure = await away.nodes().catch(String);
    expect(failure).toContain('The shared state at redis://127.0.0.1:1/0 is unavailable');
    expect(failure).not.toContain('hidden');
  });
});
