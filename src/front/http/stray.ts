/** Requests that no route of the API takes: other methods, pages, and paths where nothing is. */
import type { Log } from '../log.ts';
import { pathOf } from './address.ts';
import { base, endpointAt } from './endpoints.ts';
import { addDate, type Handler } from './handler.ts';
import type { Pages } from './pages.ts';
import { requestIdOf } from './request-id.ts';

export interface StrayParts {
  readonly handle: Handler;
  readonly pages: Pages;
  readonly log: Log;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

export function createStrayHandler({ handle, pages, log, clock }: StrayParts) {
  return async (request: Request): Promise<Response> => {
    const path = pathOf(request.url);
    const endpoint = endpointAt(path);
    // The routes of the API are for GET and HEAD; the same onion answers what other methods ask of its paths.
    if (endpoint !== null) return handle(request, endpoint);
    const started = performance.now();
    const requestId = requestIdOf(request);
    const time = clock();
    const response = await pages(request, path, requestId);
    if (request.method === 'HEAD') addDate(response);
    if (log.requests) {
      log.request({
        time,
        method: request.method,
        // A path that is none of ours may hold anything, a key too.
        route: path.startsWith(`${base}/`) ? 'unknown' : 'page',
        status: response.status,
        durationMs: performance.now() - started,
        requestId,
        caller: null,
        publication: null,
      });
    }
    return response;
  };
}
