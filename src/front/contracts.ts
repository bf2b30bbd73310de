/**
 * The interfaces between the parts of the front: the pool of query threads, the publications, access. Each folder builds
 * its own and main.ts joins them, so that tests of the HTTP folder can put others in their place.
 */
import type { BurstWindow, QuotaState, ViolatedPolicy } from '../ports/ledger.ts';
import type { Failure, Loading } from '../protocol/control.ts';
import type { Answer, Question } from '../protocol/questions.ts';
import type { Manifest } from '../publication/manifest.ts';
import type { Activation } from '../publication/pointer.ts';

/** A publication that every query thread holds. */
export interface HeldPublication {
  readonly manifest: Manifest;
  readonly activatedAt: string;
}

export interface QueryPool {
  /**
   * Asks one question of one publication. Every failure is an answer. Questions of one tick travel together.
   * @param take is called exactly once, perhaps before this returns; it must not throw. What the answer holds is
   * valid only while it runs. With it comes what the query thread spent on it, in milliseconds: 0 where none did, or
   * where nobody watches questions.
   * @param clientId who asks. Searches and other slow questions take turns by client.
   * @param isOutdated asked when the turn comes: the answer would be refused, so the question is not asked
   * @param takePart is called with the parts of an answer that comes in parts, in order, each valid only while it runs;
   * `take` then gets what is left, or why nothing more comes
   */
  ask(
    publicationId: string,
    question: Question,
    take: (answer: Answer, answerMs?: number) => void,
    clientId?: string,
    isOutdated?: () => boolean,
    takePart?: (data: Uint8Array) => void,
  ): void;
}

export interface Publications {
  /** The one that new questions go to; null before the first. */
  active(): HeldPublication | null;
  /** The active one or one that cursors may still read; null once it is gone. */
  held(id: string): HeldPublication | null;
  /** The last activation of each earlier publication that is still held, newest first. */
  previous(): readonly Activation[];
  loading(): Loading | null;
  lastFailure(): Failure | null;
  /** False once the service drains. */
  accepting(): boolean;
}

export type { BurstWindow } from '../ports/ledger.ts';

export interface AccessRequest {
  /** The header as sent; null where absent. */
  readonly authorization: string | null;
  /** The token in an address of /reconcile, which decides alone; null or absent where there is none. */
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

/** `caller` is an account id, or the keyed hash of the client's address. `quota` is null with LEI_LIMITS=off. */
export type Admission =
  | {
      readonly outcome: 'admitted';
      readonly caller: string;
      readonly quota: QuotaState | null;
      /** Gives the units back (a 503) and says what is left then. Further calls change nothing. */
      refund(): QuotaState | null;
    }
  | { readonly outcome: 'unauthorized'; readonly caller: string; readonly quota: QuotaState | null }
  | {
      readonly outcome: 'exhausted';
      readonly caller: string;
      readonly quota: QuotaState;
      readonly violatedPolicies: readonly ViolatedPolicy[];
      /** Epoch milliseconds at which the units can be had. */
      readonly returnsAt: number;
    };

/** The outcome for a page that asks for data. `caller` names the bucket of the client. */
export type PageAdmission =
  | {
      readonly outcome: 'admitted';
      readonly caller: string;
      /** To be called once at most. */
      refund(): void;
    }
  | {
      readonly outcome: 'exhausted';
      readonly caller: string;
      readonly quota: QuotaState;
      /** Epoch milliseconds at which another page can be had. */
      readonly returnsAt: number;
    };

/** Authentication and quotas, in the order of the contract: 401 before 429. */
export interface Access {
  /** Answers at once where the ledger does. */
  admit(request: AccessRequest): Admission | Promise<Admission>;
  /** Takes a unit of LEI_PAGES_BURST; of no quota of the API. Answers at once where the ledger does. */
  admitPage(
    request: Pick<AccessRequest, 'peer' | 'forwardedFor' | 'now'>,
  ): PageAdmission | Promise<PageAdmission>;
}
