/** Watches requests, in one place: reports each to the observer, once it is answered. */
import type { Observer, RequestSeen } from '../../ports/observer.ts';

/** A request that is being answered. */
export interface Watched extends RequestSeen {
  /** Records status, duration and bytes. */
  answered(response: Response): void;
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
export function announcedBytes({ headers }: Response): number {
  return Number(headers.get('content-length') ?? 0);
}
