/** Tells a fault that another try may overcome from one that lasts. */
import { errorCode, reasonOf } from '../../../errors.ts';
import { FetchFailure } from './fetch-failure.ts';

/** A failed try that may succeed a minute later. */
export class Hiccup extends Error {
  override readonly name = 'Hiccup';
  /** The pause that the publisher asked for in Retry-After; null where it did not. */
  readonly pauseMs: number | null;
  constructor(message: string, pauseMs: number | null = null) {
    super(message);
    this.pauseMs = pauseMs;
  }
}

/** What an exchange runs under. */
interface Bounds {
  readonly signal: AbortSignal;
  readonly limits: { readonly silentMsMax: number };
}

/** Any error while sending or receiving: our own pass, those of the line become hiccups. */
export function asHiccup(error: unknown, { signal, limits }: Bounds): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof Hiccup || error instanceof FetchFailure || isRefusedByDisk(error)) return error;
  const seconds = (limits.silentMsMax / 1000).toFixed(0);
  if (error instanceof DOMException && error.name === 'AbortError') {
    return new Hiccup(`nothing came for ${seconds} s`);
  }
  // Bun adds advice for programmers, which is of no use to operators.
  return new Hiccup(reasonOf(error).replace(/\.? For more information, pass `verbose.*/s, ''));
}

/** A full disk or a read-only folder: another try would not help. */
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

const untrusted =
  'shows a certificate that no authority known here has signed; NODE_EXTRA_CA_CERTS can name a file with one more';
const lastingFaults: Readonly<Record<string, string>> = {
  TooManyRedirects: 'only leads on to further addresses, without end',
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
};

/** A fault that would be the same a minute later; null for any other. */
export function lastingFault(error: unknown, url: string): FetchFailure | null {
  const lasting = lastingFaults[errorCode(error)];
  return lasting === undefined ? null : new FetchFailure('refused', `${url} ${lasting}.`);
}
