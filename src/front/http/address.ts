/** Splits the address of a request without building a URL object, and builds canonical addresses. */
import type { Parameters } from '../endpoints/parameters.ts';

/** Index at which the path starts. With an unusable Host header the server passes the path alone. */
function pathStart(url: string): number {
  if (url.charCodeAt(0) === slash) return 0;
  const start = url.indexOf('/', 'http://x'.length);
  return start === -1 ? url.length : start;
}
const slash = '/'.charCodeAt(0);

/** Path as sent, still percent-encoded. */
export function pathOf(url: string): string {
  const question = url.indexOf('?');
  return url.slice(pathStart(url), question === -1 ? undefined : question);
}

/** Query string as sent, without `?`. */
export function queryOf(url: string): string {
  const question = url.indexOf('?');
  return question === -1 ? '' : url.slice(question + 1);
}

/** Form encoding, as in `links.self`: a space is `+`. */
function encodeValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%20', '+');
}

/** The same with literal commas: a comma between values needs no encoding, and the address stays readable. */
function encodeList(value: string): string {
  return plainList.test(value) ? value : encodeValue(value).replaceAll('%2C', ',');
}
const plainList = /^[A-Za-z0-9,]*$/;

/**
 * The filters of a search in one canonical order and spelling, without cursor and limit.
 * @param own names and texts of the parameters that the endpoint alone takes
 */
export function filtersText(
  { q, country, status }: Parameters,
  own: readonly (readonly [string, string])[],
): string {
  const parts: string[] = [];
  if (q !== null) parts.push(`q=${encodeValue(q)}`);
  if (country !== null) parts.push(`country=${country}`);
  if (status !== null) parts.push(`status=${status}`);
  for (const [name, value] of own) parts.push(`${name}=${encodeList(value)}`);
  return parts.join('&');
}

/** A page's canonical address, with every parameter that was given. */
export function pageAddress(
  path: string,
  { filters, limitGiven, limit }: Pick<Parameters, 'limitGiven' | 'limit'> & { readonly filters: string },
  cursor: string | null,
): string {
  if (filters === '' && !limitGiven && cursor === null) return path;
  const parts = [filters];
  if (limitGiven) parts.push(`limit=${limit}`);
  if (cursor !== null) parts.push(`cursor=${cursor}`);
  const query = parts.filter((part) => part !== '').join('&');
  return query === '' ? path : `${path}?${query}`;
}
