/** Keeps every active key by its digest, in the memory of one front, and collects when keys were last used. */
import type { AccountDirectory, AccountLimits } from '../../ports/account-directory.ts';
import type { QuotaPolicy } from '../../ports/ledger.ts';
import { digestOf, isWellFormedSecret } from '../state/key.ts';
import type { AccountNews, KnownAccount } from './account-feed.ts';
import type { Caller } from './admission.ts';
import { accessLimits } from './limits.ts';
import type { Tariffs } from './tariffs.ts';

/** The account of a key, as the caller of its requests. */
interface KeyHolder extends Caller {
  readonly badKey: false;
  readonly limits: AccountLimits;
  policy: QuotaPolicy;
}

interface RingKey {
  readonly id: string;
  readonly holder: KeyHolder;
  /** Epoch seconds of the last use since the key was read; 0 before the first. */
  usedAt: number;
}

export interface KeyRing {
  /** The active key in an `Authorization` header; records its use. Null if there is none. */
  find(authorization: string, now: number): RingKey | null;
  /** The holder of the token in an address of /reconcile; records the key's use. Null if it is not active. */
  holderOfToken(token: string, now: number): KeyHolder | null;
  /** Applies changed accounts, keys and limits of accounts. */
  adopt(news: AccountNews): void;
  /** Gives every holder the policy of the tariffs, which were renewed. */
  renewPolicies(): void;
}

/** Receives a key's use, once a second at most. @param second epoch seconds */
export type NoteUse = (keyId: string, second: number) => void;

/** RFC 6750; RFC 9110 makes the scheme case-insensitive. */
const bearer = /^bearer +([A-Za-z0-9_]+)$/i;

/** The digest of the well-formed key in an `Authorization` header; null if it contains anything else. */
function digestIn(authorization: string): string | null {
  if (authorization.length > accessLimits.authorizationCharactersMax) return null;
  // Nearly every client writes the scheme like this; other spellings need the pattern.
  const usual = authorization.startsWith('Bearer lei_');
  const secret = usual ? authorization.slice('Bearer '.length) : bearer.exec(authorization)?.[1];
  return secret !== undefined && isWellFormedSecret(secret) ? digestOf(secret) : null;
}

/** An empty ring. */
export function createKeyRing(tariffs: Tariffs, noteUse: NoteUse): KeyRing {
  const byDigest = new Map<string, RingKey>();
  const digestsOf = new Map<string, readonly string[]>();
  /**
   * Digests by the header of keys in use, never of guesses. `byDigest` decides each time whether they are still valid.
   */
  const digests = new Recall<string>();

  const drop = (accountId: string) => {
    for (const digest of digestsOf.get(accountId) ?? []) byDigest.delete(digest);
    digestsOf.delete(accountId);
  };
  const adopt = ({ id: accountId, limits, keys }: KnownAccount) => {
    drop(accountId);
    const holder: KeyHolder = { id: accountId, badKey: false, limits, policy: tariffs.of(limits) };
    for (const { id, digest } of keys) byDigest.set(digest, { id, holder, usedAt: 0 });
    digestsOf.set(
      accountId,
      keys.map(({ digest }) => digest),
    );
  };

  const used = (key: RingKey, now: number): RingKey => {
    const second = Math.floor(now / 1_000);
    if (key.usedAt !== second) {
      key.usedAt = second;
      noteUse(key.id, second);
    }
    return key;
  };

  const find = (authorization: string, now: number): RingKey | null => {
    const known = digests.get(authorization, now);
    const digest = known ?? digestIn(authorization);
    const key = digest === null ? undefined : byDigest.get(digest);
    if (digest === null || key === undefined) return null;
    if (known === undefined) digests.set(authorization, digest, now);
    return used(key, now);
  };

  return {
    find,
    // Don't cache its digest: a lookup by header must not find a token.
    holderOfToken(token, now) {
      const key = isWellFormedSecret(token, 'reconcile') ? byDigest.get(digestOf(token)) : undefined;
      return key === undefined ? null : used(key, now).holder;
    },
    adopt({ complete, accounts, gone }) {
      if (complete) {
        byDigest.clear();
        digestsOf.clear();
      }
      accounts.forEach(adopt);
      gone.forEach(drop);
    },
    renewPolicies() {
      for (const { holder } of byDigest.values()) holder.policy = tariffs.of(holder.limits);
    },
  };
}

/** The last use of each key, in every front and for all of them, until the directory has saved it. */
export interface KeyUses {
  readonly note: NoteUse;
  /** Saves the uses in the directory. After a failure the next call includes them. */
  save(accounts: Pick<AccountDirectory, 'noteUses'>): Promise<void>;
}

export function keyUses(): KeyUses {
  let used = new Map<string, number>();
  const note: NoteUse = (keyId, second) => {
    used.set(keyId, Math.max(second, used.get(keyId) ?? 0));
  };
  return {
    note,
    async save(accounts) {
      if (used.size === 0) return;
      const saving = used;
      used = new Map();
      try {
        await accounts.noteUses(saving);
      } catch (error) {
        for (const [keyId, second] of saving) note(keyId, second);
        throw error;
      }
    },
  };
}

/**
 * Keeps results that are expensive to compute, by the text that they are computed from. It keeps two generations: a
 * result that is not used during a whole generation is dropped, so the memory is bounded.
 */
export class Recall<Result> {
  #young = new Map<string, Result>();
  #old = new Map<string, Result>();
  /** Epoch milliseconds at which the young generation began. */
  #born = 0;

  /** @param now epoch milliseconds */
  get(text: string, now: number): Result | undefined {
    const known = this.#young.get(text);
    if (known !== undefined && !this.#isOutdated(now)) return known;
    const earlier = known ?? this.#old.get(text);
    if (earlier !== undefined) this.set(text, earlier, now);
    return earlier;
  }

  set(text: string, result: Result, now: number): void {
    if (this.#isOutdated(now) || this.#young.size >= accessLimits.rememberedMax) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#born = now;
    }
    this.#young.set(text, result);
  }

  /** Also true if the clock was set back. */
  #isOutdated(now: number): boolean {
    return Math.abs(now - this.#born) >= accessLimits.rememberedMs;
  }
}
