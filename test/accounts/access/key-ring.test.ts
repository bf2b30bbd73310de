import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { accountFeed } from '../../../src/accounts/access/account-feed.ts';
import { createKeyRing } from '../../../src/accounts/access/key-ring.ts';
import { createTariffs } from '../../../src/accounts/access/tariffs.ts';
import { stateLimits } from '../../../src/accounts/state/limits.ts';
import { readConfig } from '../../../src/config.ts';
import { noon, Opened } from '../../support/open-access.ts';

let opened: Opened;
beforeEach(async () => {
  opened = await Opened.open();
});
afterEach(() => opened.close());

/** Makes the next reading of this kind fail, once. */
let failing: 'list' | 'withKeys' | null = null;

function readOrFail<Read>(kind: 'list' | 'withKeys', read: () => Read): Read {
  if (failing !== kind) return read();
  failing = null;
  throw new Error('a row is damaged');
}

function ringOverFailing() {
  const { accounts } = opened.state;
  const ring = createKeyRing(createTariffs(readConfig({}).config), () => {});
  const feed = accountFeed(
    {
      ...accounts,
      list: () => readOrFail('list', () => accounts.list()),
      withKeys: (id) => readOrFail('withKeys', () => accounts.withKeys(id)),
    },
    ring.adopt,
  );
  return { ...ring, refresh: feed.refresh };
}

describe('keys in memory', () => {
  test('that were revoked stop working at the next successful refresh after a failed one', async () => {
    const { keyId, header } = await opened.account();
    const ring = ringOverFailing();
    ring.refresh();
    expect(ring.find(header, noon)).not.toBeNull();
    await opened.state.accounts.revokeKey(keyId, new Date(noon));
    failing = 'withKeys';
    expect(() => ring.refresh()).toThrow('damaged');
    ring.refresh();
    expect(ring.find(header, noon)).toBeNull();
  });

  test('keep working if all accounts cannot be read, and are updated at the next refresh', async () => {
    const { id, keyId, header } = await opened.account();
    const other = await opened.account('bob@example.com');
    const ring = ringOverFailing();
    ring.refresh();
    await opened.state.accounts.revokeKey(keyId, new Date(noon));
    // So many changes that every account is read again.
    await Promise.all(
      Array.from({ length: stateLimits.changesKept }, () => opened.state.accounts.resume(id)),
    );
    failing = 'list';
    expect(() => ring.refresh()).toThrow('damaged');
    expect(ring.find(other.header, noon)).not.toBeNull();
    ring.refresh();
    expect(ring.find(other.header, noon)).not.toBeNull();
    expect(ring.find(header, noon)).toBeNull();
  });
});
