/** The three members of every 200: joined as text, since `data` comes finished from a query thread. */

/**
 * @param data finished JSON text
 * @param meta finished JSON text
 * @param self path and query; made of characters that JSON leaves alone (percent-encoded)
 * @param next cursor value, base64url; null on the last page
 */
export function envelope(data: string, meta: string, self: string, next: string | null): string {
  const end = next === null ? '"}}' : `","next":"${next}"}}`;
  return `{"data":${data},"meta":${meta},"links":{"self":"${self}${end}`;
}
