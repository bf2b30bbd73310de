/** One HTTP request to a publisher, tried again where that can help. */
import { withoutCredentials } from '../../../urls.ts';
import { FetchFailure } from './fetch-failure.ts';
import { asHiccup, Hiccup, lastingFault } from './hiccup.ts';

/** The bounds of talking to a publisher. Tests shorten them. */
export const fetchLimits = {
  /** Tries of one request, or of a download without getting any further. */
  attemptsMax: 5,
  /** The pause after the first failed try; it doubles up to the second figure. */
  pauseMs: 1_000,
  pauseMsMax: 60_000,
  /** How long a publisher may send nothing at all. */
  silentMsMax: 60_000,
  /** Size of an answer that describes files. */
  answerBytesMax: 8 * 1024 * 1024,
} as const;
export type FetchLimits = Readonly<Record<keyof typeof fetchLimits, number>>;

export interface Transport {
  readonly limits: FetchLimits;
  /** Ends every request. */
  readonly signal: AbortSignal;
  /** Waits; rejects when the signal aborts. */
  pause(milliseconds: number): Promise<void>;
  /** Takes a sentence for the operator. */
  say(message: string): void;
  readonly userAgent: string;
}

/**
 * Repeats a try until it succeeds.
 * @param attempt calls `gotFurther` when it gets further than the try before: a long download over a poor line may
 *   break off often, but one that stands still ends
 * @throws FetchFailure `unreachable` after too many tries in a row, and what the attempt throws unless it is a hiccup
 */
export async function withRetries<T>(
  transport: Transport,
  url: string,
  attempt: (gotFurther: () => void) => Promise<T>,
): Promise<T> {
  const { attemptsMax, pauseMs, pauseMsMax } = transport.limits;
  for (let failed = 0; ; ) {
    let further = false;
    try {
      return await attempt(() => {
        further = true;
      });
    } catch (error) {
      transport.signal.throwIfAborted();
      if (!(error instanceof Hiccup)) throw error;
      failed = further ? 1 : failed + 1;
      if (failed >= attemptsMax) {
        throw new FetchFailure('unreachable', `${url}: ${error.message} (${failed} tries in a row).`);
      }
      const pause = Math.min(pauseMsMax, error.pauseMs ?? pauseMs * 2 ** (failed - 1));
      const next = `trying again in ${(pause / 1000).toFixed(1)} s.`;
      transport.say(withoutCredentials(`${url}: ${error.message}; ${next}`));
      await transport.pause(pause);
    }
  }
}

/** An answer whose body is still to be read. */
export interface Exchange {
  readonly response: Response;
  /** Call it with each piece of the body: the exchange ends when nothing comes for too long. */
  heard(): void;
  /** Call it when done with the answer. */
  close(): void;
}

/**
 * Asks once.
 * @throws FetchFailure or {@link Hiccup} for a status that is an error; 416 is left to the caller
 */
export async function ask(
  transport: Transport,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Exchange> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), transport.limits.silentMsMax);
  const close = () => {
    clearTimeout(timer);
    // Stops the rest of an answer that nobody reads.
    silence.abort();
  };
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), transport.limits.silentMsMax);
  };
  try {
    const response = await fetch(url, {
      // The mapping service answers 406 to `application/json`.
      headers: { Accept: '*/*', 'User-Agent': transport.userAgent, ...headers },
      signal: AbortSignal.any([transport.signal, silence.signal]),
    });
    heard();
    judgeStatus(response, url);
    return { response, heard, close };
  } catch (error) {
    close();
    throw lastingFault(error, url) ?? asHiccup(error, transport);
  }
}

function judgeStatus(response: Response, url: string): void {
  if (response.ok || response.status === 416) return;
  const said = `answered ${response.status}${response.statusText === '' ? '' : ` ${response.statusText}`}`;
  const again = response.status >= 500 || response.status === 429 || response.status === 408;
  if (again) throw new Hiccup(said, retryAfterMs(response.headers.get('retry-after')));
  if (response.status === 404) throw new FetchFailure('not-published', `${url} ${said}.`);
  throw new FetchFailure('refused', `${url} ${said}.`);
}

/** Milliseconds of a Retry-After in whole seconds; null for none and for its date form. */
function retryAfterMs(value: string | null): number | null {
  return value !== null && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : null;
}
