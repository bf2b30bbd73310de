/**
 * One request while it passes through the layers. Each type names what the layers so far have established: a layer that
 * needs the reading takes a {@link Read} exchange, so layers in a wrong order do not compile.
 */

import type { BurstWindow, ViolatedPolicy } from '../../ports/ledger.ts';
import type { Tracer } from '../../ports/tracer.ts';
import type { Answer, Question, Unavailability } from '../../protocol/questions.ts';
import type { AccessRequest, Admission, QueryPool } from '../contracts.ts';
import type { Asked, Given } from '../endpoints/asked.ts';
import type { DataEndpoint, Described } from '../endpoints/endpoint.ts';
import type { ParameterFault } from '../problems.ts';
import { pathOf, queryOf, readQuery } from './address.ts';
import { readTagCondition, type TagCondition } from './conditional.ts';
import { type LimitHeaders, limitHeaders } from './header-values.ts';
import type { PublicationTexts } from './publication-texts.ts';
import { type Arrival, Watched } from './watch.ts';

/** A valid address, as validation reads it. */
export interface Reading {
  /** Checked and upper-cased; '' if the path has none. */
  readonly identifier: string;
  readonly asked: Asked;
  /** Canonical path. */
  readonly path: string;
  /** Canonical path and query: `links.self` below the base path, and the text under the entity tag. */
  readonly self: string;
  /** From the cursor; null on a first page. */
  readonly position: string | null;
  /** The publication that the cursor is pinned to; null on a first page. */
  readonly pinnedTo: string | null;
}

export type FoundAnswer = Extract<Answer, { outcome: 'found' }>;

/** An exchange whose publication is chosen. */
export type Chosen = Exchange & { readonly publication: PublicationTexts };
/** A counted exchange with a valid address. */
export type Read = CountedExchange & { readonly reading: Reading };
/** An exchange that a query thread has answered. */
export type Found = Read & Chosen & { readonly found: FoundAnswer };

/** Returns the socket's peer address; '' if the connection has already ended. */
export type PeerOf = (request: Request) => string;

/** The functions that every exchange shares. */
export interface ExchangeHost {
  /** Null if no traces are sent. */
  readonly tracer: Tracer | null;
  readonly peerOf: PeerOf;
  /** Receives every response before it is sent. */
  prepare(request: Request, response: Response): void;
  /** Receives every response, once its body is made. */
  finish(request: Watched, response: Response): void;
  /** Answers after an unforeseen error. */
  fail(exchange: Exchange, error: unknown): void;
  /** Receives each request that gets 503 because of a temporary state. */
  unavailable(exchange: Exchange, reason: Unavailability): void;
}

/** The response, or the promise of one that waits for a query thread. */
export type Reply = Response | Promise<Response>;

/**
 * Layers end a request by {@link respond}. After a wait for a query thread the request continues inside the thread's
 * answer: a request has one promise at most, because each further one costs more than most layers do.
 */
export class Exchange extends Watched {
  readonly endpoint: Described;
  protected readonly host: ExchangeHost;
  #response: Response | null = null;
  #resolve: ((response: Response) => void) | null = null;
  #tagCondition: TagCondition | null | undefined;

  publication: PublicationTexts | null = null;
  admission: Admission | null = null;
  limits: LimitHeaders | null = null;

  constructor(arrival: Arrival, endpoint: Described, host: ExchangeHost) {
    super(arrival, host.tracer);
    this.endpoint = endpoint;
    this.host = host;
  }

  /** Ends the request. A failure after that changes nothing. */
  respond(response: Response): void {
    if (this.#response !== null) return;
    this.#response = response;
    try {
      this.host.prepare(this.request, response);
      this.host.finish(this, response);
    } finally {
      this.#resolve?.(response);
    }
  }

  /** Answers with a body of which only the beginning is made. {@link complete} ends the request. */
  begin(response: Response): void {
    if (this.#response !== null) return;
    this.#response = response;
    this.host.prepare(this.request, response);
    this.#resolve?.(response);
  }

  /** Call it once the body is complete, or was broken off. */
  complete(): void {
    if (this.#response !== null) this.host.finish(this, this.#response);
  }

  /** True once the response has started. */
  get isAnswered(): boolean {
    return this.#response !== null;
  }

  /** Passes the request through layers. */
  enter(layers: (exchange: this) => void): void {
    try {
      layers(this);
    } catch (error) {
      this.host.fail(this, error);
    }
  }

  /** Passes the request on once a promise is fulfilled. */
  after<Value>(promise: Promise<Value>, goOn: (value: Value) => void): void {
    promise.then(
      (value) => this.enter(() => goOn(value)),
      (error) => this.host.fail(this, error),
    );
  }

  reply(): Reply {
    return (
      this.#response ??
      new Promise((resolve) => {
        this.#resolve = resolve;
      })
    );
  }

  /** Sets the publication that answers. */
  choose(publication: PublicationTexts): asserts this is Chosen {
    this.publication = publication;
  }

  /**
   * Asks a query thread a question about a publication.
   * @param goOn receives an answer whose contents are valid only while it runs
   * @param isOutdated whether an answer would be too late by now
   * @param takePart receives parts that precede the answer, valid only while it runs too
   */
  ask(
    pool: QueryPool,
    { id }: PublicationTexts,
    question: Question,
    goOn: (answer: Answer) => void,
    isOutdated?: () => boolean,
    takePart?: (data: Uint8Array) => void,
  ): void {
    const { trace } = this;
    const askedAt = trace === null ? 0 : performance.now();
    const take = (answer: Answer, answerMs = 0) => {
      trace?.question(question.kind, askedAt, performance.now(), answerMs);
      this.enter(() => goOn(answer));
    };
    const takeEach = takePart && ((data: Uint8Array) => this.enter(() => takePart(data)));
    pool.ask(id, question, take, this.client, isOutdated, takeEach);
  }

  /** If-None-Match; null if the client sent none. */
  get tagCondition(): TagCondition | null {
    if (this.#tagCondition === undefined) {
      const header = this.request.headers.get('if-none-match');
      this.#tagCondition = header === null ? null : readTagCondition(header);
    }
    return this.#tagCondition;
  }

  get operation(): string {
    return this.endpoint.operationId;
  }

  get route(): string {
    return this.endpoint.template;
  }

  get about(): string | null {
    return null;
  }

  get authorization(): string | null {
    return this.request.headers.get('authorization');
  }

  get forwardedFor(): string | null {
    return this.request.headers.get('x-forwarded-for');
  }

  get peer(): string {
    return this.host.peerOf(this.request);
  }

  get caller(): string | null {
    return this.admission?.caller ?? null;
  }

  /** An account or a client address: whose turn a slow question takes, and whose share a large body. '' for nobody. */
  get client(): string {
    return this.caller ?? '';
  }

  get datasetVersion(): string | null {
    return this.publication?.id ?? null;
  }

  /** Call it before a 503 for a temporary state. @param computed units whose work was done */
  giveUp(reason: Unavailability, computed = 0): void {
    this.refund(computed);
    this.host.unavailable(this, reason);
  }

  get violatedPolicies(): readonly ViolatedPolicy[] {
    return this.admission?.outcome === 'exhausted' ? this.admission.violatedPolicies : [];
  }

  /** Refunds the cost of the request: a 503 is our fault. @param computed units whose work was done: they stay charged */
  refund(computed = 0): void {
    if (this.admission?.outcome !== 'admitted') return;
    const quota = this.admission.refund(computed);
    this.limits = quota === null ? null : limitHeaders(quota);
  }
}

/** A request to an endpoint that is counted. Access reads only the properties that it needs. */
export class CountedExchange extends Exchange implements AccessRequest, Given {
  declare readonly endpoint: DataEndpoint;
  /** The identifier in the path as the router decoded it; '' if the path has none. */
  readonly identifier: string;
  reading: Reading | null = null;
  found: FoundAnswer | null = null;
  #query: { values: ReadonlyMap<string, string>; faults: readonly ParameterFault[] } | null = null;

  constructor(arrival: Arrival, endpoint: DataEndpoint, identifier: string, host: ExchangeHost) {
    super(arrival, endpoint, host);
    this.identifier = identifier;
  }

  /** Stores the valid address. */
  understand(reading: Reading): asserts this is Read {
    this.reading = reading;
  }

  override get about(): string | null {
    return this.reading?.identifier || null;
  }

  /** Stores the answer of a query thread. */
  find(answer: FoundAnswer): asserts this is CountedExchange & { readonly found: FoundAnswer } {
    this.found = answer;
  }

  get window(): BurstWindow {
    return this.endpoint.cost.window;
  }

  get units(): number {
    const { units } = this.endpoint.cost;
    return typeof units === 'number' ? units : units(this);
  }

  get tail(): string {
    const path = pathOf(this.request.url);
    // Clients may percent-encode the colon and the plus sign of a moment, and no other character of it.
    return path
      .slice(path.lastIndexOf('/') + 1)
      .replaceAll(/%3a/gi, ':')
      .replaceAll(/%2b/gi, '+');
  }

  /** Parses the query once: access asks for it if its values are counted, and validation after that. */
  query(faults: ParameterFault[]): ReadonlyMap<string, string> | null {
    const text = queryOf(this.request.url);
    if (text === '') return null;
    if (this.#query === null) {
      const all = [...faults];
      const values = readQuery(text, this.endpoint.names, all, this.endpoint.lists);
      this.#query = { values, faults: all.slice(faults.length) };
    }
    faults.push(...this.#query.faults);
    return this.#query.values;
  }
}
