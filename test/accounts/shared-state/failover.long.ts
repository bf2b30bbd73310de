/** Tests a real failover: only what the replica had not received yet is lost. */
import { describe, expect, test } from 'bun:test';
import { openSharedState } from '../../../src/accounts/shared-state/open-shared-state.ts';
import { noOwnLimits } from '../../../src/ports/account-directory.ts';
import type { Demand } from '../../../src/ports/ledger.ts';
import type { State } from '../../../src/ports/state.ts';
import { layout } from '../../../src/publication/layout.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { type MoodyProxy, startMoodyProxy } from '../../support/moody-proxy.ts';
import { isInstalled, titled } from '../../support/programs.ts';
import { type RedisServer, startRedis } from '../../support/redis.ts';
import { until } from '../../support/steady-load.ts';

const policy = { daily: 1_000, lookup: 60, search: 60 };
const take = ({ ledger }: State) => {
  const kind = { window: 'lookup', units: 1, countsForDay: true, refusable: true } as const;
  return ledger.take({ caller: 'acc_busy', policy, ...kind, now: Date.now() } satisfies Demand);
};
const who = (name: string) => ({ email: `${name}@example.com`, company: 'Analytical Engines', use: 'Tests' });

async function nodeAt(port: number, node: string): Promise<State> {
  const parts = { url: `redis://127.0.0.1:${port}`, down: 'share', node, version: '1' } as const;
  // A store that is slow because the machine is busy must not count as away.
  const patience = { deadlineMs: 10_000, user: 'service' } as const;
  return openSharedState({ ...parts, ...patience, layout: layout(temporaryFolder(node)) });
}

interface Scene {
  readonly primary: RedisServer;
  readonly replica: RedisServer;
  /** The proxy between the two. */
  readonly wire: MoodyProxy;
  /** The proxies that nodes connect to: the primary's first. */
  readonly address: MoodyProxy;
  readonly nodes: readonly [State, State];
}

async function startScene(): Promise<Scene> {
  const primary = await startRedis();
  const wire = await startMoodyProxy(primary.port);
  const replica = await startRedis({ options: ['--replicaof', '127.0.0.1', String(wire.port)] });
  const address = await startMoodyProxy(primary.port);
  const nodes = [await nodeAt(address.port, 'one'), await nodeAt(address.port, 'two')] as const;
  return { primary, replica, wire, address, nodes };
}

const onAll = ({ nodes }: Scene, holds: (node: State) => boolean | undefined) =>
  until(() => nodes.every((node) => holds(node) === true));

async function received({ primary, replica }: Scene): Promise<boolean> {
  const keys = ['lei:count:acc_busy', 'lei:version'];
  const [here, there] = await Promise.all([primary, replica].map((each) => each.command('MGET', ...keys)));
  return JSON.stringify(here) === JSON.stringify(there);
}

async function failOver(scene: Scene): Promise<void> {
  const { primary, replica, address, nodes } = scene;
  await primary.stop();
  await onAll(scene, ({ store }) => store?.facts().lost !== null);
  // What is admitted meanwhile is reported later.
  for (const node of nodes) expect((await take(node)).outcome).toBe('taken');
  // A replica that is not a primary yet accepts no writes.
  address.to = replica.port;
  await onAll(scene, ({ store }) => store?.facts().lost?.includes('READONLY'));
  await replica.command('REPLICAOF', 'NO', 'ONE');
  await onAll(scene, ({ store }) => store?.facts().lost === null);
}

describe.if(isInstalled('redis-server'))(titled('a failover to a replica', 'redis-server'), () => {
  test('loses only the counts and accounts that the replica had not received', async () => {
    const scene = await startScene();
    const { nodes, wire, address, replica } = scene;
    const [one, two] = nodes;
    const [ada, bob] = [who('ada'), who('bob')];
    const known = await one.accounts.create(ada, noOwnLimits, new Date());
    for (let count = 0; count < 10; count++) for (const node of nodes) await take(node);
    await until(() => received(scene));

    wire.mood = 'hangs';
    for (let count = 0; count < 5; count++) await take(one);
    await two.accounts.create(bob, noOwnLimits, new Date());
    await onAll(scene, ({ accounts }) => accounts.find(bob.email) !== null);
    await failOver(scene);

    expect((await take(one)).quota.burstLeft).toBe(policy.lookup - 20 - 2 - 1);
    await onAll(scene, ({ accounts }) => accounts.find(bob.email) === null);
    const account = known.outcome === 'created' ? known.account : null;
    for (const { accounts } of nodes) expect(accounts.find(ada.email)).toEqual(account);
    const again = await two.accounts.create(bob, noOwnLimits, new Date());
    expect(again.outcome).toBe('created');

    for (const node of nodes) await node.close();
    for (const { stop } of [address, wire, replica]) await stop();
  });
});
