/**
 * Tests a node while the store fails, in every way that a real Redis server can fail: it answers within the deadline,
 * admits its share and no more, still accepts known keys, and reconnects by itself.
 */
import { describe, expect, test } from 'bun:test';
import { openSharedState } from '../../../src/accounts/shared-state/open-shared-state.ts';
import { noOwnLimits } from '../../../src/ports/account-directory.ts';
import type { Demand } from '../../../src/ports/ledger.ts';
import type { State } from '../../../src/ports/state.ts';
import { layout } from '../../../src/publication/layout.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { startMoodyProxy } from '../../support/moody-proxy.ts';
import { isInstalled, titled } from '../../support/programs.ts';
import { type RedisServer, startRedis } from '../../support/redis.ts';
import { until } from '../../support/steady-load.ts';

const policy = { daily: 1_000, lookup: 60, search: 60 };
const share = policy.lookup / 2;
const before = 10;
/**
 * For a call that never ends. The deadline is 100 ms, but of time in which this process runs: on a busy machine that may
 * take seconds.
 */
const patienceMs = 30_000;

/** Closes what a test has opened, in the opposite order. */
class Closing {
  readonly #closers: (() => unknown)[] = [];

  push(close: () => unknown): void {
    this.#closers.push(close);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const close of this.#closers.reverse()) await close();
  }
}

/** The password that the store currently accepts from nodes. */
const letIn = (redis: RedisServer) =>
  redis.command('ACL', 'SETUSER', 'node', 'on', 'resetpass', '>secret', '~*', '+@all');

async function startAgain({ redis }: Scene): Promise<void> {
  await redis.start();
  await letIn(redis);
}

interface Scene {
  readonly redis: RedisServer;
  readonly proxy: Awaited<ReturnType<typeof startMoodyProxy>>;
}

interface Fault {
  readonly name: string;
  readonly options?: readonly string[];
  happen(scene: Scene): unknown;
  end(scene: Scene): unknown;
  /** Whether the store has lost its data. */
  readonly forgets?: boolean;
  /** Whether it still answers calls that no request waits for. */
  readonly slow?: boolean;
}

const faults: readonly Fault[] = [
  {
    name: 'killed, and restarted empty',
    happen: ({ redis }) => redis.stop(),
    end: startAgain,
    forgets: true,
  },
  {
    name: 'killed, and restarted with its log',
    options: ['--appendonly', 'yes', '--appendfsync', 'always'],
    happen: ({ redis }) => redis.stop(),
    end: startAgain,
  },
  {
    name: 'stopped by a signal',
    happen: ({ redis }) => redis.kill('SIGSTOP'),
    end: ({ redis }) => redis.kill('SIGCONT'),
  },
  {
    name: 'a second late with each answer',
    happen: ({ proxy }) => Object.assign(proxy, { mood: 'late' }),
    end: ({ proxy }) => Object.assign(proxy, { mood: 'passes' }),
    slow: true,
  },
  {
    name: 'behind a network that hangs',
    happen: ({ proxy }) => Object.assign(proxy, { mood: 'hangs' }),
    end: ({ proxy }) => Object.assign(proxy, { mood: 'passes' }),
  },
  {
    name: 'out of memory',
    options: ['--maxmemory-policy', 'noeviction'],
    happen: ({ redis }) => redis.command('CONFIG', 'SET', 'maxmemory', '1'),
    end: ({ redis }) => redis.command('CONFIG', 'SET', 'maxmemory', '0'),
  },
  {
    name: 'read-only',
    happen: ({ redis }) => redis.command('CONFIG', 'SET', 'min-replicas-to-write', '3'),
    end: ({ redis }) => redis.command('CONFIG', 'SET', 'min-replicas-to-write', '0'),
  },
  {
    name: 'under another password',
    async happen({ redis }) {
      await redis.command('ACL', 'SETUSER', 'node', 'resetpass', '>other');
      await redis.command('CLIENT', 'KILL', 'USER', 'node');
    },
    end: ({ redis }) => letIn(redis),
  },
];

/** Each fault once; many times in the long tests. */
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
const played = Array.from({ length: rounds }, () => faults).flat();

async function nodeAt(url: string, node: string, closing: Closing, deadlineMs?: number): Promise<State> {
  const parts = { url, down: 'share', node, version: '1', layout: layout(temporaryFolder(node)) } as const;
  const patience = deadlineMs === undefined ? {} : { deadlineMs };
  const state = await openSharedState({ ...parts, ...patience, user: 'service' });
  closing.push(() => state.close());
  return state;
}

async function twoNodes(scene: Scene, closing: Closing): Promise<readonly [State, State]> {
  await letIn(scene.redis);
  const url = `redis://node:secret@127.0.0.1:${scene.proxy.port}`;
  const one = await nodeAt(url, 'one', closing);
  const two = await nodeAt(`redis://127.0.0.1:${scene.redis.port}`, 'two', closing, 10_000);
  // Shares are computed from the nodes seen last.
  await until(() => one.store?.facts().nodes === 2 && one.store.facts().lost === null);
  return [one, two];
}

const demand = (): Demand => ({
  caller: 'acc_busy',
  policy,
  window: 'lookup',
  units: 1,
  countsForDay: true,
  refusable: true,
  now: Date.now(),
});

/** Takes units one by one until a refusal. */
async function takeAll({ ledger }: State): Promise<number> {
  for (let taken = 0; ; taken++) {
    const late = Bun.sleep(patienceMs).then(() => ({ outcome: 'late' }));
    const { outcome } = await Promise.race([ledger.take(demand()), late]);
    expect(outcome).not.toBe('late');
    if (outcome === 'refused') return taken;
  }
}

describe.if(isInstalled('redis-server'))(titled('a node whose store is', 'redis-server'), () => {
  test.concurrent.each(played)('$name admits its share, knows its keys, and comes back', async (fault) => {
    await using closing = new Closing();
    const redis = await startRedis({ options: fault.options ?? [] });
    closing.push(() => redis.stop());
    const proxy = await startMoodyProxy(redis.port, 1_000);
    closing.push(() => proxy.stop());
    const [one, two] = await twoNodes({ redis, proxy }, closing);
    const who = { email: 'ada@example.com', company: 'Analytical Engines', use: 'Tests' };
    const made = await one.accounts.create(who, noOwnLimits, new Date());
    for (let taken = 0; taken < before; taken++) await one.ledger.take(demand());

    await fault.happen({ redis, proxy });
    expect(await takeAll(one)).toBe(share - before);
    expect(one.store?.facts()).toMatchObject({ lost: expect.any(String) });
    expect(one.store?.facts().admittedAlone).toBeGreaterThanOrEqual(share - before);
    expect(one.accounts.find(who.email)).toEqual(made.outcome === 'created' ? made.account : null);
    const other = { ...who, email: 'bob@example.com' };
    const early = await one.accounts.create(other, noOwnLimits, new Date()).catch(String);
    if (fault.slow !== true) expect(early).toContain('is unavailable');

    await fault.end({ redis, proxy });
    await until(() => one.store?.facts().lost === null && two.store?.facts().lost === null);
    const seen = await two.ledger.take(demand());
    // The failed call may have been executed: then its units count twice, but never not at all.
    const left = policy.lookup - 1 - (fault.forgets === true ? share - before : share);
    expect(seen.quota.burstLeft).toBeGreaterThanOrEqual(left - (fault.forgets === true ? before : 1));
    expect(seen.quota.burstLeft).toBeLessThanOrEqual(left);
    // Until a node has filled an empty store again, the other one refuses changes.
    await until(async () => (await redis.command('EXISTS', 'lei:installation')) === 1);
    const late = await one.accounts.create(other, noOwnLimits, new Date());
    expect(late.outcome).toBe(typeof early === 'string' ? 'created' : 'address-taken');
    await until(() => two.accounts.find(other.email) !== null && two.accounts.find(who.email) !== null);
  });
});
