import { beforeEach, describe, expect, test } from 'bun:test';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { stateLimits } from '../../src/accounts/state/limits.ts';
import { openLocalState } from '../../src/accounts/state/local-state.ts';
import { layout } from '../../src/publication/layout.ts';
import { temporaryFolder } from '../support/folders.ts';
import { createAccount, leiJson, runLei } from '../support/lei-here.ts';

let folder: string;
let dataDir: string;

beforeEach(async () => {
  folder = temporaryFolder('accounts');
  dataDir = join(folder, 'data');
});

const listKeys = async () => (await leiJson(dataDir, 'keys', 'list')).json;
const listAccounts = async () => (await leiJson(dataDir, 'accounts', 'list')).json;

describe('lei accounts and lei keys, with no service running', () => {
  test('create an account, print its key once, and list it without its secret', async () => {
    const made = await createAccount(dataDir, 'ada@example.com', '--daily', '7');
    expect(made.secret).toMatch(/^lei_live_[A-Za-z0-9]+$/);
    const key = {
      id: made.key.id,
      accountId: made.account.id,
      email: 'ada@example.com',
      prefix: made.secret.slice(0, 13),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      name: null,
      lastUsedAt: null,
      revokedAt: null,
    };
    expect(await listKeys()).toEqual([key]);
    expect(await listAccounts()).toEqual([
      {
        id: made.account.id,
        email: 'ada@example.com',
        company: 'Journeys',
        use: 'Tests',
        createdAt: key.createdAt,
        suspendedAt: null,
        daily: 7,
        burstLookup: null,
        burstSearch: null,
        activeKeys: 1,
      },
    ]);
    for (const list of ['accounts', 'keys']) {
      const { code, stdout } = await runLei(dataDir, list, 'list');
      expect(code).toBe(0);
      expect(stdout).toContain(made.account.id);
      expect(stdout).not.toContain(made.secret);
    }
  });

  test('show what each account has used, the busiest first, and by day for one account', async () => {
    const [ada, bob] = [
      await createAccount(dataDir, 'ada@example.com'),
      await createAccount(dataDir, 'bob@example.com'),
    ];
    const yesterday = Math.floor(Date.now() / 86_400_000) - 1;
    const state = openLocalState(layout(dataDir), 'caller');
    await state.tally().raise([
      { caller: bob.account.id, day: yesterday, units: { lookup: 3, search: 1 } },
      { caller: bob.account.id, day: yesterday - 1, units: { lookup: 0, search: 5 } },
    ]);
    await state.close();
    const date = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);
    const none = { lookup: 0, search: 0 };
    const ofBob = {
      account: { id: bob.account.id, email: 'bob@example.com', company: 'Journeys' },
      today: none,
      last30Days: { lookup: 3, search: 6 },
      days: [
        { date: date(yesterday - 1), lookup: 0, search: 5 },
        { date: date(yesterday), lookup: 3, search: 1 },
      ],
    };
    const ofAda = { account: { id: ada.account.id }, today: none, last30Days: none, days: [] };
    expect((await leiJson(dataDir, 'accounts', 'usage')).json).toMatchObject([ofBob, ofAda]);
    expect((await leiJson(dataDir, 'accounts', 'usage', 'bob@example.com')).json).toEqual([ofBob]);
    const { stdout } = await runLei(dataDir, 'accounts', 'usage', 'bob@example.com');
    expect(stdout).toContain('today 0  last 30 days 9 (look-ups 3, searches 6)');
    expect(stdout).toContain(`  ${date(yesterday)}  4 (look-ups 3, searches 1)`);
  });

  test('create further keys and revoke them, by the account’s id or e-mail address', async () => {
    const made = await createAccount(dataDir, 'ada@example.com');
    const second = await leiJson(dataDir, 'keys', 'create', 'ADA@example.com');
    expect(second).toMatchObject({
      code: 0,
      json: { key: { accountId: made.account.id }, secret: expect.stringMatching(/^lei_live_/) },
    });
    const revoked = await leiJson(dataDir, 'keys', 'revoke', made.key.id);
    expect(revoked).toMatchObject({ code: 0, json: { key: { revokedAt: expect.any(String) } } });
    expect(await listAccounts()).toMatchObject([{ activeKeys: 1 }]);
  });

  test('give a key a name, which the list shows, and refuse one that no key may have', async () => {
    await createAccount(dataDir, 'ada@example.com');
    const made = await leiJson(dataDir, 'keys', 'create', 'ada@example.com', '--name', ' laptop  of Ada ');
    expect(made).toMatchObject({ code: 0, json: { key: { name: 'laptop of Ada' } } });
    expect((await runLei(dataDir, 'keys', 'list')).stdout).toContain('  active  "laptop of Ada"\n');
    const refused = await leiJson(dataDir, 'keys', 'create', 'ada@example.com', '--name', 'x'.repeat(61));
    expect(refused).toMatchObject({
      code: 2,
      json: { error: { code: 'bad-option', message: expect.stringMatching(/^--name: .* 61 characters/) } },
    });
    expect(await listAccounts()).toMatchObject([{ activeKeys: 2 }]);
  });

  test('create no more active keys than an account may have, and list which ones are active', async () => {
    const { account, key } = await createAccount(dataDir, 'ada@example.com');
    const store = openLocalState(layout(dataDir));
    const now = new Date();
    for (let n = 1; n < stateLimits.activeKeysPerAccountMax; n++)
      await store.accounts.createKey(account.id, now);
    await store.close();
    expect(await leiJson(dataDir, 'keys', 'create', account.id)).toMatchObject({
      code: 1,
      json: { error: { code: 'too-many-keys', message: expect.stringContaining('10 active keys') } },
    });
    await leiJson(dataDir, 'keys', 'revoke', key.id);
    const lines = (await runLei(dataDir, 'keys', 'list')).stdout.trim().split('\n');
    expect(lines.filter((line) => line.endsWith('  active'))).toHaveLength(9);
    expect(lines.filter((line) => / revoked \d{4}-.*Z$/.test(line))).toEqual([
      expect.stringContaining(key.id),
    ]);
  });

  test('set limits of an account one by one, and reset them to those of the service', async () => {
    const { account } = await createAccount(dataDir, 'ada@example.com', '--daily', '7');
    const limits = async (...args: readonly string[]) => {
      const { json } = await leiJson(dataDir, 'accounts', 'limits', 'ADA@example.com', ...args);
      expect(json).toMatchObject({ account: { id: account.id } });
      return json;
    };
    expect(await limits('--burst-lookup', '5', '--burst-search', '0')).toMatchObject({
      account: { daily: 7, burstLookup: 5, burstSearch: 0 },
    });
    expect(await limits('--daily', '9', '--burst-search', 'default')).toMatchObject({
      account: { daily: 9, burstLookup: 5, burstSearch: null },
    });
    expect(await listAccounts()).toMatchObject([{ daily: 9, burstLookup: 5, burstSearch: null }]);
    const back = ['--daily', 'default', '--burst-lookup', 'default'];
    expect((await runLei(dataDir, 'accounts', 'limits', account.id, ...back)).stdout).toContain(
      'has the limits of the service',
    );
    expect(await listAccounts()).toMatchObject([{ daily: null, burstLookup: null, burstSearch: null }]);
  });

  test('report what is wrong as a sentence and a code, with status 1 for a failure and 2 for wrong usage', async () => {
    await createAccount(dataDir, 'ada@example.com');
    const create = ['accounts', 'create', '--company', 'x', '--use', 'y', '--email'];
    const failures = [
      { args: [...create, 'Ada@Example.com'], code: 'address-taken' },
      { args: ['accounts', 'suspend', 'acc_none'], code: 'no-such-account' },
      { args: ['accounts', 'limits', 'acc_none', '--daily', '1'], code: 'no-such-account' },
      { args: ['keys', 'create', 'nobody@example.com'], code: 'no-such-account' },
      { args: ['keys', 'revoke', 'key_none'], code: 'no-such-key' },
      { args: ['accounts', 'restore', join(folder, 'none.json')], code: 'bad-backup' },
      { args: ['accounts', 'backup', join(folder, 'none', 'file.json')], code: 'backup-not-written' },
    ];
    const answers = await Promise.all(failures.map(({ args }) => leiJson(dataDir, ...args)));
    expect(answers.map(({ code }) => code)).toEqual(failures.map(() => 1));
    expect(answers.map(({ json }) => json)).toMatchObject(failures.map(({ code }) => ({ error: { code } })));
    const wrong = [
      ['accounts', 'create'],
      [...create, 'b@example.com', '--daily', 'many'],
      [...create, 'b@example.com', '--burst-lookup', '-1'],
      ['accounts', 'limits', 'ada@example.com'],
      ['accounts', 'limits', 'ada@example.com', '--daily', 'none'],
      ['keys', 'create'],
      ['keys', 'nothing'],
    ];
    for (const { code, stdout, stderr } of await Promise.all(wrong.map((args) => runLei(dataDir, ...args)))) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).not.toBe('');
    }
    expect(await listAccounts()).toHaveLength(1);
  });

  test.each([
    ['--email', 'notmail'],
    ['--company', ''],
    ['--use', ' '],
  ])('refuse %s %j with exit status 2 and a code that names the account', async (name, value) => {
    const who = ['--email', 'ada@example.com', '--company', 'x', '--use', 'y'];
    const given = who.with(who.indexOf(name) + 1, value);
    expect(await leiJson(dataDir, 'accounts', 'create', ...given)).toMatchObject({
      code: 2,
      json: { error: { code: 'invalid-account', message: expect.stringContaining(name) } },
    });
  });

  test('never print a key that was passed instead of its id', async () => {
    const { secret } = await createAccount(dataDir, 'ada@example.com');
    const { code, stdout, stderr } = await runLei(dataDir, 'keys', 'revoke', secret);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain('Give its id');
    expect(stdout + stderr).not.toContain(secret);
  });
});

describe('lei accounts backup and restore', () => {
  test('restore deleted accounts with their keys, and leave the others unchanged', async () => {
    const ada = await createAccount(dataDir, 'ada@example.com', '--daily', '9');
    const bob = await createAccount(dataDir, 'bob@example.com');
    const file = join(folder, 'accounts.json');
    expect(await leiJson(dataDir, 'accounts', 'backup', file)).toMatchObject({
      code: 0,
      json: { file, accounts: 2, keys: 2 },
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await Bun.file(file).text()).not.toContain(ada.secret);

    const adasKeys = (await leiJson(dataDir, 'keys', 'list', ada.account.id)).json;
    await leiJson(dataDir, 'accounts', 'delete', ada.account.id);
    expect(await listAccounts()).toMatchObject([{ id: bob.account.id }]);
    await leiJson(dataDir, 'keys', 'revoke', bob.key.id);
    expect(await leiJson(dataDir, 'accounts', 'restore', file)).toMatchObject({
      code: 0,
      json: { accounts: 1, keys: 1, alreadyThere: 1 },
    });
    // A key revoked since the backup must not come back to life.
    expect((await leiJson(dataDir, 'keys', 'list', ada.account.id)).json).toEqual(adasKeys);
    expect((await leiJson(dataDir, 'keys', 'list', bob.account.id)).json).toMatchObject([
      { id: bob.key.id, revokedAt: expect.any(String) },
    ]);
    expect(await listAccounts()).toHaveLength(2);
  });

  test('copy accounts to another data folder', async () => {
    const ada = await createAccount(dataDir, 'ada@example.com');
    const file = join(folder, 'accounts.json');
    await leiJson(dataDir, 'accounts', 'backup', file);
    dataDir = join(folder, 'elsewhere');
    await leiJson(dataDir, 'accounts', 'restore', file);
    expect(await listKeys()).toMatchObject([{ id: ada.key.id, accountId: ada.account.id }]);
    // Restoring by e-mail address fails too, because it is taken then.
    expect((await leiJson(dataDir, 'keys', 'list', 'ada@example.com')).json).toEqual(await listKeys());
  });

  test('change nothing if the file is damaged or of another kind, or an address is taken', async () => {
    await createAccount(dataDir, 'ada@example.com');
    const file = join(folder, 'accounts.json');
    await leiJson(dataDir, 'accounts', 'backup', file);
    const good = await Bun.file(file).text();
    dataDir = join(folder, 'elsewhere');
    const bad = [
      ['empty.json', '', 'is not JSON: it is truncated'],
      ['cut.json', good.slice(0, -20), 'is not JSON: it is truncated'],
      ['changed.json', good.replace('ada@example.com', 'eve@example.com'), 'is damaged or was changed'],
      ['other.json', '{"format":"something-else"}', 'is not a backup made by lei accounts backup'],
      ['newer.json', good.replace('"version":1', '"version":2'), 'has format version 2'],
    ] as const;
    for (const [name, text, fault] of bad) {
      await Bun.write(join(folder, name), text);
      const { code, json } = await leiJson(dataDir, 'accounts', 'restore', join(folder, name));
      expect(code).toBe(1);
      const message = expect.stringContaining(`${name} ${fault}`);
      expect(json).toMatchObject({ error: { code: 'bad-backup', message } });
    }
    await createAccount(dataDir, 'ADA@example.com');
    expect(await leiJson(dataDir, 'accounts', 'restore', file)).toMatchObject({
      code: 1,
      json: { error: { code: 'address-taken' } },
    });
    expect(await listAccounts()).toHaveLength(1);
  });
});
