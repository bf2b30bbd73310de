/**
 * Observer: the port that the service reports its work to. The log is one listener, metrics are another. Tracer: the port
 * that receives the details of sampled requests.
 *
 * A reporter reads `watchesRequests` or `watchesQuestions` once, at the start, and if it is false reads no clock and
 * creates no object. The other calls are rare. A listener must not throw.
 */
import type { Question } from '../protocol/questions.ts';
import type { ViolatedPolicy } from './ledger.ts';

/** A quota of the API, or the bucket of the pages. */
export type ExceededPolicy = ViolatedPolicy | 'pages';

/**
 * One HTTP request, reported once its response is made. It contains neither a key nor a full client address. It is the
 * front's own object, so read it only during the call: some members are computed when they are read.
 */
export interface RequestSeen {
  /** Arrival, epoch milliseconds. */
  readonly time: number;
  readonly method: string;
  /** Operation id of the API; `page` for a page, `unknown` for an address that does not exist. */
  readonly operation: string;
  /** Path template; `page` or `unknown` likewise. Never the path itself: a caller may have put a key into it. */
  readonly route: string;
  /** The identifier in the path, if it is well-formed; null if there is none. Never the text of a search. */
  readonly about: string | null;
  readonly status: number;
  readonly durationMs: number;
  /** Bytes of the sent body: 0 for HEAD. */
  readonly bytes: number;
  /** Characters of `[A-Za-z0-9._-]` only. */
  readonly requestId: string;
  /** Account id or keyed hash of the client; null if neither was determined. */
  readonly caller: string | null;
  /** Id of the publication that answered; null if none did. */
  readonly datasetVersion: string | null;
  /** The exceeded quotas of a request that is refused with 429; otherwise empty. */
  readonly violatedPolicies: readonly ExceededPolicy[];
  /** Of the caller's trace (W3C `traceparent`), or of the one that began here: 32 hexadecimal digits. Null for none. */
  readonly traceId: string | null;
}

export type WorkOutcome = 'ok' | 'failed';
export interface Observer {
  /** Whether {@link arrived} and {@link request} are called. Does not change. */
  readonly watchesRequests: boolean;
  /** Whether {@link question} is called. Does not change. */
  readonly watchesQuestions: boolean;
  /** A request has arrived; {@link request} follows once it is answered. */
  arrived(): void;
  request(seen: RequestSeen): void;
  /**
   * A query thread has answered a question. Numbers instead of an object: a look-up makes one call.
   * @param waitMs from the question on the front to the answer on the front, minus `answerMs`
   * @param answerMs the time that the query thread spent on the answer
   */
  question(kind: Question['kind'], waitMs: number, answerMs: number): void;
  /** A swap to another publication has ended. */
  swap(outcome: WorkOutcome): void;
  /** A load that reported its progress to the service has ended. */
  load(outcome: WorkOutcome): void;
  /** A thread ended that was not told to. */
  threadEnded(role: 'front' | 'query', reason: string): void;
}

/** An observer that ignores everything. */
export const nobody: Observer = {
  watchesRequests: false,
  watchesQuestions: false,
  arrived: () => {},
  request: () => {},
  question: () => {},
  swap: () => {},
  load: () => {},
  threadEnded: () => {},
};

/** Records nothing. It makes the service measure durations for listeners that receive requests in another way. */
export const measuring: Observer = { ...nobody, watchesRequests: true, watchesQuestions: true };

/**
 * One observer that passes everything to all of them, in this order. Requests and questions reach only those that watch
 * them.
 */
export function joinObservers(observers: readonly Observer[]): Observer {
  const [first = nobody, ...others] = observers;
  if (others.length === 0) return first;
  const ofRequests = observers.filter(({ watchesRequests }) => watchesRequests);
  const ofQuestions = observers.filter(({ watchesQuestions }) => watchesQuestions);
  return {
    watchesRequests: ofRequests.length > 0,
    watchesQuestions: ofQuestions.length > 0,
    arrived() {
      for (const each of ofRequests) each.arrived();
    },
    request(seen) {
      for (const each of ofRequests) each.request(seen);
    },
    question(kind, waitMs, answerMs) {
      for (const each of ofQuestions) each.question(kind, waitMs, answerMs);
    },
    swap(outcome) {
      for (const each of observers) each.swap(outcome);
    },
    load(outcome) {
      for (const each of observers) each.load(outcome);
    },
    threadEnded(role, reason) {
      for (const each of observers) each.threadEnded(role, reason);
    },
  };
}

/** The trace of one request. Times are milliseconds on the clock of `performance.now()`. */
export interface RequestTrace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /**
   * A question of the request was answered.
   * @param answerMs what the query thread spent on it; 0 if none did
   */
  question(kind: Question['kind'], askedAt: number, answeredAt: number, answerMs: number): void;
  /** The response is made. */
  end(seen: RequestSeen): void;
}

export interface Tracer {
  /** @returns null if the request is not sampled */
  begin(request: Request, startedAt: number): RequestTrace | null;
  /** Sends what is still unsent. Never rejects. */
  stop(): Promise<void>;
}

/** Is told the reason when the collector of traces stops taking spans, and null when it takes them again. */
export type CollectorWatch = (reason: string | null) => void;
