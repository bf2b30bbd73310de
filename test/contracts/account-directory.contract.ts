/** The contract that every {@link AccountDirectory} keeps. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { digestOf, isWellFormedSecret } from '../../src/accounts/state/key.ts';
import { stateLimits } from '../../src/accounts/state/limits.ts';
import { type AccountDirectory, noOwnLimits, wholeService } from '../../src/ports/account-directory.ts';
import type { Installation } from './installation.ts';

const noon = new Date('2026-11-21T12:00:00Z');
const ada = { email: 'Ada@Example.com', company: 'Analytical Engines Ltd', use: 'Supplier checks' };

/** @param install makes an empty installation */
export function accountDirectoryContract(install: () => Installation): void {
  let installation: Installation;
  let accounts: AccountDirectory;
  let close: () => Promise<void>;
  const reopen = async () => {
    await close();
    ({ accounts, close } = await installation.open());
  };

  beforeEach(async () => {
    installation = install();
    ({ accounts, close } = await installation.open());
  });
  afterEach(() => close());

  async function createAda() {
    const created = await accounts.create(ada, noOwnLimits, noon);
    if (created.outcome !== 'created') throw new Error(`The account was not made: ${created.outcome}`);
    return created;
  }

  describe('accounts', () => {
    test('come with a first key, whose secret is well-formed and stored nowhere', async () => {
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
        name: null,
        createdAt: '2026-11-21T12:00:00Z',
        lastUsedAt: null,
        revokedAt: null,
      });
      expect(isWellFormedSecret(secret)).toBe(true);
      expect(JSON.stringify(accounts.exportRecords())).not.toContain(secret.slice(13));
      expect(accounts.list()).toEqual([{ account, keys: [{ key, digest: digestOf(secret) }] }]);
    });

    test('are unique by e-mail address, however it is spelt', async () => {
      const { account } = await createAda();
      const second = await accounts.create({ ...ada, email: 'ADA@EXAMPLE.COM' }, noOwnLimits, noon);
      expect(second).toEqual({ outcome: 'address-taken' });
      expect(accounts.find('ada@EXAMPLE.com')).toEqual(account);
      expect(accounts.list()).toHaveLength(1);
    });

    test('are unique by e-mail address even if two requests arrive at the same moment', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, () => accounts.create(ada, noOwnLimits, noon)),
      );
      expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
      expect(accounts.list()).toHaveLength(1);
    });

    test('are listed oldest first, although their ids are random', async () => {
      const emails = ['e', 'd', 'c', 'b', 'a'].map((name) => `${name}@example.com`);
      for (const [hour, email] of emails.entries()) {
        await accounts.create({ ...ada, email }, noOwnLimits, new Date(noon.getTime() + hour * 3_600_000));
      }
      expect(accounts.list().map(({ account }) => account.email)).toEqual(emails);
    });

    test('release their address when they are deleted, along with their keys', async () => {
      const { account, key } = await createAda();
      expect(await accounts.remove(account.id)).toBe(true);
      expect(await accounts.remove(account.id)).toBe(false);
      expect(accounts.list()).toEqual([]);
      expect(await accounts.revokeKey(key.id, noon)).toBeNull();
      expect((await createAda()).account.id).not.toBe(account.id);
    });

    test('can be suspended and resumed', async () => {
      const { account } = await createAda();
      const suspended = await accounts.suspend(account.id, noon);
      expect(suspended?.suspendedAt).toBe('2026-11-21T12:00:00Z');
      expect((await accounts.resume(account.id))?.suspendedAt).toBeNull();
      expect(await accounts.suspend('acc_nobody', noon)).toBeNull();
    });

    test('survive a restart', async () => {
      const { account } = await createAda();
      await reopen();
      expect(accounts.find(account.id)).toEqual(account);
    });

    test('have limits of their own if they are set', async () => {
      const { account } = await createAda();
      const own = { daily: 5, burstLookup: null, burstSearch: 7 };
      expect(await accounts.setLimits(account.id, own)).toEqual({ ...account, ...own });
      expect(accounts.find(account.email)).toEqual({ ...account, ...own });
      expect(await accounts.setLimits('acc_nobody', own)).toBeNull();
    });

    test('are not found under ids that are too long or malformed', () => {
      for (const odd of ['', 'x'.repeat(5_000), `${'y'.repeat(5_000)}@example.com`, '\u0000', 'café']) {
        expect(accounts.find(odd)).toBeNull();
      }
    });
  });

  describe('keys', () => {
    test('are limited in number per account, active ones only', async () => {
      const { account, key } = await createAda();
      for (let i = 1; i < stateLimits.activeKeysPerAccountMax; i++) {
        expect((await accounts.createKey(account.id, noon)).outcome).toBe('created');
      }
      expect(await accounts.createKey(account.id, noon)).toEqual({ outcome: 'too-many-keys' });
      await accounts.revokeKey(key.id, noon);
      expect((await accounts.createKey(account.id, noon)).outcome).toBe('created');
      expect(await accounts.createKey('acc_nobody', noon)).toEqual({ outcome: 'no-such-account' });
    });

    test('can be tokens for /reconcile, recognisable by their prefix', async () => {
      const { account } = await createAda();
      const made = await accounts.createKey(account.id, noon, { kind: 'reconcile' });
      if (made.outcome !== 'created') throw new Error(`No token was made: ${made.outcome}`);
      expect(isWellFormedSecret(made.secret, 'reconcile')).toBe(true);
      expect(made.key.prefix).toBe(made.secret.slice(0, 18));
      expect(accounts.withKeys(account.id)?.keys[1]).toEqual({
        key: made.key,
        digest: digestOf(made.secret),
      });
    });

    test('have a name if their holder gives them one', async () => {
      const { account, key } = await createAda();
      const made = await accounts.createKey(account.id, noon, { name: 'Nightly import' });
      expect(made).toMatchObject({ key: { name: 'Nightly import' } });
      const before = accounts.version();
      expect(await accounts.nameKey(key.id, 'Laptop ☕')).toEqual({ ...key, name: 'Laptop ☕' });
      expect(accounts.changesSince(before)).toEqual([account.id]);
      await reopen();
      const names = () => accounts.withKeys(account.id)?.keys.map((each) => each.key.name);
      expect(names()).toEqual(['Laptop ☕', 'Nightly import']);
      await accounts.nameKey(key.id, null);
      expect(names()).toEqual([null, 'Nightly import']);
      expect(await accounts.nameKey('key_nobody', 'x')).toBeNull();
    });

    test('keep the time of their first revocation', async () => {
      const { key } = await createAda();
      await accounts.revokeKey(key.id, noon);
      const again = await accounts.revokeKey(key.id, new Date('2026-11-22T00:00:00Z'));
      expect(again?.revokedAt).toBe('2026-11-21T12:00:00Z');
    });

    test('show their last use', async () => {
      const { account, key } = await createAda();
      await accounts.noteUses(new Map([[key.id, noon.getTime() / 1000 + 61]]));
      expect(accounts.withKeys(account.id)?.keys[0]?.key.lastUsedAt).toBe('2026-11-21T12:01:01Z');
      await accounts.remove(account.id);
      await accounts.noteUses(new Map([[key.id, noon.getTime() / 1000]]));
      expect(accounts.exportRecords().keys).toEqual([]);
    });
  });

  describe('records', () => {
    test('restore accounts and keys into another directory, where they work as before', async () => {
      const { account, key, secret } = await createAda();
      const records = accounts.exportRecords();
      await accounts.remove(account.id);
      expect(await accounts.importRecords(records)).toEqual({ accounts: 1, keys: 1 });
      expect(accounts.withKeys(account.id)).toEqual({ account, keys: [{ key, digest: digestOf(secret) }] });
      expect(await accounts.importRecords(records)).toEqual({ accounts: 0, keys: 0 });
    });

    test('merge with accounts that both directories have, and a second merge changes nothing', async () => {
      const { account, key } = await createAda();
      const records = accounts.exportRecords();
      const [given, givenKey] = [records.accounts[0], records.keys[0]];
      if (given === undefined || givenKey === undefined) throw new Error('A record is missing.');
      const later = await accounts.createKey(account.id, noon);
      if (later.outcome !== 'created') throw new Error(later.outcome);
      await accounts.setLimits(account.id, { ...noOwnLimits, burstLookup: 5 });
      const further = { ...givenKey, id: 'key_further', name: 'further' };
      const other = {
        accounts: [
          {
            ...given,
            suspendedAt: '2026-11-22T00:00:00Z',
            daily: 7,
            burstLookup: 9,
            keyIds: [key.id, further.id],
          },
        ],
        keys: [{ ...givenKey, revokedAt: '2026-11-22T00:00:00Z' }, further],
        serviceLimits: {},
      };
      expect(await accounts.mergeRecords(other, 'here')).toEqual({ accounts: 0, keys: 1, merged: 1 });
      const merged = accounts.withKeys(account.id);
      const suspended = { suspendedAt: '2026-11-22T00:00:00Z' };
      expect(merged?.account).toMatchObject({ ...suspended, daily: 7, burstLookup: 5, burstSearch: null });
      expect(merged?.keys.map((each) => [each.key.id, each.key.revokedAt])).toEqual([
        [key.id, '2026-11-22T00:00:00Z'],
        [later.key.id, null],
        [further.id, null],
      ]);
      const version = accounts.version();
      expect(await accounts.mergeRecords(other, 'here')).toEqual({ accounts: 0, keys: 0, merged: 0 });
      expect(await accounts.mergeRecords(records, 'here')).toMatchObject({ merged: 0 });
      expect(accounts.version()).toBe(version);
      expect(await accounts.mergeRecords(other, 'given')).toMatchObject({ merged: 1 });
      expect(accounts.find(account.id)).toMatchObject({ ...suspended, burstLookup: 9 });
    });

    test('written before today’s field checks stay readable', async () => {
      const { account } = await createAda();
      const records = accounts.exportRecords();
      await accounts.remove(account.id);
      const odd = { ...account, email: '"a\u001b[2J"@example.com', company: 'a\u202eb' };
      await accounts.importRecords({ ...records, accounts: [{ ...odd, keyIds: [] }] });
      expect(accounts.find(odd.email)).toEqual(odd);
    });

    test('are refused as a whole if a newer account has one of the addresses', async () => {
      const { account } = await createAda();
      const records = accounts.exportRecords();
      await accounts.remove(account.id);
      await createAda();
      const more = { ...records.accounts[0], id: 'acc_other', email: 'other@example.com', keyIds: [] };
      const all = { ...records, accounts: [...records.accounts, { ...account, ...more }] };
      expect(await accounts.importRecords(all)).toEqual({ addressesTaken: [ada.email] });
      expect(accounts.list()).toHaveLength(1);
    });
  });

  describe('changes', () => {
    test('name the accounts that changed since a version', async () => {
      const before = accounts.version();
      const { account, key } = await createAda();
      expect(accounts.changesSince(before)).toEqual([account.id]);
      const created = accounts.version();
      expect(accounts.changesSince(created)).toEqual([]);
      await accounts.revokeKey(key.id, noon);
      expect(accounts.changesSince(created)).toEqual([account.id]);
    });

    test('cannot be followed one by one from a version of another state', () => {
      expect(accounts.changesSince(7)).toBeNull();
    });

    test('cannot be followed one by one if some of them are no longer kept', async () => {
      const { account } = await createAda();
      const record = { ...account, keyIds: [] };
      const before = accounts.version();
      const others = Array.from({ length: stateLimits.changesKept + 1 }, (_, i) => ({
        ...record,
        id: `acc_${i}`,
        email: `a${i}@example.com`,
      }));
      await accounts.importRecords({ accounts: others, keys: [], serviceLimits: {} });
      expect(accounts.changesSince(before)).toBeNull();
      expect(accounts.changesSince(before + 2)).toHaveLength(stateLimits.changesKept - 1);
    });
  });

  describe('limits of the whole service', () => {
    test('are the configured ones until they are changed, one by one, and survive a restart', async () => {
      expect(accounts.serviceLimits()).toEqual({});
      const before = accounts.version();
      await accounts.changeServiceLimits({ anonymousDaily: 5, burstSearch: 0 });
      expect(accounts.changesSince(before)).toEqual([wholeService]);
      expect(await accounts.changeServiceLimits({ anonymousDaily: 6 })).toEqual({
        anonymousDaily: 6,
        burstSearch: 0,
      });
      await reopen();
      expect(accounts.serviceLimits()).toEqual({ anonymousDaily: 6, burstSearch: 0 });
      expect(await accounts.changeServiceLimits({ anonymousDaily: null, burstSearch: null })).toEqual({});
      expect(accounts.serviceLimits()).toEqual({});
    });

    test('are restored and moved with the accounts; those that prevail stay', async () => {
      await accounts.changeServiceLimits({ anonymousDaily: 5, pagesDaily: 7 });
      const records = accounts.exportRecords();
      await accounts.changeServiceLimits({ anonymousDaily: 6, pagesDaily: null });
      await accounts.importRecords(records);
      expect(accounts.serviceLimits()).toEqual({ anonymousDaily: 6, pagesDaily: 7 });
      const version = accounts.version();
      await accounts.mergeRecords(records, 'here');
      expect(accounts.version()).toBe(version);
      await accounts.mergeRecords(records, 'given');
      expect(accounts.serviceLimits()).toEqual({ anonymousDaily: 5, pagesDaily: 7 });
    });
  });

  describe('sign-ups', () => {
    const limits = { byClient: 3, byNetwork: 5, inAll: 20 };
    const signUp = (number: number, client: string, day = noon, network = `net of ${client}`) =>
      accounts.create({ ...ada, email: `a${number}@example.com` }, noOwnLimits, day, {
        client,
        network,
        limits,
      });

    test('are limited per client and day, attempts with a taken address included', async () => {
      for (let i = 0; i < limits.byClient; i++) await signUp(i % 2, 'ip_one');
      expect(await signUp(99, 'ip_one')).toEqual({ outcome: 'client-limit' });
      expect((await signUp(98, 'ip_two')).outcome).toBe('created');
      expect((await signUp(97, 'ip_one', new Date('2026-11-22T00:00:00Z'))).outcome).toBe('created');
    });

    test('are limited per day in total, across thousands of clients too', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: limits.inAll + 50 }, (_, i) => signUp(i, `ip_${i}`)),
      );
      const created = outcomes.filter(({ outcome }) => outcome === 'created');
      expect(created).toHaveLength(limits.inAll);
      expect(accounts.list()).toHaveLength(limits.inAll);
      expect(await signUp(99, 'ip_late')).toEqual({ outcome: 'daily-limit' });
      expect(accounts.signupsOn(noon)).toBe(limits.inAll);
      expect(accounts.signupsOn(new Date('2026-11-22T00:00:00Z'))).toBe(0);
    });

    test('are limited per network, whichever of its addresses asks', async () => {
      for (let i = 0; i < limits.byNetwork; i++) await signUp(i, `ip_${i}`, noon, 'net_one');
      expect(await signUp(90, 'ip_90', noon, 'net_one')).toEqual({ outcome: 'network-limit' });
      expect((await signUp(91, 'ip_91', noon, 'net_two')).outcome).toBe('created');
    });

    test('in the second half of the daily total are reserved for networks that have had none', async () => {
      for (let i = 0; i < limits.inAll / 2; i++) await signUp(i, `ip_${i}`, noon, `net_${i % 4}`);
      expect(await signUp(90, 'ip_90', noon, 'net_1')).toEqual({ outcome: 'network-limit' });
      expect((await signUp(91, 'ip_91', noon, 'net_honest')).outcome).toBe('created');
      expect(await signUp(92, 'ip_92', noon, 'net_honest')).toEqual({ outcome: 'network-limit' });
    });

    test('of earlier days are forgotten', async () => {
      for (let i = 0; i < limits.byClient; i++) await signUp(i, 'ip_one');
      await accounts.forgetSignupsBefore(Math.floor(noon.getTime() / 86_400_000));
      expect((await signUp(50, 'ip_one')).outcome).toBe('client-limit');
      await accounts.forgetSignupsBefore(Math.floor(noon.getTime() / 86_400_000) + 1);
      expect((await signUp(51, 'ip_one')).outcome).toBe('created');
    });
  });
}
