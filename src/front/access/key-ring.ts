/** Every active key by its digest, in memory; follows the changes of the account directory. */
import type { AccountDirectory, AccountWithKeys } from '../../ports/account-directory.ts';
import type { QuotaPolicy } from '../../ports/ledger.ts';
import { digestOf } from '../../state/key.ts';
import { readBearer } from './bearer.ts';
import { Recall } from './recall.ts';
import type { Tariffs } from './tariffs.ts';

export interface Holder {
  readonly accountId: string;
  readonly policy: QuotaPolicy;
}

interface RingKey {
  readonly id: string;
  readonly holder: Holder;
  /** Epoch seconds of the last use since the key was read; 0 before the first. */
  usedAt: number;
}

export interface KeyRing {
  /** The holder of the active key in an `Authorization` header; notes the use. Null where there is none. */
  holder(authorization: string, now: number): Holder | null;
  /** Takes over the changes of the directory; cheap where there are none. */
  refresh(): void;
  /** Notes in the directory when keys were used. */
  saveUses(): Promise<void>;
}

function digestIn(authorization: string): string | null {
  const secret = readBearer(authorization);
  return secret === null ? null : digestOf(secret);
}

export function createKeyRing(accounts: AccountDirectory, tariffs: Tariffs): KeyRing {
  const byDigest = new Map<string, RingKey>();
  const digestsOf = new Map<string, readonly string[]>();
  /** Digests by the header of keys in use, never of guesses. `byDigest` says each time whether they still count. */
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
    const holder = { accountId: account.id, policy: tariffs.of(account) };
    const active = keys.filter(({ key }) => key.revokedAt === null);
    for (const { key, digest } of active) byDigest.set(digest, { id: key.id, holder, usedAt: 0 });
    digestsOf.set(
      account.id,
      active.map(({ digest }) => digest),
    );
  };
  const adoptAll = () => {
    // Read first: where that fails, the known keys stay known.
    const all = accounts.list();
    byDigest.clear();
    digestsOf.clear();
    all.forEach(adopt);
  };
  const adoptChanged = (id: string) => {
    const changed = accounts.withKeys(id);
    if (changed === null) drop(id);
    else adopt(changed);
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
      // Read the version before the accounts: a change in between is then seen twice rather than missed.
      const changes = version < 0 ? null : accounts.changesSince(version);
      if (changes === null) adoptAll();
      else changes.forEach(adoptChanged);
      // Last: after a failure the next tick reads the same changes again.
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
