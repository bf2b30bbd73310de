/** Watches requests, in one place: reports each to the observer, once it is answered. */
import type { Observer, RequestSeen } from '../../ports/observer.ts';
import type { RequestTrace, Tracer } from '../../ports/tracer.ts';

/** The facts of a request at its arrival. */
export interface Arrival {
  readonly request: Request;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A request that is being answered. */
export abstract class Watched implements Arrival, RequestSeen {
  readonly request: Request;
  readonly method: string;
  readonly requestId: string;
  readonly now: number;
  /** Milliseconds at arrival, on the clock that measures durations. */
  readonly #startedAt = performance.now();
  /** Null if the request is not sampled. */
  readonly trace: RequestTrace | null;
  /** Bytes of the body; null if the response's headers state them. */
  bodyBytes: number | null = null;
  status = 0;
  durationMs = 0;
  bytes = 0;
  abstract readonly operation: string;
  abstract readonly route: string;
  abstract readonly about: RequestSeen['about'];
  abstract readonly caller: RequestSeen['caller'];
  abstract readonly datasetVersion: RequestSeen['datasetVersion'];
  abstract readonly violatedPolicies: RequestSeen['violatedPolicies'];

  /** @param tracer null if no traces are sent */
  constructor({ request, requestId, now }: Arrival, tracer: Tracer | null) {
    this.request = request;
    this.method = request.method;
    this.requestId = requestId;
    this.now = now;
    this.trace = tracer?.begin(request, this.#startedAt) ?? null;
  }

  get time(): number {
    return this.now;
  }

  get traceId(): string | null {
    return this.trace?.traceId ?? traceIdOf(this.request);
  }

  /** Records status, duration and bytes. */
  answered(response: Response): void {
    this.status = response.status;
    this.durationMs = performance.now() - this.#startedAt;
    this.bytes = this.method === 'HEAD' ? 0 : (this.bodyBytes ?? announcedBytes(response));
  }
}

export interface Watch {
  /** Call it with every request before anything else. */
  arrived(): void;
  /** Call it with every response before it is sent. */
  answered(request: Watched, response: Response): void;
}

export function createWatch(observer: Observer): Watch {
  const { watchesRequests } = observer;
  return {
    arrived: watchesRequests ? () => observer.arrived() : () => {},
    answered(watched, response) {
      if (watched.method === 'HEAD') addDate(response);
      if (!watchesRequests) return;
      watched.answered(response);
      observer.request(watched);
    },
  };
}

/** The server omits Date from answers to HEAD whose GET has a body. */
function addDate(response: Response): void {
  if (response.status !== 304 && response.status !== 204) {
    response.headers.set('Date', new Date().toUTCString());
  }
}

/** The `Content-Length` that a rarer response is made with; 0 without one. */
function announcedBytes({ headers }: Response): number {
  return Number(headers.get('content-length') ?? 0);
}

const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-|$)/;

/** The id of the caller's trace (W3C Trace Context), 32 hexadecimal digits; null without a valid header. */
function traceIdOf({ headers }: Request): string | null {
  const header = headers.get('traceparent');
  return header === null ? null : (traceparent.exec(header)?.[1] ?? null);
}
