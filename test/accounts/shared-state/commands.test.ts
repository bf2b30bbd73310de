/** Tests the account commands against a shared state. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openLocalState } from '../../../src/accounts/state/local-state.ts';
import { layout } from '../../../src/publication/layout.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { leiHere } from '../../support/lei-here.ts';
import { isInstalled, titled } from '../../support/programs.ts';
import { type RedisServer, startRedis } from '../../support/redis.ts';

describe.if(isInstalled('redis-server'))(titled('with a shared state', 'redis-server'), () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis({ password: 'hidden' });
  });
  afterAll(() => redis.stop());

  const address = (database: number) => `redis://:hidden@127.0.0.1:${redis.port}/${database}`;
  /** @param shared the address of the shared state; '' for none */
  const lei = async (folder: string, shared: string, ...args: readonly string[]) => {
    const settings = { LEI_DATA_DIR: folder, LEI_SHARED_STATE: shared };
    const { code, stdout, stderr } = await leiHere(settings, [...args, '--json']);
    expect(stdout + stderr).not.toContain('hidden');
    return { code, json: Object(stdout === '' ? {} : JSON.parse(stdout)), stderr };
  };
  const listed = async (folder: string, shared: string) => [
    await lei(folder, shared, 'accounts', 'list'),
    await lei(folder, shared, 'keys', 'list'),
    await lei(folder, shared, 'accounts', 'usage'),
  ];
  const create = (folder: string, shared: string, email: string, ...limits: readonly string[]) =>
    lei(
      folder,
      shared,
      'accounts',
      'create',
      '--email',
      email,
      '--company',
      'C',
      '--use',
      'Tests',
      ...limits,
    );

  test('an account created on one node is listed, limited, suspended and deleted on another', async () => {
    const [one, two] = [temporaryFolder('one'), temporaryFolder('two')];
    const made = await create(one, address(0), 'ada@example.com');
    const second = await lei(two, address(0), 'keys', 'create', 'ada@example.com');
    await lei(two, address(0), 'accounts', 'limits', 'ada@example.com', '--daily', '5');
    await lei(two, address(0), 'keys', 'revoke', made.json.key.id);
    const { json: keys } = await lei(one, address(0), 'keys', 'list');
    expect(keys).toHaveLength(2);
    expect(keys.find(({ id }: { id: string }) => id === second.json.key.id).revokedAt).toBeNull();
    const { json: accounts } = await lei(one, address(0), 'accounts', 'list');
    expect(accounts).toMatchObject([{ email: 'ada@example.com', daily: 5, activeKeys: 1 }]);
    expect((await lei(one, address(0), 'accounts', 'delete', 'ada@example.com')).code).toBe(0);
    expect((await lei(two, address(0), 'accounts', 'list')).json).toEqual([]);
  });

  test('accounts move to the shared state and back: nothing is lost, and a second run changes nothing', async () => {
    const folder = temporaryFolder('local');
    const { json: ada } = await create(folder, '', 'ada@example.com', '--daily', '7');
    await lei(folder, '', 'keys', 'create', ada.account.id);
    await lei(folder, '', 'keys', 'revoke', ada.key.id);
    const { json: bob } = await create(folder, '', 'bob@example.com');
    await lei(folder, '', 'accounts', 'suspend', bob.account.id);
    const state = openLocalState(layout(folder), 'caller');
    const yesterday = Math.floor(Date.now() / 86_400_000) - 1;
    await state.tally().raise([{ caller: ada.account.id, day: yesterday, units: { lookup: 3, search: 1 } }]);
    await state.close();
    const before = await listed(folder, '');
    expect(before[2]).toMatchObject({
      json: [{ account: { email: 'ada@example.com' }, last30Days: { lookup: 3, search: 1 } }, {}],
    });

    const moved = await lei(folder, '', 'accounts', 'move', '--to', address(1));
    expect(moved).toMatchObject({ code: 0, json: { accounts: 2, keys: 3, alreadyThere: 0 } });
    const version = await redis.command('GET', 'lei:version');
    const again = await lei(folder, '', 'accounts', 'move', '--to', address(1));
    expect(again).toMatchObject({ code: 0, json: { accounts: 0, keys: 0, alreadyThere: 2 } });
    expect(await redis.command('GET', 'lei:version')).toBe(version);
    expect(await listed(folder, address(1))).toEqual(before);

    const other = temporaryFolder('other');
    expect((await lei(other, '', 'accounts', 'move', '--from', address(1))).json).toMatchObject({
      accounts: 2,
    });
    expect((await lei(other, '', 'accounts', 'move', '--from', address(1))).json).toMatchObject({
      accounts: 0,
    });
    expect(await listed(other, '')).toEqual(before);
  });

  test('what changed in the fleet comes back into the folder that it came from', async () => {
    const folder = temporaryFolder('round');
    const { json: ada } = await create(folder, '', 'ada@example.com');
    await lei(folder, '', 'accounts', 'move', '--to', address(3));
    const { json: further } = await lei(folder, address(3), 'keys', 'create', ada.account.id);
    await lei(folder, address(3), 'keys', 'revoke', ada.key.id);
    await lei(folder, address(3), 'accounts', 'suspend', ada.account.id);
    await lei(folder, address(3), 'accounts', 'limits', ada.account.id, '--daily', '7');
    const there = await lei(folder, address(3), 'keys', 'list');
    const moved = await lei(folder, '', 'accounts', 'move', '--from', address(3));
    expect(moved).toMatchObject({ code: 0, json: { accounts: 0, keys: 1, alreadyThere: 1, merged: 1 } });
    const back = await lei(folder, '', 'keys', 'list');
    expect(back).toEqual(there);
    expect(back.json.map(({ id }: { id: string }) => id)).toEqual([ada.key.id, further.key.id]);
    const { json: accounts } = await lei(folder, '', 'accounts', 'list');
    expect(accounts).toMatchObject([{ daily: 7, suspendedAt: expect.any(String), activeKeys: 1 }]);
    const again = await lei(folder, '', 'accounts', 'move', '--from', address(3));
    expect(again).toMatchObject({ code: 0, json: { keys: 0, merged: 0 } });
  });

  test('a backup can be made of the shared state and restored to it', async () => {
    const folder = temporaryFolder('backup');
    const file = join(folder, 'accounts.json');
    await create(folder, address(2), 'ada@example.com');
    expect((await lei(folder, address(2), 'accounts', 'backup', file)).json).toMatchObject({
      accounts: 1,
      keys: 1,
    });
    await lei(folder, address(2), 'accounts', 'delete', 'ada@example.com');
    expect((await lei(folder, address(2), 'accounts', 'restore', file)).json).toMatchObject({ accounts: 1 });
    expect((await lei(folder, address(2), 'accounts', 'list')).json).toHaveLength(1);
  });

  test("commands fail with the store's address if it is away, and doctor reports it", async () => {
    const folder = temporaryFolder('away');
    const away = 'redis://:hidden@127.0.0.1:1/0';
    const listed = await lei(folder, away, 'accounts', 'list');
    expect(listed).toMatchObject({ code: 1, json: { error: { code: 'shared-state-away' } } });
    expect(listed.json.error.message).toContain('redis://127.0.0.1:1/0');
    const shown = async (url: string, dataDir = folder) => {
      const { json } = await lei(dataDir, url, 'doctor');
      return json.checks.find(({ name }: { name: string }) => name === 'shared-state');
    };
    const inNewFolder = await shown(away, temporaryFolder('new'));
    expect(inNewFolder).toMatchObject({ grade: 'wrong', message: expect.stringContaining('does not start') });
    const wrongPort = await shown('redis://:hidden@127.0.0.1:99999');
    expect(wrongPort).toMatchObject({ grade: 'note', message: expect.stringContaining('Not checked') });
    expect(await shown(address(0))).toMatchObject({ grade: 'ok' });
    expect((await lei(folder, address(0), 'accounts', 'list')).code).toBe(0);
    const withCopy = await shown(away);
    expect(withCopy).toMatchObject({
      grade: 'wrong',
      message: expect.stringContaining('still answers requests'),
    });
    expect(await shown('')).toMatchObject({ grade: 'ok' });
  });

  test('an announcement proposes nothing if the shared state is away from the start', async () => {
    const folder = temporaryFolder('away');
    const store = temporaryFolder('store');
    const id = '20260123T080000Z-0123abcd';
    const away = 'redis://:hidden@127.0.0.1:1/0';
    const announced = await lei(folder, away, 'announce', id, '--to', `file://${store}`);
    expect(announced).toMatchObject({ code: 1, json: { error: { code: 'shared-state-away' } } });
    expect(readdirSync(store)).toEqual([]);
  });

  test('a wrong address is refused with what is allowed', async () => {
    const folder = temporaryFolder('wrong');
    for (const options of [[], ['--to', 'http://store'], ['--to', address(0), '--from', address(1)]]) {
      expect(await lei(folder, '', 'accounts', 'move', ...options)).toMatchObject({ code: 2 });
    }
  });
});
