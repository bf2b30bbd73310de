/**
 * What the parts of the front know of each other: the pool of query threads, the publications, access. Each is
 * built by its own folder and joined in main.ts, so that the HTTP folder can be tested with any of them.
 */
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
   * valid only while it runs.
   */
  ask(publicationId: string, question: Question, take: (answer: Answer) => void): void;
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

export type BurstWindow = 'lookup' | 'search';

export interface AccessRequest {
  /** The header as sent; null where absent. */
  readonly authorization: string | null;
  /** The socket's peer. */
  readonly peer: string;
  readonly forwardedFor: string | null;
  readonly window: BurstWindow;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Values of the rate-limit headers, ready to be set. */
export interface LimitHeaders {
  /** `RateLimit` */
  readonly state: string;
  /** `RateLimit-Policy` */
  readonly policy: string;
  /** `X-RateLimit-Limit` */
  readonly limit: string;
  /** `X-RateLimit-Remaining` */
  readonly remaining: string;
  /** `X-RateLimit-Reset` */
  readonly reset: string;
}

export type Admission =
  | {
      readonly outcome: 'admitted';
      /** Null with LEI_LIMITS=off. */
      readonly limits: LimitHeaders | null;
      /** Account id, or the keyed hash of the client for the log. */
      readonly caller: string;
      /** Gives the cost back (a 503) and returns the headers as they then stand. */
      refund(): LimitHeaders | null;
    }
  | { readonly outcome: 'unauthorized'; readonly limits: LimitHeaders | null; readonly caller: string }
  | {
      readonly outcome: 'exhausted';
      readonly limits: LimitHeaders | null;
      readonly caller: string;
      readonly violatedPolicies: readonly ('daily' | BurstWindow)[];
      /** A whole number, at least 1. */
      readonly retryAfterSeconds: number;
      readonly detail: string;
    };

/** Authentication and quotas, in the order of the contract: 401 before 429. */
export interface Access {
  admit(request: AccessRequest): Admission;
}
