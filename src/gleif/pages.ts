/** Reads which page of a list is asked for: by number, or by cursor. */
import type { GleifPage } from '../protocol/gleif-questions.ts';
import type { GleifFault } from './faults.ts';
import { encoded, type QueryParameters } from './query-text.ts';

/** A list as it is addressed, before its cursor is opened. */
export interface PageReading {
  readonly number: number;
  readonly size: number;
  /** The filters and the sort that a cursor belongs to. */
  readonly scope: string;
  /** As it was sent; `*` begins a walk. Null for a page by number. */
  readonly cursor: string | null;
  readonly path: string;
  readonly query: string;
}

export interface PageRules {
  readonly size: number;
  readonly sizeMax: number;
  /** Whether the list can be read by cursor, as only that of all companies can. */
  readonly hasCursor: boolean;
  /** The order that links name if the request names none; null for none. */
  readonly sort: string | null;
}

export const recordPages: PageRules = { size: 15, sizeMax: 200, hasCursor: false, sort: null };
/** A page behind the last is empty. No client means a number beyond this. */
const numberMax = 100_000_000;

/** @param path below the base */
export function readPage(
  path: string,
  { filters, fields, page, plain }: QueryParameters,
  rules: PageRules,
  faults: GleifFault[],
): PageReading {
  const size = wholeNumber(page.get('size'), rules.size, rules.sizeMax);
  if (size === null) {
    faults.push({ parameter: 'page.size', detail: `The page.size must be between 1 and ${rules.sizeMax}.` });
  }
  const cursor = rules.hasCursor ? (page.get('cursor') ?? null) : null;
  const number = cursor === null ? wholeNumber(page.get('number'), 1, numberMax) : 1;
  if (number === null) {
    faults.push({ parameter: 'page.number', detail: 'The page.number must be a whole number from 1.' });
  }
  if (cursor === '') {
    faults.push({
      parameter: 'page.cursor',
      detail: 'The page.cursor must be * or the cursor of a next link.',
    });
  }
  const sort = plain.get('sort') ?? rules.sort;
  const include = plain.get('include');
  const parts = [
    ...[...filters].map(([name, value]) => [`filter[${name}]`, value] as const),
    ...[...fields].map(([name, value]) => [`fields[${name}]`, value] as const),
    ...(include === undefined ? [] : [['include', include] as const]),
    ...(sort === null ? [] : [['sort', sort] as const]),
  ];
  const query = parts.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  const scope = JSON.stringify([...filters, ['sort', sort]]);
  return { number: number ?? 1, size: size ?? rules.size, cursor, scope, path, query };
}

/** `standard` without a text; null for one that is no whole number from 1 to `max`. */
function wholeNumber(text: string | undefined, standard: number, max: number): number | null {
  if (text === undefined) return standard;
  const number = /^\d{1,12}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= max ? number : null;
}

/** The addresses of the pages of a list. @param base the public address of GLEIF's API */
export function pageLinks(base: string, page: GleifPage, total: number): Readonly<Record<string, string>> {
  const { number, size, cursor, path, query } = page;
  const before = `${base}${path}?${query === '' ? '' : `${query}&`}`;
  if (cursor !== null) {
    const at = (value: string) => `${before}page%5Bcursor%5D=${encoded(value)}&page%5Bsize%5D=${size}`;
    const first = { first: at('*') };
    return cursor.from + size < total ? { ...first, next: at(cursor.next) } : first;
  }
  const last = lastPage(total, size);
  const at = (of: number) => `${before}page%5Bnumber%5D=${of}&page%5Bsize%5D=${size}`;
  return {
    first: at(1),
    ...(number > 1 ? { prev: at(Math.min(number - 1, last)) } : {}),
    ...(number < last ? { next: at(number + 1) } : {}),
    last: at(last),
  };
}

function lastPage(total: number, size: number): number {
  return Math.max(1, Math.ceil(total / size));
}

/** The member `pagination`. @param count the number of items on the page */
export function pagination({ number, size, cursor }: GleifPage, total: number, count: number) {
  const from = count === 0 ? null : (cursor?.from ?? (number - 1) * size) + 1;
  return {
    currentPage: cursor === null ? number : Math.floor(cursor.from / size) + 1,
    perPage: size,
    from,
    to: from === null ? null : from + count - 1,
    total,
    lastPage: lastPage(total, size),
  };
}
