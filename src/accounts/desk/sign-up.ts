/**
 * Creates the accounts of the sign-up page, for every front: once per form, and each key is known to every front before
 * it is shown.
 */
import type { Log } from '../../log/log.ts';
import {
  type AccountCreation,
  type AccountDirectory,
  type Applicant,
  noOwnLimits,
  type SignupOrigin,
} from '../../ports/account-directory.ts';

/** A form that was parsed and checked. Plain data. */
export interface SignupRequest {
  /** The random name of the form; null if it has none. */
  readonly form: string | null;
  readonly applicant: Applicant;
  readonly origin: SignupOrigin;
  /** Epoch milliseconds. */
  readonly now: number;
}

export type SignupOutcome = AccountCreation | { readonly outcome: 'already-sent' };

/** The most names of sent forms that are remembered; the oldest are forgotten first. */
const sentFormsMax = 10_000;

/** Rejects if the directory can't be written. */
type SignUp = (request: SignupRequest) => Promise<SignupOutcome>;

interface SignupDeskParts {
  readonly accounts: Pick<AccountDirectory, 'create'>;
  /** Resolves once every front knows the current keys. */
  readonly tellFronts: () => unknown;
  readonly log: Pick<Log, 'info'>;
}

export function createSignUp({ accounts, tellFronts, log }: SignupDeskParts): SignUp {
  const sent = new Set<string>();
  const create = async ({ applicant, origin, now }: SignupRequest): Promise<AccountCreation> => {
    const made = await accounts.create(applicant, noOwnLimits, new Date(now), origin);
    if (made.outcome !== 'created') return made;
    log.info('An account was created on the sign-up page.', { account: made.account.id });
    // The key must work before its holder sees it.
    await tellFronts();
    return made;
  };
  return async (request) => {
    const { form } = request;
    if (form === null) return create(request);
    if (sent.has(form)) return { outcome: 'already-sent' };
    // Claim the form before any await, so that only one of two simultaneous requests continues.
    claim(sent, form);
    try {
      const made = await create(request);
      if (made.outcome !== 'created') sent.delete(form);
      return made;
    } catch (error) {
      sent.delete(form);
      throw error;
    }
  };
}

function claim(sent: Set<string>, form: string): void {
  sent.add(form);
  for (const oldest of sent) {
    if (sent.size <= sentFormsMax) break;
    sent.delete(oldest);
  }
}
