/** A request for a page or for an unknown address, as the observer sees it. */
import type { ExceededPolicy } from '../../ports/observer.ts';
import type { Tracer } from '../../ports/tracer.ts';
import type { PageAdmission } from '../contracts.ts';
import { pageOperations } from '../endpoints/table.ts';
import { pathOf } from './address.ts';
import { type Arrival, Watched } from './watch.ts';

export class PageVisit extends Watched {
  readonly path: string;
  datasetVersion: string | null = null;
  #admission: PageAdmission | null = null;

  constructor(arrival: Arrival, tracer: Tracer | null) {
    super(arrival, tracer);
    this.path = pathOf(this.request.url);
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
}
