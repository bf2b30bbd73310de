/** The address of a request, taken apart without building a URL object. */
import type { Endpoint } from './endpoints.ts';
import { noParameters, type Parameters } from './parameters.ts';

/** Index at which the path starts. The server gives a path alone where the Host header makes no URL. */
function pathStart(url: string): number {
  if (url.charCodeAt(0) === slash) return 0;
  const start = url.indexOf('/', 'http://x'.length);
  return start === -1 ? url.length : start;
}
const slash = '/'.charCodeAt(0);

/** Path as sent, percent-encoding kept. */
export function pathOf(url: string): string {
  const question = url.indexOf('?');
  return url.slice(pathStart(url), question === -1 ? undefined : question);
}

/** Query string as sent, without `?`. */
export function queryOf(url: string): string {
  const question = url.indexOf('?');
  return question === -1 ? '' : url.slice(question + 1);
}

/** The identifier in an endpoint's path, decoded; null where the percent-encoding or the UTF-8 in it is broken. */
export function identifierIn(url: string, { before, after }: Endpoint): string | null {
  const question = url.indexOf('?');
  const end = (question === -1 ? url.length : question) - after.length;
  const segment = url.slice(pathStart(url) + before.length, end);
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** Form encoding, as `links.self` has it: a space is `+`. */
function encodeValue(value: string): string {
  return encodeURIComponent(value).replaceAll('%20', '+');
}

/** The filters of a search in one canonical order and spelling, without cursor and limit. */
export function filtersText(parameters: Parameters): string {
  if (parameters === noParameters) return '';
  const { q, country, status } = parameters;
  const parts: string[] = [];
  if (q !== null) parts.push(`q=${encodeValue(q)}`);
  if (country !== null) parts.push(`country=${country}`);
  if (status !== null) parts.push(`status=${status}`);
  return parts.join('&');
}

/** A page's canonical address; every parameter that was given stands in it. */
export function pageAddress(
  path: string,
  filters: string,
  parameters: Parameters,
  cursor: string | null,
): string {
  if (filters === '' && !parameters.limitGiven && cursor === null) return path;
  const parts = [filters];
  if (parameters.limitGiven) parts.push(`limit=${parameters.limit}`);
  if (cursor !== null) parts.push(`cursor=${cursor}`);
  const query = parts.filter((part) => part !== '').join('&');
  return query === '' ? path : `${path}?${query}`;
}
