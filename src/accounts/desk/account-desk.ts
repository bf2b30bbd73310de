/**
 * Serves the sign-up and the account page of every front in the main thread, which alone writes the state: accounts,
 * sessions, and changes that their holders request. Each form makes one change.
 */
import type { Log } from '../../log/log.ts';
import type { Account, AccountDirectory, ApiKey, KeyKind } from '../../ports/account-directory.ts';
import { dayOf } from '../../ports/ledger.ts';
import type { FormClaim, Session, Sessions } from '../../ports/sessions.ts';
import type { DayUsage, UsageHistory } from '../../ports/state.ts';
import { createSignUp, type SignupOutcome, type SignupRequest } from './sign-up.ts';

/** What a front asks. Plain data; `digest` is that of the session's id, `now` epoch milliseconds. */
export type AccountRequest =
  | ({ readonly ask: 'sign-up' } & SignupRequest)
  | {
      readonly ask: 'sign-in';
      readonly digest: string;
      readonly session: Session;
      /** The digest of a session that the browser had, which ends. */
      readonly before: string | null;
    }
  | { readonly ask: 'show'; readonly digest: string; readonly now: number }
  | {
      readonly ask: 'change';
      readonly digest: string;
      readonly now: number;
      /** The random name of the form. */
      readonly form: string;
      readonly change: AccountChange;
    };

export type AccountChange =
  | { readonly action: 'create-key'; readonly name: string | null; readonly kind: KeyKind }
  | { readonly action: 'name-key'; readonly keyId: string; readonly name: string | null }
  | { readonly action: 'revoke-key'; readonly keyId: string }
  | { readonly action: 'delete-account' }
  | { readonly action: 'sign-out' };

/** What the page shows to a signed-in user. */
export interface AccountView {
  readonly account: Account;
  /** In the order in which they were made. */
  readonly keys: readonly ApiKey[];
  /** Earliest first; only days on which something was used. */
  readonly usage: readonly DayUsage[];
  readonly session: Session;
}

export type AccountReply =
  | SignupOutcome
  | { readonly outcome: 'signed-in' }
  | { readonly outcome: 'too-many-sessions' }
  | { readonly outcome: 'shown'; readonly view: AccountView }
  /** Nobody is signed in. */
  | { readonly outcome: 'ended' }
  | {
      readonly outcome: 'key-created';
      readonly key: ApiKey;
      readonly kind: KeyKind;
      readonly secret: string;
    }
  | { readonly outcome: 'key-named' | 'key-revoked' | 'account-deleted' | 'signed-out' }
  | { readonly outcome: Undone };

/** Why a change was not made. */
type Undone = 'sent-before' | 'too-many-forms' | 'too-many-keys' | 'no-such-key';

/** Rejects if the state can't be written. */
export type AccountDesk = (request: AccountRequest) => Promise<AccountReply>;

interface AccountDeskParts {
  readonly accounts: AccountDirectory;
  readonly sessions: Sessions;
  readonly usage: UsageHistory;
  /** Resolves once every front knows the current keys. */
  readonly tellFronts: () => unknown;
  readonly log: Pick<Log, 'info'>;
}

export function createAccountDesk(parts: AccountDeskParts): AccountDesk {
  const signUp = createSignUp(parts);
  return async (request) => {
    switch (request.ask) {
      case 'sign-up':
        return signUp(request);
      case 'sign-in':
        return signIn(parts, request);
      case 'show':
        return show(parts, request);
      case 'change':
        return claimAndChange(parts, request);
    }
  };
}

async function signIn(
  { sessions }: AccountDeskParts,
  { digest, session, before }: AccountRequest & { ask: 'sign-in' },
): Promise<AccountReply> {
  if (before !== null) await sessions.end(before);
  const opened = await sessions.open(digest, session);
  return { outcome: opened ? 'signed-in' : 'too-many-sessions' };
}

async function show(
  { accounts, sessions, usage }: AccountDeskParts,
  { digest, now }: AccountRequest & { ask: 'show' },
): Promise<AccountReply> {
  const session = await sessions.find(digest, now);
  const found = session === null ? null : accounts.withKeys(session.accountId);
  if (session === null || found === null) return { outcome: 'ended' };
  const { account, keys } = found;
  const days = await usage.of(account.id, dayOf(now));
  return {
    outcome: 'shown',
    view: { account, keys: keys.map(({ key }) => key), usage: days, session },
  };
}

async function claimAndChange(
  parts: AccountDeskParts,
  { digest, now, form, change }: AccountRequest & { ask: 'change' },
): Promise<AccountReply> {
  const session = await parts.sessions.find(digest, now);
  if (session === null) return { outcome: 'ended' };
  // Sign out even if the session has used up its forms.
  if (change.action === 'sign-out') {
    await parts.sessions.end(digest);
    return { outcome: 'signed-out' };
  }
  const claim = await parts.sessions.claim(digest, form, now);
  if (claim !== 'claimed') return { outcome: unclaimed[claim] };
  const reply = await changeAccount(parts, session.accountId, change, new Date(now));
  // A new key must work, and a revoked one must be refused, before its holder sees the page.
  await parts.tellFronts();
  return reply;
}

const unclaimed = {
  'sent-before': 'sent-before',
  'too-many': 'too-many-forms',
  ended: 'ended',
} as const satisfies Record<Exclude<FormClaim, 'claimed'>, AccountReply['outcome']>;

async function changeAccount(
  { accounts, log }: AccountDeskParts,
  accountId: string,
  change: Exclude<AccountChange, { action: 'sign-out' }>,
  now: Date,
): Promise<AccountReply> {
  const { action } = change;
  const tell = (what: string) => log.info(`${what} on the account page.`, { account: accountId });
  if (action === 'delete-account') {
    if (await accounts.remove(accountId)) tell('An account was deleted');
    return { outcome: 'account-deleted' };
  }
  if (action === 'create-key') {
    const made = await accounts.createKey(accountId, now, { name: change.name, kind: change.kind });
    if (made.outcome === 'no-such-account') return { outcome: 'ended' };
    if (made.outcome === 'too-many-keys') return { outcome: 'too-many-keys' };
    tell('A key was created');
    return { outcome: 'key-created', key: made.key, kind: change.kind, secret: made.secret };
  }
  if (!hasKey(accounts, accountId, change.keyId)) return { outcome: 'no-such-key' };
  if (action === 'name-key') {
    await accounts.nameKey(change.keyId, change.name);
    return { outcome: 'key-named' };
  }
  await accounts.revokeKey(change.keyId, now);
  tell('A key was revoked');
  return { outcome: 'key-revoked' };
}

/** Whether the key is one of this account's: its id comes from a form. */
function hasKey(accounts: AccountDirectory, accountId: string, keyId: string): boolean {
  return accounts.withKeys(accountId)?.keys.some(({ key }) => key.id === keyId) ?? false;
}
