/** Sends one HTTP request to a publisher, with retries for temporary faults. */
import { setTimeout as wait } from 'node:timers/promises';
import packageJson from '../../../../package.json' with { type: 'json' };
import type { Config } from '../../../config.ts';
import { freeBytesMin } from '../../../publication/files.ts';
import { safeLines } from '../../../terminal-text.ts';
import { withoutCredentials } from '../../../urls.ts';
import { withTries } from '../../../waits.ts';
import { followed, refuseForeignHost } from './addresses.ts';
import { asHiccup, FetchFailure, Hiccup } from './failures.ts';

/** The limits of communicating with a publisher. Tests shorten them. */
export const fetchLimits = {
  /** Tries of one request, or of a download without progress. */
  attemptsMax: 5,
  /** The pause after the first failed try; it doubles up to the second figure. */
  pauseMs: 1_000,
  pauseMsMax: 60_000,
  /** How long the headers of an answer may take. */
  silentMsMax: 60_000,
  /** A body must bring this many bytes in each window, 1 KiB a second. */
  paceWindowMs: 10_000,
  paceBytesMin: 10 * 1024,
  /** Redirects of one request. */
  redirectsMax: 10,
  /** Size of an answer that describes files. */
  answerBytesMax: 8 * 1024 * 1024,
  freeBytesMin,
  /** How far a publisher's dates may be ahead of this machine's clock, which may be set to a wrong time zone. */
  futureMsMax: 24 * 3_600_000,
  /** How much earlier than its publish a file of a golden copy may be: half the time between two publishes. */
  staleMsMax: 4 * 3_600_000,
} as const;

/** Repeats an action. @returns a function that ends it */
type RepeatEvery = (everyMs: number, action: () => void) => () => void;

export interface Transport {
  readonly limits: Readonly<Record<keyof typeof fetchLimits, number>>;
  /** Host names that may be asked, besides GLEIF's own. */
  readonly hosts: readonly string[];
  /** Ends every request. */
  readonly signal: AbortSignal;
  /** Time of day in milliseconds since 1970. */
  now(): number;
  readonly repeat: RepeatEvery;
  /** Waits; rejects when the signal aborts. */
  pause(milliseconds: number): Promise<void>;
  /** Takes a sentence for the operator. */
  say(message: string): void;
  readonly userAgent: string;
}

type Addresses = Pick<Config, 'goldenCopyUrl' | 'mappingUrl' | 'micListUrl' | 'downloadHosts'>;

/**
 * The transport of a real update: the settings' hosts, the system's clock and timers.
 * @param say takes a sentence for the operator
 */
export function createTransport(
  { goldenCopyUrl, mappingUrl, micListUrl, downloadHosts }: Addresses,
  signal: AbortSignal,
  say: (message: string) => void,
): Transport {
  const publishers = [goldenCopyUrl, mappingUrl, micListUrl].map((url) => new URL(url).hostname);
  return {
    limits: fetchLimits,
    hosts: [...publishers, ...downloadHosts],
    signal,
    now: () => Date.now(),
    repeat: (everyMs, action) => {
      const timer = setInterval(action, everyMs);
      return () => clearInterval(timer);
    },
    pause: async (milliseconds) => {
      await wait(milliseconds, undefined, { signal }).catch(() => {});
      signal.throwIfAborted();
    },
    say,
    userAgent: `lei-service/${packageJson.version}`,
  };
}

/**
 * Repeats a try until it succeeds.
 * @param attempt calls `gotFurther` when it makes progress: a long download over a poor connection may
 *   break off often, but one that stands still ends
 * @throws FetchFailure `unreachable` after too many tries in a row, and what the attempt throws unless it is a hiccup
 */
export async function withRetries<T>(
  transport: Transport,
  url: string,
  attempt: (gotFurther: () => void) => Promise<T>,
): Promise<T> {
  const { attemptsMax, pauseMs, pauseMsMax } = transport.limits;
  let further = false;
  let failed = 0;
  const pauseAfter = (error: unknown): number => {
    transport.signal.throwIfAborted();
    if (!(error instanceof Hiccup)) throw error;
    failed = further ? 1 : failed + 1;
    further = false;
    if (failed >= attemptsMax) {
      const told = `${url}: ${error.message} (${failed} attempts in a row).${error.advice}`;
      throw new FetchFailure('unreachable', told);
    }
    const pause = Math.min(pauseMsMax, error.pauseMs ?? pauseMs * 2 ** (failed - 1));
    const next = `trying again in ${(pause / 1000).toFixed(1)} s.`;
    transport.say(safeLines(withoutCredentials(`${url}: ${error.message}; ${next}`)));
    return pause;
  };
  const gotFurther = () => {
    further = true;
  };
  return withTries({ pauseAfter, pause: transport.pause }, () => attempt(gotFurther));
}

/** An answer whose body is still to be read. */
export interface OpenResponse {
  readonly response: Response;
  /** The body, piece by piece. @throws Hiccup if it arrives too slowly or breaks off */
  body(): AsyncGenerator<Uint8Array>;
  /** Call it when done with the answer; the rest of the body is dropped. */
  close(): void;
}

/**
 * Asks once, and follows redirects.
 * @throws FetchFailure for an address that must not be asked; that or {@link Hiccup} for a status that is an error, but
 *   416 is left to the caller
 */
export async function openResponse(
  transport: Transport,
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenResponse> {
  const ending = new AbortController();
  const end = (reason: Hiccup) => ending.abort(reason);
  const { silentMsMax } = transport.limits;
  const silence = setTimeout(
    () => end(new Hiccup(`it sent nothing for ${silentMsMax / 1000} s`)),
    silentMsMax,
  );
  const explain = (error: unknown) =>
    asHiccup(ending.signal.aborted ? ending.signal.reason : error, url, transport.signal);
  try {
    const response = await follow(transport, url, {
      // The mapping service answers 406 to `application/json`.
      headers: { Accept: '*/*', 'User-Agent': transport.userAgent, ...headers },
      signal: AbortSignal.any([transport.signal, ending.signal]),
    });
    judgeStatus(response, url);
    const pace = watchPace(transport.limits, transport.repeat, end);
    return {
      response,
      body: () => piecesOf(response, pace.arrived, explain),
      close: () => {
        pace.stop();
        ending.abort();
      },
    };
  } catch (error) {
    const explained = explain(error);
    ending.abort();
    throw explained;
  } finally {
    clearTimeout(silence);
  }
}

async function follow(transport: Transport, url: string, init: RequestInit): Promise<Response> {
  let address = url;
  for (let redirects = 0; redirects <= transport.limits.redirectsMax; redirects++) {
    refuseForeignHost(address, transport.hosts);
    const response = await fetch(address, { ...init, redirect: 'manual' });
    const location = redirectStatuses.has(response.status) ? response.headers.get('location') : null;
    if (location === null) return response;
    await response.body?.cancel();
    address = followed(location, address);
  }
  throw new FetchFailure('refused', `${url} redirects too often.`);
}
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

async function* piecesOf(
  response: Response,
  arrived: (bytes: number) => void,
  explain: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of response.body ?? []) {
      arrived(piece.length);
      yield piece;
    }
  } catch (error) {
    throw explain(error);
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

/**
 * Ends a body that arrives too slowly: one byte a second would block an update for ever.
 * @param tooSlow called once, with the reason, after the first window with too few bytes
 */
function watchPace(
  { paceWindowMs, paceBytesMin }: { readonly paceWindowMs: number; readonly paceBytesMin: number },
  repeat: RepeatEvery,
  tooSlow: (reason: Hiccup) => void,
): { arrived: (bytes: number) => void; stop: () => void } {
  let inWindow = 0;
  const stop = repeat(paceWindowMs, () => {
    if (inWindow < paceBytesMin) {
      stop();
      const seconds = paceWindowMs / 1000;
      tooSlow(
        new Hiccup(`sent ${inWindow} bytes in ${seconds} s, less than ${paceBytesMin / seconds} a second`),
      );
    }
    inWindow = 0;
  });
  return {
    arrived: (bytes) => {
      inWindow += bytes;
    },
    stop,
  };
}
