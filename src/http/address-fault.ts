/** Finds what is wrong with the address of a request, of which the headers `Host` are a part (RFC 9112 §3.2). */
import type { ProblemDetails } from './problem.ts';

/**
 * The fault of a request's address, or null. Two parsers may read a faulty address differently: the server resolves no
 * `..` in it, and `new URL` throws.
 */
export function addressFault(request: Request): ProblemDetails | null {
  const { url, headers } = request;
  if (!hasOneHost(request)) return severalHosts;
  if (url.includes('#')) return fragment;
  // The server passes the path alone if there is no Host, and if it can't be a part of a URL.
  const isUsable = url.startsWith('/') ? (headers.get('host') ?? '') === '' : hasUsableOrigin(url);
  return isUsable ? null : unusableHost;
}

/** False for several `Host` headers, which the server joins: a proxy may have read another one. */
export function hasOneHost({ headers }: Request): boolean {
  const host = headers.get('host');
  return host === null || !host.includes(',');
}

export const severalHosts: ProblemDetails = {
  name: 'malformed-request',
  detail: 'The request has several Host headers. Send exactly one.',
  headers: { Connection: 'close' },
};

const fragment: ProblemDetails = {
  name: 'malformed-request',
  detail:
    'The address of the request contains "#". A fragment stays with the client, and "#" in a value is written as %23.',
};

const unusableHost: ProblemDetails = {
  name: 'malformed-request',
  detail: 'The Host header is not a host: it must be a name or an address, alone or with a port.',
};

/** Nearly all requests have the same origin, and parsing costs more than all else in {@link addressFault}. */
let knownOrigin: string | null = null;

function hasUsableOrigin(url: string): boolean {
  if (knownOrigin !== null && url.startsWith(knownOrigin)) return true;
  if (!URL.canParse(url)) return false;
  knownOrigin = url.slice(0, url.indexOf('/', 'https://'.length) + 1);
  return true;
}
