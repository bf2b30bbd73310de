/** The failures of an update's downloads: lasting ones, and temporary ones that another try may overcome. */
import { ExpectedFailure, errorCode, reasonOf } from '../../../errors.ts';
import { safeLines } from '../../../terminal-text.ts';
import { withoutCredentials } from '../../../urls.ts';

type FetchFailureCode =
  /** The connection or the publisher failed several times in a row. */
  | 'unreachable'
  /** The publisher answered 404. */
  | 'not-published'
  /** The publisher refused: 403, 406 and similar. */
  | 'refused'
  /** The answer differs from what the publisher's interface promises. */
  | 'unexpected-answer'
  /** The file is not of the announced size, or more arrives. */
  | 'wrong-size'
  /** Neither the publisher's list nor the answer states the size of a file. */
  | 'no-size'
  /** An address that must not be asked: a foreign host, or plain http after https. */
  | 'unsafe-address'
  /** The disk would have too little free space left. */
  | 'no-space';

/** A lasting failure. */
export class FetchFailure extends ExpectedFailure<FetchFailureCode> {
  override readonly name = 'FetchFailure';
  /** Messages are public: the status of a running service shows the last failure. */
  constructor(code: FetchFailureCode, message: string) {
    super(code, safeLines(withoutCredentials(message)));
  }
}

/** A failed try that may succeed a minute later. */
export class Hiccup extends Error {
  override readonly name = 'Hiccup';
  /** The pause that the publisher asked for in Retry-After; null if it did not. */
  readonly pauseMs: number | null;
  /** What may help if it happens at every attempt; '' if unknown. */
  readonly advice: string;
  constructor(message: string, pauseMs: number | null = null, advice = '') {
    super(message);
    this.pauseMs = pauseMs;
    this.advice = advice;
  }
}

/** Codes of errors before a connection stands, of Bun and of the system. */
const notReached = [
  'ConnectionRefused',
  'FailedToOpenSocket',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
];
const proxyOrMirror =
  ' If this network needs a proxy, name it in HTTPS_PROXY; for a mirror, set LEI_GOLDEN_COPY_URL, LEI_MAPPING_URL and LEI_MIC_LIST_URL.';

const untrusted =
  'has a certificate that no known authority has signed; to trust another authority, name its certificate file in NODE_EXTRA_CA_CERTS';
/** Faults of the line that would be the same a minute later. */
const lastingFaults: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
};

/** Sorts the errors of a request: our own are passed unchanged, lasting ones become failures, all others hiccups. */
export function asHiccup(error: unknown, url: string, interrupted: AbortSignal): unknown {
  if (interrupted.aborted) return interrupted.reason;
  if (error instanceof Hiccup || error instanceof FetchFailure) return error;
  const lasting = lastingFaults[errorCode(error)];
  if (lasting !== undefined) return new FetchFailure('refused', `${url} ${lasting}.`);
  // Cut off Bun's advice for programmers, which does not help operators.
  const reason = reasonOf(error).replace(/\.? For more information, pass `verbose.*/s, '');
  return new Hiccup(reason, null, notReached.includes(errorCode(error)) ? proxyOrMirror : '');
}
