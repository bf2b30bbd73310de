/**
 * Keeps requests apart on connections that a proxy shares between clients. The server reads the bytes of a request;
 * this file ends the connection where those bytes could disturb the next client's request.
 */
import type { ProblemDetails } from './problem.ts';

/**
 * Whether the answer must carry `Connection: close`.
 *
 * - A request with a body: it is not read to its end, and the server answers a bad chunk or a trailer with a second,
 *   bare 400, which a proxy would pass to the next client.
 * - A request of HTTP/1.0: the server closes its connection without saying so, and a proxy would lose the next client's
 *   request. The server hides the version: a `Request` of either is the same (Bun 1.4.5). A request of HTTP/1.0 lacks
 *   `Host`, or comes from a proxy that asks to keep the connection, which proxies do for HTTP/1.0 only. A proxy that
 *   does not forward the client's address looks like a browser, which asks the same: docs/run-the-service.md tells
 *   operators.
 */
export function endsConnection({ headers, url }: Request): boolean {
  if (headers.get('transfer-encoding') !== null) return true;
  const length = headers.get('content-length');
  if (length !== null && length !== '0') return true;
  // Without Host the server passes the path alone.
  if (url.charCodeAt(0) === slash) return true;
  const connection = headers.get('connection');
  return connection !== null && keepAlive.test(connection) && headers.get('x-forwarded-for') !== null;
}
const slash = '/'.charCodeAt(0);
const keepAlive = /\bkeep-alive\b/i;

/** False for several `Host` headers, which the server joins: a proxy may have read another one (RFC 9112 §3.2). */
export function hasOneHost({ headers }: Request): boolean {
  const host = headers.get('host');
  return host === null || !host.includes(',');
}

export const severalHosts: ProblemDetails = {
  name: 'malformed-request',
  detail: 'The request has several Host headers. Send exactly one.',
  headers: { Connection: 'close' },
};
