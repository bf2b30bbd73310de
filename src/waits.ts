/** Waits: for a moment that is far away, for the work of others that may never end, and for the next try of it. */

/** A timer takes 31 bits of milliseconds, 24.8 days; a longer one would fire at once. */
const timerMsMax = 2 ** 31 - 1;

/** The milliseconds of a timer for a wait of any length. Who waits looks again when it fires. */
export function timerMs(milliseconds: number): number {
  return Math.min(milliseconds, timerMsMax);
}

/** The result of the work, unless the signal comes first. @throws the signal's reason, or what the work throws */
export async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** How one try of some work follows another. */
interface Tries {
  /** Milliseconds to the next try, after so many that failed. @throws what ends the work: there is no further try */
  readonly pauseAfter: (error: unknown, failed: number) => number;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** The result of the first try that succeeds. @param attempt receives the number of the try, from 1 */
export async function withTries<Result>(
  { pauseAfter, pause }: Tries,
  attempt: (number: number) => Promise<Result>,
): Promise<Result> {
  for (let number = 1; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      await pause(pauseAfter(error, number));
    }
  }
}
