/** The three members of every 200: joined, since `data` comes finished from a query thread. */
import type { Octets } from '../../protocol/octets.ts';

/**
 * @param data finished JSON
 * @param meta finished JSON text in ASCII
 * @param self path and query; made of characters that JSON leaves alone (percent-encoded)
 * @param next cursor value, base64url; null on the last page
 */
export function envelope(data: Octets, meta: string, self: string, next: string | null): Octets {
  const end = next === null ? '"}}' : `","next":"${next}"}}`;
  return `{"data":${data},"meta":${meta},"links":{"self":"${self}${end}`;
}
