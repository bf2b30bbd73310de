/** A request for a page, or for an address where nothing is, as the observer is told of it. */
import type { RequestTrace, Tracer } from '../../ports/tracer.ts';
import { pageOperations } from '../endpoints/table.ts';
import { pathOf } from './address.ts';
import type { Arrival } from './exchange.ts';
import { traceIdOf } from './trace-parent.ts';
import { announcedBytes, type Watched } from './watch.ts';

export class PageVisit implements Watched {
  readonly request: Request;
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
  readonly time: number;
  readonly caller = null;
  readonly datasetVersion = null;
  readonly violatedPolicies = [];
  readonly trace: RequestTrace | null;
  readonly #startedAt = performance.now();
  status = 0;
  durationMs = 0;
  bytes = 0;

  constructor({ request, requestId, now }: Arrival, tracer: Tracer | null) {
    this.request = request;
    this.method = request.method;
    this.path = pathOf(request.url);
    this.requestId = requestId;
    this.time = now;
    this.trace = tracer?.begin(request, this.#startedAt) ?? null;
  }

  get operation(): string {
    return this.status === 404 ? pageOperations.unknown : pageOperations.page;
  }

  /** An unknown path is never told: it may hold anything, a key too. */
  get route(): string {
    return this.operation;
  }

  get traceId(): string | null {
    return this.trace?.traceId ?? traceIdOf(this.request);
  }

  answered(response: Response): void {
    this.status = response.status;
    this.durationMs = performance.now() - this.#startedAt;
    this.bytes = this.method === 'HEAD' ? 0 : announcedBytes(response);
  }
}
