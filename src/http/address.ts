/**
 * Splits the address of a request without building a URL object, parses its query string, and builds canonical
 * addresses. Nothing else in the front reads the address of a request, so that no two parts understand it differently.
 */
import type { Parameters } from './parameters.ts';
import type { ParameterFault } from './problem-kinds.ts';

/** Index at which the path starts. With an unusable Host header the server passes the path alone. */
function pathStart(url: string): number {
  if (url.charCodeAt(0) === slash) return 0;
  const start = url.indexOf('/', 'http://x'.length);
  return start === -1 ? url.length : start;
}
const slash = '/'.charCodeAt(0);

/** Path, still percent-encoded. */
export function pathOf(url: string): string {
  return /^[^?#]*/.exec(url.slice(pathStart(url)))?.[0] ?? '';
}

/** Query string as sent, without `?` and without a fragment. */
export function queryOf(url: string): string {
  const fragment = url.indexOf('#');
  const whole = fragment === -1 ? url : url.slice(0, fragment);
  const question = whole.indexOf('?');
  return question === -1 ? '' : whole.slice(question + 1);
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

/** A query string of 16 kB can contain thousands of unknown names, and so many do not help a client. */
const faultsMax = 50;
const shownNameCharactersMax = 64;

/** Text that is copied from a spreadsheet brings tabs and line ends. */
const whiteSpace = /[\t-\r\u0085]/g;
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;
/** The server puts this in place of bytes that are not UTF-8, encoded as if the client had sent it. Routers do so too. */
export const replacementCharacter = '\ufffd';

/**
 * The parameters of a query string (without `?`). It names every fault and guesses nothing: names outside `known`,
 * repeated and empty parameters, bad percent-encoding, bad UTF-8 and control characters each add a fault and leave the
 * parameter out. Tabs, line ends and other control characters that are white space become spaces.
 * @param lists the known ones whose value may be several, separated by commas
 */
export function readQuery(
  text: string,
  known: readonly string[],
  faults: ParameterFault[],
  lists: readonly string[] = [],
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, pieces] of piecesByName(text)) {
    const isKnown = known.includes(name);
    // A known parameter is read in any case: otherwise it would count as missing.
    if (!isKnown && faults.length >= faultsMax) continue;
    const outcome = isKnown
      ? readPieces(pieces, lists.includes(name) ? name : null)
      : unknownParameter(known);
    if (typeof outcome === 'string') values.set(name, outcome);
    else faults.push({ parameter: shownName(name), detail: outcome.detail });
  }
  return values;
}

/** Decoded name → the values as sent, '' if there was no `=`. */
function piecesByName(text: string): ReadonlyMap<string, string[]> {
  const pieces = new Map<string, string[]>();
  for (const piece of text.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const rawName = equals === -1 ? piece : piece.slice(0, equals);
    const name = decode(rawName) ?? rawName;
    const value = equals === -1 ? '' : piece.slice(equals + 1);
    const earlier = pieces.get(name);
    if (earlier === undefined) pieces.set(name, [value]);
    else earlier.push(value);
  }
  return pieces;
}

type Wrong = Pick<ParameterFault, 'detail'>;

/** The one good value, or the fault. @param list the parameter's name if it takes several values */
function readPieces([raw = '', ...more]: readonly string[], list: string | null): string | Wrong {
  if (more.length > 0) {
    const instead = list === null ? '' : `: its values go into one, separated by commas, as in ${list}=A,B`;
    return { detail: `must be given only once${instead}` };
  }
  const value = decode(raw)?.replaceAll(whiteSpace, ' ') ?? null;
  if (value === null) return { detail: 'must be percent-encoded UTF-8' };
  if (value === '') return { detail: 'must not be empty' };
  if (value.includes(replacementCharacter)) return { detail: 'must be valid UTF-8, without U+FFFD' };
  if (controlCharacter.test(value)) return { detail: 'must not contain control characters' };
  return value;
}

/** Form decoding: `+` is a space. Null if the percent-encoding or the UTF-8 in it is broken. */
function decode(text: string): string | null {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function unknownParameter(known: readonly string[]): Wrong {
  if (known.length === 0) return { detail: 'is not a parameter of this endpoint, which takes none' };
  return { detail: `is not a parameter of this endpoint; its parameters are ${known.join(', ')}` };
}

function shownName(name: string): string {
  const shown = name.length > shownNameCharactersMax ? `${name.slice(0, shownNameCharactersMax)}…` : name;
  return shown.toWellFormed();
}
