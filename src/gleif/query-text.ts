/**
 * Reads the query of a request to GLEIF's API: parameters with a member in brackets, as in `filter[lei]=…`. It refuses
 * parameters that look like filters but are none, so that a list is never wider than asked for. It ignores other unknown
 * ones.
 */
import { faultsMax, type GleifFault } from './faults.ts';

/** The parameters of a request. */
export interface QueryParameters {
  /** Values by the field in brackets, in the order of the request. */
  readonly filters: ReadonlyMap<string, string>;
  /** Members of `page`. */
  readonly page: ReadonlyMap<string, string>;
  /** Members of `fields`. */
  readonly fields: ReadonlyMap<string, string>;
  /** `sort`, `include`, `field`, `q`. */
  readonly plain: ReadonlyMap<string, string>;
}

const families = ['filter', 'page', 'fields'] as const;
type ParameterFamily = (typeof families)[number];
const plainNames = ['sort', 'include', 'field', 'q'] as const;
const controlCharacter = /[\u0000-\u001f\u007f-\u009f]+/g;
const shownCharactersMax = 64;

type ReadParameters = Readonly<Record<ParameterFamily | 'plain', Map<string, string>>>;

/** @param text without `?`, as it was sent @param faults each fault is added to them */
export function readQueryText(text: string, faults: GleifFault[]): QueryParameters {
  const read: ReadParameters = { filter: new Map(), page: new Map(), fields: new Map(), plain: new Map() };
  for (const piece of text.split('&')) {
    const fault = piece === '' ? null : readPiece(piece, read);
    if (fault !== null && faults.length < faultsMax) faults.push(fault);
  }
  return { filters: read.filter, page: read.page, fields: read.fields, plain: read.plain };
}

/** Reads `key=value`; null unless it is faulty. */
function readPiece(piece: string, read: ReadParameters): GleifFault | null {
  const equals = piece.indexOf('=');
  const rawKey = equals === -1 ? piece : piece.slice(0, equals);
  const key = decoded(rawKey);
  const value = decoded(equals === -1 ? '' : piece.slice(equals + 1));
  const place = placeOf(key ?? rawKey);
  if (place === null) return null;
  const parameter = shown(key ?? rawKey);
  if (key === null || value === null)
    return { parameter, detail: `${parameter} must be percent-encoded UTF-8.` };
  if (place === 'nested') {
    const detail = `${parameter} must name one field in brackets, as in filter[entity.status]=ACTIVE.`;
    return { parameter: 'filter', detail };
  }
  const values = read[place.of];
  const given = value.replace(controlCharacter, ' ').trim();
  // Some clients follow the link to the next page and send their own parameters with it again.
  if ((values.get(place.name) ?? given) !== given) {
    const detail = `${parameter} must have one value only: several go into one, separated by commas.`;
    return { parameter, detail };
  }
  values.set(place.name, given);
  return null;
}

type Place = { readonly of: ParameterFamily | 'plain'; readonly name: string };

/** Where a parameter belongs; null for one that is ignored. Text behind the closing bracket is ignored too. */
function placeOf(key: string): Place | 'nested' | null {
  const plain = plainNames.find((name) => name === key);
  if (plain !== undefined) return { of: 'plain', name: plain };
  const parts = /^(filter|page|fields)\[([^[\]]+)\](?!\[)/.exec(key);
  const of = families.find((family) => family === parts?.[1]);
  if (parts !== null && of !== undefined) return { of, name: parts[2] ?? '' };
  return /^(\W|amp;)*filter/i.test(key) ? 'nested' : null;
}

/** Form decoding: `+` is a space. Null if the percent-encoding or the UTF-8 in it is broken. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

function shown(key: string): string {
  return (key.length > shownCharactersMax ? `${key.slice(0, shownCharactersMax)}…` : key).toWellFormed();
}

/** Encodes a name or value in the links of a list, as GLEIF's service does. */
export function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll('%20', '+')
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
