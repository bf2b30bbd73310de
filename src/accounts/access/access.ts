/**
 * Identifies the caller (401 for a bad key), then applies the quotas of the account or the client address (429). Access
 * returns numbers; http turns them into headers and texts.
 */
import type { Config } from '../../config.ts';
import type { Log } from '../../log/log.ts';
import type { SignupOrigin } from '../../ports/account-directory.ts';
import {
  type Demand,
  type Ledger,
  type QuotaPolicy,
  type QuotaState,
  type TakeOutcome,
  unitsEver,
} from '../../ports/ledger.ts';
import type { Secrets } from '../../ports/state.ts';
import type { Access, AccessRequest, Admission, AdmittedRequest, Caller } from './admission.ts';
import { clientAddresses, ignoredForwardedFor } from './client-address.ts';
import type { KeyRing } from './key-ring.ts';
import { accessLimits } from './limits.ts';
import type { Tariffs } from './tariffs.ts';

interface AccessParts {
  readonly config: Config;
  readonly tariffs: Tariffs;
  readonly ring: KeyRing;
  readonly ledger: Ledger;
  readonly secrets: Secrets;
  readonly log: Pick<Log, 'warn'>;
}

/** Somebody signs in on the account page. */
interface SignInAttempt {
  /** As typed. */
  readonly key: string;
  readonly peer: string;
  readonly forwardedFor: string | null;
  /** Epoch milliseconds. */
  readonly now: number;
}

type SignInCheck =
  | { readonly outcome: 'known'; readonly accountId: string; readonly keyId: string }
  | { readonly outcome: 'unknown' }
  /** The client has guessed too often. It may try again at `returnsAt`, by the clock of `quota`. */
  | { readonly outcome: 'exhausted'; readonly quota: QuotaState; readonly returnsAt: number };

export interface FrontAccess extends Access {
  /** Looks a key up. In 60 seconds a client can try as many keys that are not active as it can make searches. */
  signIn(attempt: SignInAttempt): SignInCheck | Promise<SignInCheck>;
  /** Identifies a client of the sign-up page. */
  signupOrigin(peer: string, forwardedFor: string | null, now: number): SignupOrigin;
}

export function createAccess({ config, tariffs, ring, ledger, secrets, log }: AccessParts): FrontAccess {
  const clients = clientAddresses(config.trustedProxies, secrets.client, ignoredForwardedFor(log));
  const keyHolder = (authorization: string | null, now: number) =>
    authorization === null ? null : (ring.find(authorization, now)?.holder ?? null);
  const identify = (request: AccessRequest): Caller => {
    const { authorization, now } = request;
    const token = request.token ?? null;
    const keyed = keyHolder(authorization, now);
    const holder = token === null ? keyed : ring.holderOfToken(token, now);
    const allActive = authorization === null || keyed !== null;
    if (holder !== null && allActive) return holder;
    // Read only here: each costs a request more than its key, and the peer's address takes a system call.
    const { peer, forwardedFor } = request;
    const id = clients.subject(peer, forwardedFor, now);
    return { id, policy: tariffs.anonymous, badKey: authorization !== null || token !== null };
  };
  const refusable = config.limitsMode === 'enforce';
  const counting = config.limitsMode !== 'off';
  return {
    admit(request) {
      const caller = identify(request);
      const { id, badKey } = caller;
      if (!counting || (request.units === 0 && !badKey)) {
        return badKey ? { outcome: 'unauthorized', caller: id, quota: null } : uncounted(caller);
      }
      const demand = demandOf(caller, request, refusable);
      return after(ledger.take(demand), (taking) => admission(ledger, demand, taking));
    },
    signIn({ key, peer, forwardedFor, now }) {
      const known = ring.find(`Bearer ${key}`, now);
      if (known !== null) return { outcome: 'known', accountId: known.holder.id, keyId: known.id };
      if (!counting) return { outcome: 'unknown' };
      const caller = {
        // No caller of the API has this name, so guesses never use up a quota of the API.
        id: `sign:${clients.subject(peer, forwardedFor, now)}`,
        policy: tariffs.anonymous,
        badKey: true,
      };
      const demand = demandOf(caller, { window: 'search', units: 1, now }, refusable);
      return after(ledger.take(demand), failedSignIn);
    },
    admitPage(request) {
      // No caller of the API has such a name, so pages never use up a quota of the API.
      const caller = `page:${clients.subject(request.peer, request.forwardedFor, request.now)}`;
      if (!counting) return uncounted({ id: caller, policy: tariffs.pages });
      const demand = pageDemand(caller, request, tariffs.pages, refusable);
      return after(ledger.take(demand), (taking) => admitted(ledger, demand, taking));
    },
    serviceFailed: counting ? failureCounter(ledger, tariffs) : async () => {},
    signupOrigin: (peer, forwardedFor, now) => ({
      client: clients.subject(peer, forwardedFor, now),
      network: clients.network(peer, forwardedFor, now),
      limits: signupLimits(config),
    }),
  };
}

/** Counts failures of the service for each client: some are free, and each further one costs one of the burst. */
function failureCounter(ledger: Ledger, tariffs: Tariffs): Access['serviceFailed'] {
  return async (caller, window, now) => {
    const one = { units: 1, countsForDay: false, now };
    const failures = { caller: `fail:${caller}`, policy: freeFailures, window: 'search' } as const;
    const taking = await ledger.take({ ...one, ...failures, refusable: true });
    if (taking.outcome === 'taken') return;
    await ledger.take({ ...one, caller, policy: tariffs.anonymous, window, refusable: false });
  };
}

/** Counted in a window of their own, so that all fronts and nodes count together. */
const freeFailures: QuotaPolicy = { daily: 0, lookup: 0, search: accessLimits.freeFailuresPerMinute };

/** Accounts that the sign-up page creates per UTC day. */
function signupLimits({ signupsByClient, signupsByNetwork, signupsInAll }: Config): SignupOrigin['limits'] {
  return { byClient: signupsByClient, byNetwork: signupsByNetwork, inAll: signupsInAll };
}

/** With LEI_LIMITS=off, and for requests that cost nothing. */
function uncounted({ id, policy }: Pick<Caller, 'id' | 'policy'>): AdmittedRequest {
  return { outcome: 'admitted', caller: id, policy, quota: null, refund: () => null };
}

/** Goes on at once if the ledger answers at once. */
function after<Next>(
  taking: TakeOutcome | Promise<TakeOutcome>,
  next: (taking: TakeOutcome) => Next,
): Next | Promise<Next> {
  return taking instanceof Promise ? taking.then(next) : next(taking);
}

/**
 * A bad key costs its client one unit of the burst window, and nothing of the day. A request for more than the limits
 * ever allow costs one, and a later step answers it with 400.
 */
function demandOf(
  { id, policy, badKey }: Caller,
  request: Pick<AccessRequest, 'window' | 'units' | 'now'>,
  refusable: boolean,
): Demand {
  const { window, units, now } = request;
  const neverAllowed = refusable && units > unitsEver(policy, window);
  return {
    caller: id,
    policy,
    window,
    units: badKey || neverAllowed ? 1 : units,
    countsForDay: !badKey,
    refusable,
    now,
  };
}

/** A page that weighs more than a limit costs all of it; otherwise nobody could ever open it. */
function pageDemand(
  caller: string,
  { units, countsForDay, now }: Parameters<Access['admitPage']>[0],
  policy: QuotaPolicy,
  refusable: boolean,
): Demand {
  const most = Math.max(1, unitsEver(policy, 'search'));
  return { caller, policy, window: 'search', units: Math.min(units, most), countsForDay, refusable, now };
}

function failedSignIn(taking: TakeOutcome): SignInCheck {
  if (taking.outcome === 'taken') return { outcome: 'unknown' };
  return { outcome: 'exhausted', quota: taking.quota, returnsAt: taking.returnsAt };
}

function admission(ledger: Ledger, demand: Demand, taking: TakeOutcome): Admission {
  if (taking.outcome === 'refused' || demand.countsForDay) return admitted(ledger, demand, taking);
  return { outcome: 'unauthorized', caller: demand.caller, quota: taking.quota };
}

function admitted(
  ledger: Ledger,
  demand: Demand,
  taking: TakeOutcome,
): Exclude<Admission, { readonly outcome: 'unauthorized' }> {
  const { quota } = taking;
  if (taking.outcome === 'taken') return new AdmittedDemand(ledger, demand, quota);
  const { violatedPolicies, returnsAt } = taking;
  return { outcome: 'exhausted', caller: demand.caller, quota, violatedPolicies, returnsAt };
}

/** A class, because every request creates one, and closures would be created with it each time. */
class AdmittedDemand implements AdmittedRequest {
  readonly outcome = 'admitted';
  readonly caller: string;
  readonly policy: QuotaPolicy;
  readonly #ledger: Ledger;
  readonly #demand: Demand;
  #quota: QuotaState;
  #refunded = false;

  constructor(ledger: Ledger, demand: Demand, quota: QuotaState) {
    this.caller = demand.caller;
    this.policy = demand.policy;
    this.#ledger = ledger;
    this.#demand = demand;
    this.#quota = quota;
  }

  get quota(): QuotaState {
    return this.#quota;
  }

  refund(computed = 0): QuotaState {
    const units = this.#demand.units - computed;
    if (!this.#refunded && units > 0) this.#quota = this.#ledger.giveBack(this.#demand, units);
    this.#refunded = true;
    return this.#quota;
  }
}
