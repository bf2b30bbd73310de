/**
 * Defines the interfaces between the parts of the front: the pool of query threads, the publications, access. Each
 * folder implements its own and main.ts joins them, so that tests of the HTTP folder can replace them.
 */
import type { BurstWindow, Demand, QuotaState, ViolatedPolicy } from '../ports/ledger.ts';
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
   * @param take is called exactly once, perhaps before this returns; it must not throw. The answer is valid only while
   * it runs. Its second argument is the time that the query thread spent on it, in milliseconds: 0 if none did, or if
   * nobody watches questions.
   * @param clientId the client. Searches and other slow questions are served in turns by client.
   * @param isOutdated called when the turn comes; true if the answer would be refused, so that the question is not
   * asked
   * @param takePart is called with the parts of an answer that comes in parts, in order, each valid only while it runs;
   * `take` then receives the rest, or why nothing more comes
   */
  ask(
    publicationId: string,
    question: Question,
    take: (answer: Answer, answerMs?: number) => void,
    clientId?: string,
    isOutdated?: () => boolean,
    takePart?: (data: Uint8Array) => void,
  ): void;
  /**
   * Whether questions of a client that are only of use together can be answered in time. If not, ask none of them: the
   * work on those that are in time would be lost.
   */
  hasTimeFor(questions: readonly Question[], clientId: string): boolean;
}

export interface Publications {
  /** The publication for new questions; null before the first. */
  active(): HeldPublication | null;
  /** The active publication or one that cursors may still read; null once it is gone. */
  held(id: string): HeldPublication | null;
  /** The last activation of each earlier publication that is still held, newest first. */
  previous(): readonly Activation[];
  loading(): Loading | null;
  lastFailure(): Failure | null;
  /** False once the service drains. */
  accepting(): boolean;
}

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

/** `caller` is an account id or the keyed hash of the client's address. `quota` is null with LEI_LIMITS=off. */
export type Admission =
  | {
      readonly outcome: 'admitted';
      readonly caller: string;
      readonly quota: QuotaState | null;
      /**
       * Refunds the units (a 503), except those whose work was done, and returns what is left then. Further calls change
       * nothing.
       * @param computed units that stay charged; 0 by default
       */
      refund(computed?: number): QuotaState | null;
    }
  | { readonly outcome: 'unauthorized'; readonly caller: string; readonly quota: QuotaState | null }
  | {
      readonly outcome: 'exhausted';
      readonly caller: string;
      readonly quota: QuotaState;
      readonly violatedPolicies: readonly ViolatedPolicy[];
      /** Epoch milliseconds at which the units are available. */
      readonly returnsAt: number;
    };

/** The outcome for a page that asks for data. `caller` names the bucket of the client. */
export type PageAdmission = Exclude<Admission, { readonly outcome: 'unauthorized' }>;

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
