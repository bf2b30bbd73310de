/** Follows the account directory and reports changes to every front, as plain data that crosses threads. */
import {
  type AccountDirectory,
  type AccountLimits,
  type AccountWithKeys,
  type ServiceLimits,
  wholeService,
} from '../../ports/account-directory.ts';

/** The facts about an account that a front keeps. */
export interface KnownAccount {
  readonly id: string;
  readonly limits: AccountLimits;
  /** The active keys; none if the account is suspended. `digest` is the SHA-256 of the secret, base64. */
  readonly keys: readonly { readonly id: string; readonly digest: string }[];
}

export interface AccountNews {
  /** True if the list is complete: the front then forgets all other accounts. */
  readonly complete: boolean;
  readonly accounts: readonly KnownAccount[];
  /** Ids of accounts that were deleted. */
  readonly gone: readonly string[];
  /** The limits of the whole service that were changed. */
  readonly serviceLimits: ServiceLimits;
}

export interface AccountFeed {
  /** Reports what changed since the last call. Cheap if nothing did. Throws if the directory can't be read. */
  refresh(): void;
}

/** Every account, for a new front. Throws if the directory can't be read. */
export function allAccounts(accounts: Pick<AccountDirectory, 'list' | 'serviceLimits'>): AccountNews {
  const serviceLimits = accounts.serviceLimits();
  return { complete: true, accounts: accounts.list().map(known), gone: [], serviceLimits };
}

/** @param tell receives each change, before `refresh` returns */
export function accountFeed(accounts: AccountDirectory, tell: (news: AccountNews) => void): AccountFeed {
  let version = -1;
  const changesOf = (changed: readonly string[]): AccountNews => {
    const ids = changed.filter((id) => id !== wholeService);
    const found = ids.map((id) => accounts.withKeys(id));
    return {
      complete: false,
      accounts: found.flatMap((account) => (account === null ? [] : known(account))),
      gone: ids.filter((_, index) => found[index] === null),
      serviceLimits: accounts.serviceLimits(),
    };
  };
  return {
    refresh() {
      const latest = accounts.version();
      if (latest === version) return;
      // Read the version before the accounts: a change in between is then seen twice instead of being missed.
      const changes = version < 0 ? null : accounts.changesSince(version);
      tell(changes === null ? allAccounts(accounts) : changesOf(changes));
      // Do this last: after a failure the next call reads the same changes again.
      version = latest;
    },
  };
}

function known({ account, keys }: AccountWithKeys): KnownAccount {
  const { id, daily, burstLookup, burstSearch, suspendedAt } = account;
  const active = suspendedAt === null ? keys.filter(({ key }) => key.revokedAt === null) : [];
  return {
    id,
    limits: { daily, burstLookup, burstSearch },
    keys: active.map(({ key, digest }) => ({ id: key.id, digest })),
  };
}
