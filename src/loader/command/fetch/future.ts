/** Refuses dates in the future: an update that believed one would find nothing newer until then. */
import { FetchFailure } from './fetch-failure.ts';
import type { Transport } from './transport.ts';

/** The latest time that a publisher may state, in milliseconds since 1970. */
export function latestTime({ now, limits }: Pick<Transport, 'now' | 'limits'>): number {
  return now() + limits.futureMsMax;
}

/** @param time in milliseconds since 1970; NaN if the publisher states none @throws FetchFailure */
export function refuseFuture(transport: Transport, time: number, url: string): void {
  if (!(time > latestTime(transport))) return;
  throw new FetchFailure(
    'unexpected-answer',
    `${url} gives the date ${new Date(time).toISOString()}, which is in the future. If the date is right, this machine's clock is wrong.`,
  );
}
