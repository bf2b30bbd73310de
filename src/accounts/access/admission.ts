/** The request as access sees it, and the decision whether it may be answered. */
import type { BurstWindow, Demand, QuotaPolicy, QuotaState, ViolatedPolicy } from '../../ports/ledger.ts';

export interface AccessRequest {
  /** The header as sent; null if absent. */
  readonly authorization: string | null;
  /** The token in an address of /reconcile, which takes precedence over the header; null or absent if there is none. */
  readonly token?: string | null;
  /** The socket's peer. */
  readonly peer: string;
  readonly forwardedFor: string | null;
  readonly window: BurstWindow;
  /** The cost of the request: a whole number; 0 for one that only has to know its caller. */
  readonly units: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Who asks. */
export interface Caller {
  /** Account id, or the keyed hash of the client's address. */
  readonly id: string;
  readonly policy: QuotaPolicy;
  /** The request has a key or a token that is not active. */
  readonly badKey: boolean;
}

/** A visit of a page that is admitted. `caller` names the bucket of the client. */
interface AdmittedPage {
  readonly outcome: 'admitted';
  readonly caller: string;
  /** Null for a request that is not counted, and with LEI_LIMITS=off. */
  readonly quota: QuotaState | null;
  /**
   * Refunds the units (a 503), except those whose work was done, and returns what is left then. Further calls change
   * nothing.
   * @param computed units that stay charged; 0 by default
   */
  refund(computed?: number): QuotaState | null;
}

/** The same of a request. `caller` is an account id or the keyed hash of the client's address. */
export interface AdmittedRequest extends AdmittedPage {
  /** The limits of the caller. */
  readonly policy: QuotaPolicy;
}

interface ExhaustedAdmission {
  readonly outcome: 'exhausted';
  readonly caller: string;
  readonly quota: QuotaState;
  readonly violatedPolicies: readonly ViolatedPolicy[];
  /** Epoch milliseconds at which the units are available. */
  readonly returnsAt: number;
}

export type Admission =
  | AdmittedRequest
  | { readonly outcome: 'unauthorized'; readonly caller: string; readonly quota: QuotaState | null }
  | ExhaustedAdmission;

/** The outcome for a page that asks for data. */
export type PageAdmission = AdmittedPage | ExhaustedAdmission;

/** Authentication and quotas, in the order of the contract: 401 before 429. */
export interface Access {
  /** Answers at once if the ledger does. */
  admit(request: AccessRequest): Admission | Promise<Admission>;
  /**
   * Takes units of LEI_PAGES_BURST and LEI_PAGES_DAILY, and of no quota of the API. Answers at once if the ledger does.
   */
  admitPage(
    request: Pick<AccessRequest, 'peer' | 'forwardedFor' | 'units' | 'now'> & Pick<Demand, 'countsForDay'>,
  ): PageAdmission | Promise<PageAdmission>;
  /**
   * Counts an answer for which the service itself failed. A few a minute are free; each further one costs the client one
   * unit of a burst, like a bad key, so that nobody makes the service fail as often as they like.
   * @param caller the admitted one @param now epoch milliseconds
   */
  serviceFailed(caller: string, window: BurstWindow, now: number): Promise<void>;
}
