/** Every active key by its digest, in memory; follows what the command line and the sign-up page change on disk. */
import type { AccountStore, AccountWithKeys } from '../../state/account-store.ts';
import { digestOf } from '../../state/key.ts';
import { readBearer } from './bearer.ts';
import { Recall } from './recall.ts';
import type { Tariff, Tariffs } from './tariff.ts';

export interface Holder {
  readonly accountId: string;
  readonly tariff: Tariff;
}

interface RingKey {
  readonly id: string;
  readonly holder: Holder;
  /** Epoch seconds of the last use since the key was read from disk; 0 before the first. */
  usedAt: number;
}

export interface KeyRing {
  /** The holder of the active key in an `Authorization` header; notes the use. Null where there is none. */
  holder(authorization: string, now: number): Holder | null;
  /** Takes over what changed on disk; cheap where nothing did. */
  refresh(): void;
  /** Writes down when keys were used. */
  saveUses(): Promise<void>;
}

function digestIn(authorization: string): string | null {
  const secret = readBearer(authorization);
  return secret === null ? null : digestOf(secret);
}

export function createKeyRing(accounts: AccountStore, tariffs: Tariffs): KeyRing {
  const byDigest = new Map<string, RingKey>();
  const digestsOf = new Map<string, readonly string[]>();
  /** By the header of keys in use, never of guesses: whether they still count is asked of `byDigest` each time. */
  const digests = new Recall<string>();
  let version = -1;
  let used = new Set<RingKey>();

  const drop = (accountId: string) => {
    for (const digest of digestsOf.get(accountId) ?? []) byDigest.delete(digest);
    digestsOf.delete(accountId);
  };
  const adopt = ({ account, keys }: AccountWithKeys) => {
    drop(account.id);
    if (account.suspendedAt !== null) return;
    const holder = { accountId: account.id, tariff: tariffs.of(account) };
    const active = keys.filter(({ key }) => key.revokedAt === null);
    for (const { key, digest } of active) byDigest.set(digest, { id: key.id, holder, usedAt: 0 });
    digestsOf.set(
      account.id,
      active.map(({ digest }) => digest),
    );
  };
  const adoptAll = () => {
    // Read first: where that fails, the keys that were known stay known.
    const all = accounts.list();
    byDigest.clear();
    digestsOf.clear();
    all.forEach(adopt);
  };
  const adoptChanged = (id: string) => {
    const found = accounts.withKeys(id);
    if (found === null) drop(id);
    else adopt(found);
  };

  return {
    holder(authorization, now) {
      const known = digests.get(authorization, now);
      const digest = known ?? digestIn(authorization);
      const key = digest === null ? undefined : byDigest.get(digest);
      if (digest === null || key === undefined) return null;
      if (known === undefined) digests.set(authorization, digest, now);
      const second = Math.floor(now / 1_000);
      if (key.usedAt !== second) {
        key.usedAt = second;
        used.add(key);
      }
      return key.holder;
    },
    refresh() {
      const latest = accounts.version();
      if (latest === version) return;
      // Read before the accounts are, so that a change in between is seen again rather than missed.
      const changes = version < 0 ? null : accounts.changesSince(version);
      if (changes === null) adoptAll();
      else changes.forEach(adoptChanged);
      // Last, so that what could not be read is read again at the next tick.
      version = latest;
    },
    async saveUses() {
      if (used.size === 0) return;
      const saving = used;
      used = new Set();
      try {
        await accounts.noteUses(new Map([...saving].map((key) => [key.id, key.usedAt])));
      } catch (error) {
        for (const key of saving) used.add(key);
        throw error;
      }
    },
  };
}
