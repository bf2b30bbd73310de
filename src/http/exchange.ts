/**
 * One request while it passes through the steps of its route. Each type names what the steps so far have established: a
 * step that needs the valid address takes a {@link ReadExchange}, so steps in a wrong order do not compile.
 */
import type { AccessRequest, Admission, PageAdmission } from '../accounts/access/admission.ts';
import type { QueryPool, QuestionToAsk } from '../dispatch/query-threads.ts';
import type { BurstWindow, QuotaState } from '../ports/ledger.ts';
import type { ExceededPolicy, RequestSeen, RequestTrace, Tracer } from '../ports/observer.ts';
import type { Answer, Question, Unavailability } from '../protocol/questions.ts';
import { pathOf, queryOf, readQuery } from './address.ts';
import { addressFault } from './address-fault.ts';
import { readTagCondition, type TagCondition } from './conditional.ts';
import type { DataRoute, GivenParameters, QuestionContext, RouteFacts } from './definition.ts';
import { type LimitHeaders, limitHeaders } from './headers.ts';
import { type ProblemDetails, unavailable } from './problem.ts';
import type { ParameterFault } from './problem-kinds.ts';
import type { PublicationTexts } from './publication-texts.ts';

/** The facts of a request at its arrival. */
export interface Arrival {
  readonly request: Request;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Of the listener that received the request. */
  readonly host: ExchangeHost;
}

/** A valid address, and what it asks for. */
export interface ReadTarget {
  /** Checked and in its canonical form; '' if the path has none. */
  readonly identifier: string;
  /** Canonical path and query: `links.self` below the base path, and the text under the entity tag. */
  readonly self: string;
  /** The text that a cursor of this list is sealed for: everything about the question but the page. */
  readonly scope: string;
  /** The publication that the cursor is pinned to; null on a first page. */
  readonly pinnedTo: string | null;
  question(context: QuestionContext): Question;
  /** Canonical path and query of the page that a cursor leads to. */
  pageAt(cursor: string): string;
}

export type FoundAnswer = Extract<Answer, { outcome: 'found' }>;

/** Takes the parts of an answer that comes in parts. */
export interface PartsTaker {
  /** True once a part has arrived. The request is then answered, and {@link end} ends the body. */
  readonly hasBegun: boolean;
  readonly add: (data: Uint8Array) => void;
  end(answer: Answer): void;
}

/** An exchange whose publication is chosen. */
export type WithPublication = Exchange & { readonly publication: PublicationTexts };
/** An exchange of a data endpoint with a valid address. */
export type ReadExchange = DataExchange & { readonly reading: ReadTarget };

/** How the errors of a family of routes look. */
export interface Errors {
  problem(exchange: Exchange, details: ProblemDetails): Response;
}

/** Returns the socket's peer address; '' if the connection has already ended. */
export type PeerOf = (request: Request) => string;

/** The functions that all exchanges of a listener share. */
export interface ExchangeHost {
  /** Null if no traces are sent. */
  readonly tracer: Tracer | null;
  /** Whether anybody watches how long requests take. */
  readonly isTimed: boolean;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly peerOf: PeerOf;
  /** Begins a request that is made within another one, for the same client and quota; its response is not sent. */
  arriveWithin(outer: Exchange, request: Request): Arrival;
  /** Receives every response before it is sent. */
  prepare(request: Request, response: Response): void;
  /** Receives every response, once its body is made. */
  finish(exchange: Exchange, response: Response): void;
  /** Receives an unforeseen error. */
  failed(exchange: Exchange, error: unknown): void;
  /** Receives each request that gets 503 because of a temporary state. */
  unavailable(exchange: Exchange, reason: Unavailability): void;
}

/** A question of a request. The function that takes its answer can be the same for all requests. */
interface QuestionOf<Asking> extends Pick<QuestionToAsk, 'question' | 'isOutdated' | 'takePart'> {
  readonly take: (exchange: Asking, answer: Answer) => void;
}

/** The response, or the promise of one that waits for a query thread. */
export type Reply = Response | Promise<Response>;

/**
 * Steps end a request by {@link respond} or {@link refuse}. After a wait for a query thread the request continues inside
 * the thread's answer: a request has one promise at most, because each further one costs more than most steps do.
 */
export class Exchange implements Arrival, RequestSeen, AccessRequest {
  readonly request: Request;
  readonly method: string;
  readonly requestId: string;
  readonly time: number;
  /** When quotas count it, epoch milliseconds: once its body is there, since an older time would rewind windows. */
  now: number;
  readonly endpoint: RouteFacts;
  /** Null if the request is not sampled. */
  readonly trace: RequestTrace | null;
  readonly #errors: Errors;
  readonly host: ExchangeHost;
  /** Milliseconds at arrival, on the clock that measures durations; 0 if nobody watches them. */
  readonly #startedAt: number;
  #response: Response | null = null;
  #resolve: ((response: Response) => void) | null = null;
  #tagCondition: TagCondition | null | undefined;

  publication: PublicationTexts | null = null;
  admission: Admission | PageAdmission | null = null;
  /** What the caller has left; null if the request is not counted. */
  quota: QuotaState | null = null;
  /** Bytes of the body; null if the response's headers state them. */
  bodyBytes: number | null = null;
  status = 0;
  durationMs = 0;
  bytes = 0;

  constructor({ request, requestId, now, host }: Arrival, endpoint: RouteFacts, errors: Errors) {
    this.request = request;
    this.method = request.method;
    this.requestId = requestId;
    this.time = now;
    this.now = now;
    this.endpoint = endpoint;
    this.#errors = errors;
    this.host = host;
    this.#startedAt = host.isTimed ? performance.now() : 0;
    this.trace = host.tracer?.begin(request, this.#startedAt) ?? null;
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

  /** Ends the request with a problem. */
  refuse(details: ProblemDetails): void {
    this.respond(this.#errors.problem(this, details));
  }

  /** Ends the request with a 503 for a temporary state. @param computed units whose work was done: they stay charged */
  refuseUnavailable(reason: Unavailability, computed = 0): void {
    this.giveUp(reason, computed);
    this.refuse(unavailable(reason));
  }

  /** Answers with the beginning of a body. {@link complete} ends the request. */
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

  /** Passes the request through steps. */
  enter(steps: (exchange: this) => void): void {
    try {
      steps(this);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Passes the request on once a promise is fulfilled. */
  after<Value>(promise: Promise<Value>, goOn: (value: Value) => void): void {
    promise.then(
      (value) => this.enter(() => goOn(value)),
      (error) => this.#fail(error),
    );
  }

  /** An unforeseen error becomes a 503 for the caller, who pays nothing. */
  #fail(error: unknown): void {
    this.refund();
    this.host.failed(this, error);
    this.refuse(unavailable('failed'));
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
  choose(publication: PublicationTexts): asserts this is WithPublication {
    this.publication = publication;
  }

  /** Asks a query thread a question about a publication, for this client. */
  ask(
    pool: QueryPool,
    { id }: PublicationTexts,
    { question, take: goOn, isOutdated, takePart }: QuestionOf<this>,
  ): void {
    const { trace } = this;
    const askedAt = trace === null ? 0 : performance.now();
    const take = (answer: Answer, answerMs = 0) => {
      trace?.question(question.kind, askedAt, performance.now(), answerMs);
      try {
        goOn(this, answer);
      } catch (error) {
        this.#fail(error);
      }
    };
    const takeEach = takePart && ((data: Uint8Array) => this.enter(() => takePart(data)));
    pool.ask({ publicationId: id, question, take, clientId: this.client, isOutdated, takePart: takeEach });
  }

  /** If-None-Match; null if the client sent none. */
  get tagCondition(): TagCondition | null {
    if (this.#tagCondition === undefined) {
      const header = this.request.headers.get('if-none-match');
      this.#tagCondition = header === null ? null : readTagCondition(header);
    }
    return this.#tagCondition;
  }

  /** The headers that show {@link quota}, as it is now; null if the request is not counted. */
  get limits(): LimitHeaders | null {
    return this.quota === null ? null : limitHeaders(this.quota);
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

  get traceId(): string | null {
    return this.trace?.traceId ?? traceIdOf(this.request);
  }

  get authorization(): string | null {
    return this.request.headers.get('authorization');
  }

  get forwardedFor(): string | null {
    return this.request.headers.get('x-forwarded-for');
  }

  /** The token in an address of /reconcile; null if there is none. */
  get token(): string | null {
    return null;
  }

  get peer(): string {
    return this.host.peerOf(this.request);
  }

  /** The burst quota that the request counts against. */
  get window(): BurstWindow {
    return 'search';
  }

  /** The cost of the request. */
  get units(): number {
    return 0;
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

  get violatedPolicies(): readonly ExceededPolicy[] {
    return this.admission?.outcome === 'exhausted' ? this.admission.violatedPolicies : [];
  }

  /** Records status, duration and bytes. The rarer responses are made with a `Content-Length`. */
  measure(response: Response): void {
    this.status = response.status;
    this.durationMs = performance.now() - this.#startedAt;
    const bytes = this.bodyBytes ?? Number(response.headers.get('content-length') ?? 0);
    this.bytes = this.method === 'HEAD' ? 0 : bytes;
  }

  /** Call it if a temporary state prevents the answer. @param computed units whose work was done */
  giveUp(reason: Unavailability, computed = 0): void {
    this.refund(computed);
    this.host.unavailable(this, reason);
  }

  /** Refunds the cost of the request: a 503 is our fault. @param computed units whose work was done: they stay charged */
  refund(computed = 0): void {
    if (this.admission?.outcome !== 'admitted') return;
    this.quota = this.admission.refund(computed);
  }
}

/** The id of the caller's trace (W3C Trace Context), 32 hexadecimal digits; null without a valid header. */
function traceIdOf({ headers }: Request): string | null {
  const header = headers.get('traceparent');
  return header === null ? null : (traceparent.exec(header)?.[1] ?? null);
}
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-|$)/;

/** A request to an endpoint that one question to a query thread answers. */
export class DataExchange extends Exchange implements GivenParameters {
  declare readonly endpoint: DataRoute;
  /** The identifier in the path as the router decoded it; '' if the path has none. */
  readonly identifier: string;
  reading: ReadTarget | null = null;
  /** Null if the answer comes in one piece. */
  parts: PartsTaker | null = null;
  #query: { values: ReadonlyMap<string, string>; faults: readonly ParameterFault[] } | null = null;

  constructor(arrival: Arrival, endpoint: DataRoute, identifier: string, errors: Errors) {
    super(arrival, endpoint, errors);
    this.identifier = identifier;
  }

  /** Stores the valid address. */
  understand(reading: ReadTarget): asserts this is ReadExchange {
    this.reading = reading;
  }

  override get about(): string | null {
    return this.reading?.identifier || null;
  }

  override get window(): BurstWindow {
    return this.endpoint.cost.window;
  }

  override get units(): number {
    const { units } = this.endpoint.cost;
    if (typeof units === 'number') return units;
    return addressFault(this.request) === null ? units(this) : 1;
  }

  get tail(): string {
    const path = pathOf(this.request.url);
    // Clients may percent-encode only the colon and the plus sign of a moment.
    return path
      .slice(path.lastIndexOf('/') + 1)
      .replaceAll(/%3a/gi, ':')
      .replaceAll(/%2b/gi, '+');
  }

  /** Parses the query once: access asks for it if its values are counted, and the address is read after that. */
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
