/** One request on its way through the onion: what each layer has found out for those inside it. */
import type { Answer, Question } from '../../protocol/questions.ts';
import type { AccessRequest, Admission, BurstWindow, QueryPool } from '../contracts.ts';
import { readTagCondition, type TagCondition } from './conditional.ts';
import type { Endpoint } from './endpoints.ts';
import type { Parameters } from './parameters.ts';
import type { PublicationTexts } from './publication-texts.ts';
import { type LimitHeaders, limitHeaders } from './rate-limit-headers.ts';

/** What validation makes of an address. */
export interface Reading {
  /** Checked and upper-cased; '' where the path has none. */
  readonly identifier: string;
  readonly parameters: Parameters;
  /** Canonical path. */
  readonly path: string;
  /** Canonical filters; '' where there are none. */
  readonly filters: string;
  /** Canonical path and query: `links.self`, and what the entity tag is made over. */
  readonly self: string;
  /** From the cursor; null on a first page. */
  readonly position: string | null;
  /** The publication that the cursor is pinned to; null on a first page. */
  readonly pinnedTo: string | null;
}

export type FoundAnswer = Extract<Answer, { outcome: 'found' }>;

/** Gives the socket's peer address, or '' where the connection is gone already. */
export type PeerOf = (request: Request) => string;

/** What an exchange needs of those who serve it; the same for all of them. */
export interface ExchangeHost {
  readonly peerOf: PeerOf;
  /** Sees every response before it is sent. */
  finish(exchange: Exchange, response: Response): void;
  /** Answers where an error came up that nobody foresaw. */
  fail(exchange: Exchange, error: unknown): void;
}

/** The response, or the promise of one that waits for a query thread. */
export type Reply = Response | Promise<Response>;

/**
 * Layers end a request by {@link respond}. What waits for a query thread goes on in its answer: a request has one
 * promise at most, since every further one costs more than most layers do.
 *
 * Also the request that access looks at: what access does not ask for is never fetched.
 */
export class Exchange implements AccessRequest {
  readonly request: Request;
  readonly method: string;
  readonly endpoint: Endpoint;
  readonly requestId: string;
  /** Epoch milliseconds at arrival. */
  readonly now: number;
  /** Milliseconds at arrival on the clock that measures durations. */
  readonly startedAt = performance.now();
  readonly #host: ExchangeHost;
  #response: Response | null = null;
  #resolve: ((response: Response) => void) | null = null;
  #reading: Reading | null = null;
  #publication: PublicationTexts | null = null;
  #found: FoundAnswer | null = null;
  #tagCondition: TagCondition | null | undefined;

  admission: Admission | null = null;
  limits: LimitHeaders | null = null;

  constructor(request: Request, endpoint: Endpoint, requestId: string, now: number, host: ExchangeHost) {
    this.request = request;
    this.method = request.method;
    this.endpoint = endpoint;
    this.requestId = requestId;
    this.now = now;
    this.#host = host;
  }

  /** Ends the request. What fails once it has ended changes nothing any more. */
  respond(response: Response): void {
    if (this.#response !== null) return;
    this.#response = response;
    try {
      this.#host.finish(this, response);
    } finally {
      this.#resolve?.(response);
    }
  }

  /** Passes the request through layers. */
  enter(layers: (exchange: Exchange) => void): void {
    try {
      layers(this);
    } catch (error) {
      this.#host.fail(this, error);
    }
  }

  /**
   * Asks a query thread about the publication that answers, and goes on with what it says.
   * @param goOn what the answer holds is valid only while it runs
   */
  ask(pool: QueryPool, question: Question, goOn: (answer: Answer) => void): void {
    pool.ask(this.publication.id, question, (answer) => {
      try {
        goOn(answer);
      } catch (error) {
        this.#host.fail(this, error);
      }
    });
  }

  reply(): Reply {
    return (
      this.#response ??
      new Promise((resolve) => {
        this.#resolve = resolve;
      })
    );
  }

  /** If-None-Match; null where the client sent none. */
  get tagCondition(): TagCondition | null {
    if (this.#tagCondition === undefined) {
      const header = this.request.headers.get('if-none-match');
      this.#tagCondition = header === null ? null : readTagCondition(header);
    }
    return this.#tagCondition;
  }

  get authorization(): string | null {
    return this.request.headers.get('authorization');
  }

  get forwardedFor(): string | null {
    return this.request.headers.get('x-forwarded-for');
  }

  get peer(): string {
    return this.#host.peerOf(this.request);
  }

  get window(): BurstWindow {
    return this.endpoint.window;
  }

  get units(): number {
    return 1;
  }

  get reading(): Reading {
    return found(this.#reading);
  }

  set reading(reading: Reading) {
    this.#reading = reading;
  }

  /** The publication that answers. */
  get publication(): PublicationTexts {
    return found(this.#publication);
  }

  set publication(publication: PublicationTexts) {
    this.#publication = publication;
  }

  /** Id of the publication that answers, where the request came that far. */
  get publicationId(): string | null {
    return this.#publication?.id ?? null;
  }

  get found(): FoundAnswer {
    return found(this.#found);
  }

  set found(answer: FoundAnswer) {
    this.#found = answer;
  }

  /** Gives back what the request cost: a 503 is on us. */
  refund(): void {
    if (this.admission?.outcome !== 'admitted') return;
    const quota = this.admission.refund();
    this.limits = quota === null ? null : limitHeaders(quota);
  }
}

/** A layer may rely on those outside it. */
function found<T>(value: T | null): T {
  if (value === null) throw new Error('A layer asked for what no layer outside it has found out.');
  return value;
}
