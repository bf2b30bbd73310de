import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { noOwnLimits } from '../../src/ports/account-directory.ts';
import { layout } from '../../src/publication/layout.ts';
import { digestOf, isWellFormedSecret } from '../../src/state/key.ts';
import { stateLimits } from '../../src/state/limits.ts';
import { type LocalState, openLocalState } from '../../src/state/local-state.ts';
import { temporaryFolder } from '../support/folders.ts';

const noon = new Date('2026-11-21T12:00:00Z');
const ada = { email: 'Ada@Example.com', company: 'Analytical Engines Ltd', use: 'Supplier checks' };

let folder: string;
let store: LocalState;

beforeEach(async () => {
  folder = temporaryFolder('accounts');
  store = openLocalState(layout(folder));
});

afterEach(async () => {
  await store.close();
});

async function createAda() {
  const created = await store.accounts.create(ada, noOwnLimits, noon);
  if (created.outcome !== 'created') throw new Error(`The account was not made: ${created.outcome}`);
  return created;
}

describe('accounts', () => {
  test('come with a first key, whose secret is well formed and kept nowhere', async () => {
    const { account, key, secret } = await createAda();
    expect(account).toEqual({
      id: account.id,
      ...ada,
      createdAt: '2026-11-21T12:00:00Z',
      suspendedAt: null,
      ...noOwnLimits,
    });
    expect(key).toEqual({
      id: key.id,
      accountId: account.id,
      prefix: secret.slice(0, 13),
      createdAt: '2026-11-21T12:00:00Z',
      lastUsedAt: null,
      revokedAt: null,
    });
    expect(isWellFormedSecret(secret)).toBe(true);
    expect(JSON.stringify(store.accounts.exportRecords())).not.toContain(secret.slice(13));
    expect(store.accounts.list()).toEqual([{ account, keys: [{ key, digest: digestOf(secret) }] }]);
  });

  test('are one per e-mail address, however it is spelt', async () => {
    const { account } = await createAda();
    const second = await store.accounts.create({ ...ada, email: 'ADA@EXAMPLE.COM' }, noOwnLimits, noon);
    expect(second).toEqual({ outcome: 'address-taken' });
    expect(store.accounts.find('ada@EXAMPLE.com')).toEqual(account);
    expect(store.accounts.list()).toHaveLength(1);
  });

  test('are one per e-mail address when two ask at the same moment', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => store.accounts.create(ada, noOwnLimits, noon)),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    expect(store.accounts.list()).toHaveLength(1);
  });

  test('are listed oldest first, though their ids are random', async () => {
    const emails = ['e', 'd', 'c', 'b', 'a'].map((name) => `${name}@example.com`);
    for (const [hour, email] of emails.entries()) {
      await store.accounts.create(
        { ...ada, email },
        noOwnLimits,
        new Date(noon.getTime() + hour * 3_600_000),
      );
    }
    expect(store.accounts.list().map(({ account }) => account.email)).toEqual(emails);
  });

  test('free their address when they are deleted, and their keys are gone', async () => {
    const { account, key } = await createAda();
    expect(await store.accounts.remove(account.id)).toBe(true);
    expect(await store.accounts.remove(account.id)).toBe(false);
    expect(store.accounts.list()).toEqual([]);
    expect(await store.accounts.revokeKey(key.id, noon)).toBeNull();
    expect((await createAda()).account.id).not.toBe(account.id);
  });

  test('can be suspended and resumed', async () => {
    const { account } = await createAda();
    const suspended = await store.accounts.suspend(account.id, noon);
    expect(suspended?.suspendedAt).toBe('2026-11-21T12:00:00Z');
    expect((await store.accounts.resume(account.id))?.suspendedAt).toBeNull();
    expect(await store.accounts.suspend('acc_nobody', noon)).toBeNull();
  });

  test('outlive a restart together with the secrets of the installation', async () => {
    const { account } = await createAda();
    const { secrets } = store;
    await store.close();
    store = openLocalState(layout(folder));
    expect(store.accounts.find(account.id)).toEqual(account);
    expect(store.secrets).toEqual(secrets);
    expect(secrets.cursor).not.toEqual(secrets.etag);
    expect((await stat(join(folder, 'state'))).mode & 0o777).toBe(0o700);
  });

  test('are not found under names too long or too odd for the tables', () => {
    for (const odd of ['', 'x'.repeat(5_000), `${'y'.repeat(5_000)}@example.com`, '\u0000', 'café']) {
      expect(store.accounts.find(odd)).toBeNull();
    }
  });
});

describe('keys', () => {
  test('of one account are limited in number, counting active ones only', async () => {
    const { account, key } = await createAda();
    for (let i = 1; i < stateLimits.activeKeysPerAccountMax; i++) {
      expect((await store.accounts.createKey(account.id, noon)).outcome).toBe('created');
    }
    expect(await store.accounts.createKey(account.id, noon)).toEqual({ outcome: 'too-many-keys' });
    await store.accounts.revokeKey(key.id, noon);
    expect((await store.accounts.createKey(account.id, noon)).outcome).toBe('created');
    expect(await store.accounts.createKey('acc_nobody', noon)).toEqual({ outcome: 'no-such-account' });
  });

  test('keep the time of their first revocation', async () => {
    const { key } = await createAda();
    await store.accounts.revokeKey(key.id, noon);
    const again = await store.accounts.revokeKey(key.id, new Date('2026-11-22T00:00:00Z'));
    expect(again?.revokedAt).toBe('2026-11-21T12:00:00Z');
  });

  test('show when they were last used', async () => {
    const { account, key } = await createAda();
    await store.accounts.noteUses(new Map([[key.id, noon.getTime() / 1000 + 61]]));
    expect(store.accounts.withKeys(account.id)?.keys[0]?.key.lastUsedAt).toBe('2026-11-21T12:01:01Z');
    await store.accounts.remove(account.id);
    await store.accounts.noteUses(new Map([[key.id, noon.getTime() / 1000]]));
    expect(store.accounts.exportRecords().keys).toEqual([]);
  });
});

describe('changes', () => {
  test('name the accounts touched since a version', async () => {
    const before = store.accounts.version();
    const { account, key } = await createAda();
    expect(store.accounts.changesSince(before)).toEqual([account.id]);
    const created = store.accounts.version();
    expect(store.accounts.changesSince(created)).toEqual([]);
    await store.accounts.revokeKey(key.id, noon);
    expect(store.accounts.changesSince(created)).toEqual([account.id]);
  });

  test('are too many to follow one by one where the version is not one of this state', () => {
    expect(store.accounts.changesSince(7)).toBeNull();
  });

  test('are too many to follow one by one where some of them are no longer kept', async () => {
    const { account } = await createAda();
    const record = { ...account, keyIds: [] };
    const before = store.accounts.version();
    const others = Array.from({ length: stateLimits.changesKept + 1 }, (_, i) => ({
      ...record,
      id: `acc_${i}`,
      email: `a${i}@example.com`,
    }));
    await store.accounts.importRecords({ accounts: others, keys: [] });
    expect(store.accounts.changesSince(before)).toBeNull();
    expect(store.accounts.changesSince(before + 2)).toHaveLength(stateLimits.changesKept - 1);
  });
});

describe('sign-ups', () => {
  const signUp = (number: number, client: string, day = noon) =>
    store.accounts.create({ ...ada, email: `a${number}@example.com` }, noOwnLimits, day, client);

  test('are limited per client and day, attempts for a taken address included', async () => {
    for (let i = 0; i < stateLimits.signupsPerClientAndDayMax; i++) await signUp(i % 2, 'ip_one');
    expect(await signUp(99, 'ip_one')).toEqual({ outcome: 'client-limit' });
    expect((await signUp(98, 'ip_two')).outcome).toBe('created');
    expect((await signUp(97, 'ip_one', new Date('2026-11-22T00:00:00Z'))).outcome).toBe('created');
  });

  test('are limited per day in all, by thousands of clients too', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: stateLimits.signupsPerDayMax + 500 }, (_, i) => signUp(i, `ip_${i}`)),
    );
    const created = outcomes.filter(({ outcome }) => outcome === 'created');
    expect(created).toHaveLength(stateLimits.signupsPerDayMax);
    expect(store.accounts.list()).toHaveLength(stateLimits.signupsPerDayMax);
  });

  test('of earlier days are forgotten', async () => {
    for (let i = 0; i < stateLimits.signupsPerClientAndDayMax; i++) await signUp(i, 'ip_one');
    await store.accounts.forgetSignupsBefore(Math.floor(noon.getTime() / 86_400_000));
    expect((await signUp(50, 'ip_one')).outcome).toBe('client-limit');
    await store.accounts.forgetSignupsBefore(Math.floor(noon.getTime() / 86_400_000) + 1);
    expect((await signUp(51, 'ip_one')).outcome).toBe('created');
  });
});
