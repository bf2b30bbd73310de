/** A request for a page or for an unknown address, as the observer sees it. */
import type { ExceededPolicy } from '../../ports/observer.ts';
import type { RequestTrace, Tracer } from '../../ports/tracer.ts';
import type { PageAdmission } from '../contracts.ts';
import { pageOperations } from '../endpoints/table.ts';
import { pathOf } from './address.ts';
import type { Arrival } from './exchange.ts';
import { traceIdOf } from './request-id.ts';
import { announcedBytes, type Watched } from './watch.ts';

export class PageVisit implements Watched {
  readonly request: Request;
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
  readonly time: number;
  datasetVersion: string | null = null;
  readonly trace: RequestTrace | null;
  readonly #startedAt = performance.now();
  #admission: PageAdmission | null = null;
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

  /** Call it once the visit is counted. */
  counted(admission: PageAdmission): void {
    this.#admission = admission;
  }

  get caller(): string | null {
    return this.#admission?.caller ?? null;
  }

  get violatedPolicies(): readonly ExceededPolicy[] {
    return this.#admission?.outcome === 'exhausted' ? ['pages'] : [];
  }

  get operation(): string {
    return this.status === 404 ? pageOperations.unknown : pageOperations.page;
  }

  /** The route. An unknown path is left out, because it may contain anything, even a key. */
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
