/**
 * AccountDirectory: the port to accounts and their keys. Reads use a versioned copy, at once and in memory or in the
 * memory map. Every change is one transaction that raises the version.
 */

/** Limits of one account; null means the configured one. */
export interface AccountLimits {
  /** Requests per UTC day over all keys. */
  readonly daily: number | null;
  /** Identifier look-ups per minute. */
  readonly burstLookup: number | null;
  /** Searches, relationships and changes per minute. */
  readonly burstSearch: number | null;
}

export const noOwnLimits: AccountLimits = { daily: null, burstLookup: null, burstSearch: null };

/** The limits of the whole service that `lei limits` changes; by the names of their settings. */
export const serviceLimitNames = [
  'anonymousDaily',
  'accountDaily',
  'burstLookup',
  'burstSearch',
  'pagesDaily',
  'pagesBurst',
] as const;
type ServiceLimitName = (typeof serviceLimitNames)[number];

/** The limits that were changed; for one that is absent the configured one applies. */
export type ServiceLimits = Readonly<Partial<Record<ServiceLimitName, number>>>;

/** New values of some of them; null restores the configured one. */
export type ServiceLimitChanges = Readonly<Partial<Record<ServiceLimitName, number | null>>>;

/** Stands in {@link AccountDirectory.changesSince} for the limits of the whole service. No account has this id. */
export const wholeService = 'service';

/** The details given to get an account. */
export interface Applicant {
  readonly email: string;
  readonly company: string;
  /** The intended use of the data, in the holder's words. */
  readonly use: string;
}

export interface Account extends Applicant, AccountLimits {
  /** `acc_` and 16 of `[A-Za-z0-9]`. */
  readonly id: string;
  readonly createdAt: string;
  /** While not null, every key of the account is refused. */
  readonly suspendedAt: string | null;
}

/** The use of a key: all operations, or only as a token in the addresses of /reconcile. */
export type KeyKind = 'api' | 'reconcile';

/** A key without its secret, which is stored nowhere. */
export interface ApiKey {
  /** `key_` and 16 of `[A-Za-z0-9]`. */
  readonly id: string;
  readonly accountId: string;
  /**
   * The beginning of the secret, by which its holder recognises it. It shows the kind: `lei_live_`, `lei_reconcile_`.
   */
  readonly prefix: string;
  /** The holder's name for it; null if it has no name. */
  readonly name: string | null;
  readonly createdAt: string;
  /** To the second, at most a second behind. */
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

/** An account with the digests of its keys, by which a service recognises its callers. */
export interface AccountWithKeys {
  readonly account: Account;
  /** `digest` is the SHA-256 of the secret, base64. */
  readonly keys: readonly { readonly key: ApiKey; readonly digest: string }[];
}

export interface IssuedKey {
  readonly key: ApiKey;
  /** Shown once, stored nowhere. */
  readonly secret: string;
}

/** Accounts that the sign-up page creates per UTC day. */
interface SignupLimits {
  readonly byClient: number;
  /** An IPv4 /24 or an IPv6 /48. Once half of `inAll` is used, one. */
  readonly byNetwork: number;
  readonly inAll: number;
}

/** The client of the sign-up page as keyed hashes, and the limits of sign-ups. */
export interface SignupOrigin {
  readonly client: string;
  readonly network: string;
  readonly limits: SignupLimits;
}

/** Why the sign-up page creates no account: the daily limit of the client, of its network, or of all. */
export type SignupRefusal = 'client-limit' | 'network-limit' | 'daily-limit';

export type AccountCreation =
  | ({ readonly outcome: 'created'; readonly account: Account } & IssuedKey)
  | { readonly outcome: 'address-taken' }
  | { readonly outcome: SignupRefusal };

/** The choices for a further key. */
export interface KeyDetails {
  readonly name?: string | null;
  /** `api` by default. */
  readonly kind?: KeyKind;
}

export type KeyCreation =
  | ({ readonly outcome: 'created' } & IssuedKey)
  | { readonly outcome: 'no-such-account' }
  | { readonly outcome: 'too-many-keys' };

/** An account in a backup. */
export interface AccountRecord extends Account {
  /** Every key ever issued, including revoked ones. */
  readonly keyIds: readonly string[];
}

/** A key in a backup. */
export interface KeyRecord extends Omit<ApiKey, 'lastUsedAt'> {
  /** SHA-256 of the secret, base64. */
  readonly digest: string;
}

export interface DirectoryRecords {
  readonly accounts: readonly AccountRecord[];
  readonly keys: readonly KeyRecord[];
  readonly serviceLimits: ServiceLimits;
}

export type Import =
  | { readonly accounts: number; readonly keys: number }
  | { readonly addressesTaken: readonly string[] };

/** The side whose limits and key names hold where both sides have some: this directory, or the given records. */
export type PrevailingSide = 'here' | 'given';

/** `accounts` and `keys` were added, `merged` accounts were here and changed. */
export type Merge =
  | { readonly accounts: number; readonly keys: number; readonly merged: number }
  | { readonly addressesTaken: readonly string[] };

export interface AccountDirectory {
  /** By id or by e-mail address; all spellings of an address are equal. */
  find(idOrEmail: string): Account | null;
  withKeys(accountId: string): AccountWithKeys | null;
  /** Oldest first. */
  list(): readonly AccountWithKeys[];
  /** Rises with every change by any process. */
  version(): number;
  /**
   * Ids of the accounts that may have changed, and {@link wholeService} if its limits may have; null if there are too
   * many: then read everything again.
   */
  changesSince(version: number): readonly string[] | null;
  /** @param origin set for the sign-up page, whose accounts are limited by client, network and day */
  create(
    applicant: Applicant,
    limits: AccountLimits,
    now: Date,
    origin?: SignupOrigin,
  ): Promise<AccountCreation>;
  /** Null if there is no such account, as for the next two. */
  suspend(accountId: string, now: Date): Promise<Account | null>;
  resume(accountId: string): Promise<Account | null>;
  setLimits(accountId: string, limits: AccountLimits): Promise<Account | null>;
  serviceLimits(): ServiceLimits;
  /** Changes the given limits of the whole service, and leaves the others. @returns all that are changed now */
  changeServiceLimits(changes: ServiceLimitChanges): Promise<ServiceLimits>;
  /** Removes the account and its keys; false if there is none. */
  remove(accountId: string): Promise<boolean>;
  createKey(accountId: string, now: Date, details?: KeyDetails): Promise<KeyCreation>;
  /** Null if there is no such key. @param name null for none */
  nameKey(keyId: string, name: string | null): Promise<ApiKey | null>;
  /** Null if there is no such key; a revoked one keeps its first time of revocation. */
  revokeKey(keyId: string, now: Date): Promise<ApiKey | null>;
  /** Records when keys were last used, epoch seconds by key id. */
  noteUses(uses: ReadonlyMap<string, number>): Promise<void>;
  exportRecords(): DirectoryRecords;
  /**
   * Adds the records whose accounts are missing, and limits of the service that are not changed here. Adds none if newer
   * accounts have one of the addresses.
   */
  importRecords(records: DirectoryRecords): Promise<Import>;
  /**
   * The same, and merges accounts that both have: the keys of both, revoked or suspended if either side says so, own
   * limits and names of keys of either side. A second merge changes nothing.
   */
  mergeRecords(records: DirectoryRecords, prevailing: PrevailingSide): Promise<Merge>;
  /** Attempts on the sign-up page on a UTC day. */
  signupsOn(day: Date): number;
  /** Forgets sign-ups of days before this one (days since 1970-01-01 UTC). */
  forgetSignupsBefore(day: number): Promise<void>;
  /**
   * Erases what deleted accounts have left in the files of this node. Removing an account does so; this finishes what a
   * kill has interrupted, and what other nodes have removed.
   */
  eraseDeleted(): Promise<void>;
}
