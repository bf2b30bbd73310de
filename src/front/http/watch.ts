/** The one place where requests are watched: tells the observer of each, once it is answered. */
import type { Observer } from '../../ports/observer.ts';

/** A request as the observer is told of it; see {@link file://../../ports/observer.ts}. */
export interface Watched {
  readonly method: string;
  readonly requestId: string;
  /** Epoch milliseconds at arrival. */
  readonly now: number;
  /** Milliseconds at arrival, on the clock that measures durations. */
  readonly startedAt: number;
  readonly operation: string;
  readonly route: string;
  readonly caller: string | null;
  readonly publicationId: string | null;
}

/** To be called with every response before it is sent. */
export type Watch = (request: Watched, response: Response) => void;

export function createWatch(observer: Observer): Watch {
  const { watchesRequests } = observer;
  return (watched, response) => {
    if (watched.method === 'HEAD') addDate(response);
    if (!watchesRequests) return;
    const { now, method, operation, route, startedAt, requestId, caller, publicationId } = watched;
    observer.request({
      time: now,
      method,
      operation,
      route,
      status: response.status,
      durationMs: performance.now() - startedAt,
      requestId,
      caller,
      publication: publicationId,
    });
  };
}

/** The server leaves Date out of those answers to HEAD whose GET has a body. */
function addDate(response: Response): void {
  if (response.status !== 304 && response.status !== 204) {
    response.headers.set('Date', new Date().toUTCString());
  }
}
