import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSharedState } from '../../../src/accounts/shared-state/open-shared-state.ts';
import { openTables } from '../../../src/accounts/state/account-tables.ts';
import { accountWriters } from '../../../src/accounts/state/account-writers.ts';
import { openLocalState, openStateFolder, writing } from '../../../src/accounts/state/local-state.ts';
import { noOwnLimits } from '../../../src/ports/account-directory.ts';
import type { State } from '../../../src/ports/state.ts';
import { layout } from '../../../src/publication/layout.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { createAccount, runLei } from '../../support/lei-here.ts';
import { isInstalled, titled } from '../../support/programs.ts';
import { startRedis } from '../../support/redis.ts';
import { until } from '../../support/steady-load.ts';

const noon = new Date('2026-11-21T12:00:00Z');
const texts = (name: string) => ({
  email: `${name}@people.example`,
  company: `"${name}" \\ Söhne 株式会社`,
  use: `${name} checks suppliers. `.repeat(1 + (name.length % 40)).trim(),
});

/** The names of `texts` that a file still has. */
function namesIn(path: string): ReadonlySet<string> {
  return new Set(readFileSync(path, 'latin1').match(/person-\d+-/g));
}

async function create({ accounts }: State, name: string): Promise<string> {
  const created = await accounts.create(texts(name), noOwnLimits, noon);
  if (created.outcome !== 'created') throw new Error(created.outcome);
  return created.account.id;
}

test.each(['lmdb', 'caller'] as const)(
  'no text of a deleted account stays in the file, and every other account is as it was (%s)',
  async (waiting) => {
    const paths = layout(temporaryFolder('deleted'));
    const state = openLocalState(paths, waiting);
    const live = new Map<string, string>();
    // The same numbers in each run: Park and Miller's generator.
    let seed = 11;
    const below = (count: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % count;
    };
    for (let turn = 0; turn < 250; turn++) {
      const name = `person-${turn}-${'x'.repeat(below(60))}`;
      live.set(await create(state, name), name);
      const ids = [...live.keys()];
      const chosen = ids[below(ids.length)] ?? '';
      if (turn % 5 === 0) await state.accounts.createKey(chosen, noon, { name: 'Laptop' });
      if (turn % 7 === 0) await state.accounts.suspend(chosen, noon);
      if (turn % 3 !== 0) continue;
      // A count is saved at the same time.
      const usage = { units: { lookup: turn, search: 0 }, lookup: [], search: [] };
      const row = { caller: chosen, day: 20_000, usage };
      const [isRemoved] = await Promise.all([state.accounts.remove(chosen), state.counts.save([row])]);
      expect(isRemoved).toBe(true);
      live.delete(chosen);
    }
    // What a count has copied while the last deletion read the file goes with the next one.
    const [last = ''] = live.keys();
    expect(await state.accounts.remove(last)).toBe(true);
    live.delete(last);
    const path = join(paths.state, 'data.mdb');
    const kept = [...live.values()].map((name) => name.replace(/x*$/, ''));
    expect(namesIn(path)).toEqual(new Set(kept));
    await state.close();
    const again = openLocalState(paths, waiting);
    const found = new Map(again.accounts.list().map(({ account }) => [account.id, account]));
    expect(found.size).toBe(live.size);
    for (const [id, name] of live) expect(found.get(id)).toMatchObject(texts(name));
    await again.close();
  },
);

test('what a killed deletion leaves is erased by the next round, and an account that came back stays', async () => {
  const paths = layout(temporaryFolder('deleted'));
  const path = join(paths.state, 'data.mdb');
  const state = openLocalState(paths, 'caller');
  const gone = await create(state, 'person-1-');
  const back = await create(state, 'person-2-');
  const records = state.accounts.exportRecords();
  await state.close();
  // The deletion of the account alone, as if the process was killed right after it.
  await openStateFolder(paths.state, async (environment) => {
    const writers = accountWriters(openTables(environment), writing(environment, paths.state, 'caller'));
    for (const id of [gone, back]) expect(await writers.remove(id)).toBe(true);
    await environment.close();
  });
  expect(namesIn(path)).toEqual(new Set(['person-1-', 'person-2-']));

  const again = openLocalState(paths);
  const ofBack = records.accounts.filter(({ id }) => id === back);
  await again.accounts.importRecords({ ...records, accounts: ofBack });
  await again.accounts.eraseDeleted();
  expect(namesIn(path)).toEqual(new Set(['person-2-']));
  expect(again.accounts.find(back)).toMatchObject(texts('person-2-'));
  await again.close();
});

test('lei accounts delete erases the address', async () => {
  const folder = temporaryFolder('deleted');
  const path = join(layout(folder).state, 'data.mdb');
  await createAccount(folder, 'person-1-@people.example');
  expect(namesIn(path).size).toBe(1);
  expect((await runLei(folder, 'accounts', 'delete', 'person-1-@people.example')).code).toBe(0);
  expect(namesIn(path).size).toBe(0);
});

test.skipIf(!isInstalled('redis-server'))(
  titled('a fleet keeps no text of a deleted account, in the store and on every node', 'redis-server'),
  async () => {
    const redis = await startRedis();
    const open = async (node: string) => {
      const paths = layout(temporaryFolder(node));
      const parts = { url: redis.url, down: 'share', node, version: '1.2.3', layout: paths } as const;
      const state = await openSharedState({ ...parts, user: 'service', deadlineMs: 10_000 });
      return { state, path: join(paths.state, 'shared', 'data.mdb') };
    };
    const one = await open('one');
    const other = await open('other');
    const ids = [];
    for (const number of [1, 2, 3]) ids.push(await create(one.state, `person-${number}-`));
    await until(() => other.state.accounts.list().length === 3);
    await one.state.accounts.remove(ids[0] ?? '');
    await until(() => other.state.accounts.list().length === 2);
    await other.state.accounts.eraseDeleted();
    const left = new Set(['person-2-', 'person-3-']);
    expect([namesIn(one.path), namesIn(other.path)]).toEqual([left, left]);
    const log = String(await redis.command('LRANGE', 'lei:log', 0, -1));
    expect([log.includes('person-1-'), log.includes('person-2-')]).toEqual([false, true]);

    const late = await open('late');
    expect(late.state.accounts.list().map(({ account }) => account.id)).toEqual(
      expect.arrayContaining(ids.slice(1)),
    );
    expect(namesIn(late.path)).toEqual(left);
    for (const { state } of [one, other, late]) await state.close();
    await redis.stop();
  },
);
