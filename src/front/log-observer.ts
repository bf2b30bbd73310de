/** The log as an observer: writes a line for each wanted request. Other events are logged where they happen. */
import type { RequestLogRule } from '../operations-settings.ts';
import { nobody, type Observer } from '../ports/observer.ts';
import type { Log } from './log.ts';

export function logObserver(log: Pick<Log, 'requests' | 'request'>, rule: RequestLogRule): Observer {
  const wanted = log.requests && (rule.all || rule.errors || rule.slowMs !== Number.POSITIVE_INFINITY);
  return {
    ...nobody,
    watchesRequests: wanted,
    request(seen) {
      const { status, durationMs } = seen;
      if (rule.all || durationMs >= rule.slowMs || (rule.errors && isError(status))) log.request(seen);
    },
  };
}

/** An unknown company and a used-up quota are ordinary answers. */
function isError(status: number): boolean {
  return status >= 400 && status !== 404 && status !== 429;
}
