/** One HTTP request to a publisher, tried again where that can help: what every download shares. */
import { errorCode, reasonOf } from '../../../errors.ts';
import { withoutCredentials } from '../../../urls.ts';
import { FetchFailure } from './fetch-failure.ts';

/** The bounds of talking to a publisher, out of those in config.ts. */
export type FetchLimits = Readonly<
  Record<
    'fetchAttemptsMax' | 'fetchPauseMs' | 'fetchPauseMsMax' | 'fetchSilentMsMax' | 'fetchAnswerBytesMax',
    number
  >
>;

export interface Transport {
  readonly limits: FetchLimits;
  /** Ends whatever is under way. */
  readonly signal: AbortSignal;
  /** Waits, or rejects once the signal is given. */
  pause(milliseconds: number): Promise<void>;
  /** Tells the operator about a try that failed. */
  say(message: string): void;
  readonly userAgent: string;
}

/** A try that failed in a way that another may not. */
export class Hiccup extends Error {
  override readonly name = 'Hiccup';
  /** What the publisher asked for in Retry-After, or null. */
  readonly pauseMs: number | null;
  constructor(message: string, pauseMs: number | null = null) {
    super(message);
    this.pauseMs = pauseMs;
  }
}

/**
 * Runs a try until it succeeds.
 * @param attempt tells whether it got further than the one before, so that a long download over a poor line may
 *   break off often, yet one that stands still ends
 */
export async function withRetries<T>(
  transport: Transport,
  url: string,
  attempt: (gotFurther: () => void) => Promise<T>,
): Promise<T> {
  const { fetchAttemptsMax, fetchPauseMs, fetchPauseMsMax } = transport.limits;
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
      if (failed >= fetchAttemptsMax) {
        throw new FetchFailure('unreachable', `${url}: ${error.message} (${failed} tries in a row).`);
      }
      const pause = Math.min(fetchPauseMsMax, error.pauseMs ?? fetchPauseMs * 2 ** (failed - 1));
      const next = `trying again in ${(pause / 1000).toFixed(1)} s.`;
      transport.say(withoutCredentials(`${url}: ${error.message}; ${next}`));
      await transport.pause(pause);
    }
  }
}

/**
 * Asks once. Statuses that are an error are thrown, 416 apart, which is for the asker to judge. Until `close` is
 * called the exchange is ended when nothing is `heard` for too long.
 */
export async function ask(
  transport: Transport,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ response: Response; heard: () => void; close: () => void }> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), transport.limits.fetchSilentMsMax);
  const close = () => {
    clearTimeout(timer);
    // What is left of an answer that is not wanted must not be sent on.
    silence.abort();
  };
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), transport.limits.fetchSilentMsMax);
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
    const lasting = lastingFaults[errorCode(error)];
    if (lasting !== undefined) throw new FetchFailure('refused', `${url} ${lasting}.`);
    throw asHiccup(error, transport);
  }
}

const untrusted =
  'shows a certificate that no authority known here has signed; NODE_EXTRA_CA_CERTS can name a file with one more';
/** What would be the same a minute later. */
const lastingFaults: Readonly<Record<string, string>> = {
  TooManyRedirects: 'only leads on to further addresses, without end',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
};

/** What any error while sending or receiving means: the ones that are ours pass, the line's become hiccups. */
export function asHiccup(error: unknown, transport: Transport): unknown {
  if (transport.signal.aborted) return transport.signal.reason;
  if (error instanceof Hiccup || error instanceof FetchFailure || isRefusedByDisk(error)) return error;
  const seconds = (transport.limits.fetchSilentMsMax / 1000).toFixed(0);
  if (error instanceof DOMException && error.name === 'AbortError') {
    return new Hiccup(`nothing came for ${seconds} s`);
  }
  // What follows is for whoever wrote the call.
  return new Hiccup(reasonOf(error).replace(/\.? For more information, pass `verbose.*/s, ''));
}

/** A full disk or a read-only folder: trying again would not help. */
function isRefusedByDisk(error: unknown): boolean {
  return diskCodes.has(errorCode(error));
}
const diskCodes: ReadonlySet<string> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'EISDIR',
]);

function judgeStatus(response: Response, url: string): void {
  if (response.ok || response.status === 416) return;
  const said = `answered ${response.status}${response.statusText === '' ? '' : ` ${response.statusText}`}`;
  const again = response.status >= 500 || response.status === 429 || response.status === 408;
  if (again) throw new Hiccup(said, retryAfterMs(response.headers.get('retry-after')));
  if (response.status === 404) throw new FetchFailure('not-published', `${url} ${said}.`);
  throw new FetchFailure('refused', `${url} ${said}.`);
}

/** Retry-After in whole seconds; its date form is left to the usual pause. */
function retryAfterMs(value: string | null): number | null {
  return value !== null && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : null;
}

/** When what stands under an address was last modified. Not asked with HEAD, which some servers refuse. */
export async function askForDate(transport: Transport, url: string): Promise<Date> {
  const date = await withRetries(transport, url, async () => {
    const { response, close } = await ask(transport, url, {});
    close();
    return response.headers.get('last-modified');
  });
  if (date !== null && !Number.isNaN(Date.parse(date))) return new Date(date);
  throw new FetchFailure('unexpected-answer', `${url} does not say when it was last modified.`);
}

/** The JSON that a publisher answers, without nulls: what is not published may be left out or be null, which is the same. */
export async function askForJson(transport: Transport, url: string): Promise<unknown> {
  const text = await withRetries(transport, url, async () => {
    const { response, close } = await ask(transport, url, {});
    try {
      return await boundedText(response, url, transport.limits.fetchAnswerBytesMax);
    } catch (error) {
      throw asHiccup(error, transport);
    } finally {
      close();
    }
  });
  try {
    return JSON.parse(text, (_name, value: unknown) => value ?? undefined);
  } catch {
    const beginning = JSON.stringify(text.slice(0, 60));
    throw new FetchFailure('unexpected-answer', `${url} did not answer JSON but ${beginning}.`);
  }
}

async function boundedText(response: Response, url: string, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw new FetchFailure('unexpected-answer', `${url} answered more than ${bytesMax} bytes.`);
    }
  }
  return Buffer.concat(chunks).toString('utf8');
}
