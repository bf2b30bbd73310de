/** The log as an observer: a line a request. Other events are logged where they happen, which knows more about them. */
import { nobody, type Observer } from '../ports/observer.ts';
import type { Log } from './log.ts';

export function logObserver(log: Pick<Log, 'requests' | 'request'>): Observer {
  return { ...nobody, watchesRequests: log.requests, request: (seen) => log.request(seen) };
}
