/** Tests when a roll-out over a fleet moves, and when it does not. The nodes' reports cross a real Redis server. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFleet } from '../../src/accounts/shared-state/nodes.ts';
import { ExpectedFailure, reasonOf } from '../../src/errors.ts';
import type { NodeReport, NodeSeen } from '../../src/ports/fleet.ts';
import type { OpenedFleet } from '../../src/ports/state.ts';
import { changeAnnouncement, move, readAnnouncement } from '../../src/shipping/announcement.ts';
import { fileStore } from '../../src/shipping/file-store.ts';
import type { WritableStore } from '../../src/shipping/object-store.ts';
import { type RolledOut, rollOut } from '../../src/shipping/roll-out.ts';
import { temporaryFolder } from '../support/folders.ts';
import { isInstalled, titled } from '../support/programs.ts';
import { type RedisServer, startRedis } from '../support/redis.ts';
import { until } from '../support/steady-load.ts';

const day = (n: number) => ({ id: `2024050${n}T000000Z-0000000${n}`, shipment: String(n).repeat(64) });
const [a, b] = [day(1), day(2)];
const at = { now: new Date(), leadMs: 0, deadline: null };

describe.skipIf(!isInstalled('redis-server'))(titled('a roll-out', 'redis-server'), () => {
  let redis: RedisServer;
  let folder: string;
  let store: WritableStore;
  let opened: OpenedFleet[];
  let told: string[];
  const beating: Timer[] = [];
  const ending = new AbortController();
  beforeAll(async () => {
    redis = await startRedis();
  });
  beforeEach(async () => {
    opened = [];
    told = [];
    await redis.command('FLUSHALL');
    folder = temporaryFolder('roll-out');
    store = fileStore(folder);
    await changeAnnouncement(store, move(a, at));
  });
  afterEach(() => {
    for (const timer of beating.splice(0)) clearInterval(timer);
    for (const { close } of opened) close();
  });
  afterAll(() => redis?.stop());

  async function open(name: string): Promise<OpenedFleet> {
    const fleet = await openFleet(redis.url, name, '1.0.0');
    opened.push(fleet);
    return fleet;
  }

  /** A node that serves the first publication and has read every announcement so far. */
  async function node(name: string, report: Partial<NodeReport>): Promise<void> {
    const { fleet } = await open(name);
    await fleet.report({ active: a.id, generation: 2, ...report });
    // As nodes do: one that was silent for five seconds counts as gone, and a busy machine may need longer.
    beating.push(setInterval(() => void fleet.report({}), 500));
  }

  async function roll(deadlineMs: number, nodes = 1): Promise<RolledOut> {
    const { fleet } = await open('operator');
    const waiting = (message: () => string) => void told.push(message());
    return rollOut({ store, key: null, fleet, named: b, nodes, deadlineMs, waiting, aborted: ending.signal });
  }

  test('moves as soon as every present node is ready, and resolves once they serve it', async () => {
    await node('one', { readyFor: b.id });
    await node('two', {});
    const rolling = roll(60_000);
    await until(() => told.some((message) => message.includes('1 of 2 nodes are ready')));
    expect(told.at(-1)).toBe(`1 of 2 nodes are ready for ${b.id}; not ready: two`);
    expect((await readAnnouncement(store))?.active?.id).toBe(a.id);
    for (const { fleet } of opened.slice(0, 2)) await fleet.report({ active: b.id });
    const { announcement, leftBehind } = await rolling;
    expect({ announcement, leftBehind }).toMatchObject({
      announcement: { active: b, next: null },
      leftBehind: [],
    });
  });

  test('continues at the deadline without a node that is not ready, and reports that node', async () => {
    await node('one', { active: b.id });
    await node('two', {});
    const { announcement, leftBehind } = await roll(500);
    expect(leftBehind).toEqual(['two']);
    const { activatedAt = '', deadline } = announcement.active ?? {};
    expect(Date.parse(deadline ?? '')).toBeLessThan(Date.parse(activatedAt));
  });

  test('withdraws at the deadline if fewer than half are ready, or fewer than half of the requested number', async () => {
    await node('one', { active: b.id });
    expect(await roll(500, 3).catch(String)).toContain(
      `No node has swapped: at the deadline 1 of 3 nodes are ready for ${b.id}; not ready: 2 that are not present.`,
    );
    expect(await readAnnouncement(store)).toMatchObject({ active: a, next: null });
  });

  test("withdraws if a node refuses, and gives the node's reason", async () => {
    await node('one', { readyFor: b.id });
    await node('canary', { refuses: b.id, reason: 'The disk is full.' });
    expect(await roll(60_000).catch(String)).toContain(
      `No node has swapped. canary refuses ${b.id}: The disk is full.`,
    );
    expect(await readAnnouncement(store)).toMatchObject({ active: a, next: null });
  });

  test('that ends says why, also if its proposal can not be withdrawn', async () => {
    await node('canary', {});
    const rolling = roll(60_000);
    await until(() => told.length > 0);
    writeFileSync(join(folder, 'fleet.json'), '{');
    await opened[0]?.fleet.report({ refuses: b.id, reason: 'The disk is full.' });
    const error = await rolling.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'refused-by-node' });
    expect(reasonOf(error)).toStartWith(`No node has swapped. canary refuses ${b.id}: The disk is full.`);
    expect(reasonOf(error)).toContain(`${b.id} stays proposed until the next announcement`);
    expect(reasonOf(error)).toContain('fleet.json is not an announcement that this version can read');
  });

  test('ignores what a node said about an earlier proposal', async () => {
    await node('one', { generation: 1, refuses: b.id, reason: 'The disk is full.' });
    const rolling = roll(60_000);
    await until(() => told.length > 0);
    await opened[0]?.fleet.report({ generation: 2, refuses: null, reason: null, active: b.id });
    expect((await rolling).announcement.active?.id).toBe(b.id);
  });

  test('gives way to an announcement that is made meanwhile', async () => {
    await node('one', {});
    const rolling = roll(60_000);
    await until(() => told.length > 0);
    await changeAnnouncement(store, move(day(3), at));
    await opened[0]?.fleet.report({ readyFor: b.id });
    expect(await rolling.catch(String)).toContain('is no longer proposed');
    expect((await readAnnouncement(store))?.active?.id).toBe(day(3).id);
  });

  test('ends at once if it is overtaken, and does not wait for nodes that get nothing ready any more', async () => {
    await node('one', {});
    const rolling = roll(5_000);
    await until(() => told.length > 0);
    await changeAnnouncement(store, move(day(3), at));
    expect(await rolling.catch(String)).toContain(`${b.id} is no longer proposed`);
  });

  test('is withdrawn if its command is interrupted', async () => {
    await node('one', {});
    const rolling = roll(60_000);
    await until(() => told.length > 0);
    ending.abort(new Error('Interrupted.'));
    expect(await rolling.catch(String)).toContain('Interrupted.');
    expect((await readAnnouncement(store))?.next).toBeNull();
  });
});

describe('a roll-out whose shared state', () => {
  const reported = {
    version: '1.0.0',
    generation: 2,
    active: a.id,
    readyFor: null,
    refuses: null,
    reason: null,
  };
  const seen = (name: string, report: Partial<NodeReport> = {}): NodeSeen => ({
    ...{ name, ...reported, ...report },
    lastSeenAt: 0,
    present: true,
  });
  const ready = seen('one', { readyFor: b.id });
  const served = [seen('one', { active: b.id }), seen('two', { active: b.id })];

  /** @param lists what the nodes are each time; null while the shared state is away. The last one stays */
  async function rollWith(deadlineMs: number, ...lists: readonly (readonly NodeSeen[] | null)[]) {
    const store = fileStore(temporaryFolder('roll-out'));
    await changeAnnouncement(store, move(a, at));
    const told: string[] = [];
    let calls = 0;
    const nodes = async () => {
      const list = lists[Math.min(calls++, lists.length - 1)] ?? null;
      if (list === null) throw new ExpectedFailure('shared-state-away', 'The shared state is unavailable.');
      return list;
    };
    const waiting = (message: () => string) => void told.push(message());
    const aborted = new AbortController().signal;
    const order = { store, key: null, fleet: { nodes }, named: b, nodes: 1, deadlineMs, waiting, aborted };
    const failure = await rollOut(order).then(() => null, String);
    return { told, failure, announcement: await readAnnouncement(store) };
  }

  test.each([
    ['loses its list', []],
    ['is away for a while', null],
  ])('%s waits for the nodes that were present, until they have reported again', async (_, lost) => {
    const { told, failure, announcement } = await rollWith(
      60_000,
      [ready, seen('two')],
      lost,
      [ready],
      served,
    );
    expect({ failure, active: announcement?.active?.id }).toEqual({ failure: null, active: b.id });
    expect(told[2]).toBe(`1 of 2 nodes are ready for ${b.id}; not ready: two`);
  });

  test('says that a node is gone goes on without it', async () => {
    const gone = { ...seen('two'), present: false };
    const { told, announcement } = await rollWith(60_000, [ready, seen('two')], [ready, gone], served);
    expect(told.length).toBe(1);
    expect(announcement?.active?.id).toBe(b.id);
  });

  test('is away until the deadline ends with that reason', async () => {
    const { failure, announcement } = await rollWith(300, [ready, seen('two')], null);
    expect(failure).toContain(
      `No node has swapped: at the deadline no node is known to be ready for ${b.id}: The shared state is unavailable.`,
    );
    expect(announcement).toMatchObject({ active: a, next: null });
  });
});
