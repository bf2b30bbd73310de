/** Reads filters of GLEIF's API: `!` excludes, a comma separates values, `a..b`, `<`, `<=`, `>` and `>=` compare. */
import { secondsOf } from '../lei/dates.ts';
import { foldedWords } from '../lei/names/fold.ts';
import type { GleifFilter, GleifSort } from '../protocol/gleif-questions.ts';
import { searchTextMax } from '../protocol/questions.ts';
import { faultsMax, type GleifFault } from './faults.ts';
import { filterFields, type GleifField, isComparable } from './fields.ts';

/** As many as a client may send in one request. */
const filterValuesMax = 200;

/** @param values by field, as they were sent @param faults each fault is added to them */
export function readFilters(
  values: ReadonlyMap<string, string>,
  faults: GleifFault[],
  known: ReadonlyMap<string, GleifField> = filterFields,
): readonly GleifFilter[] {
  return [...values].flatMap(([name, value]) => {
    if (faults.length >= faultsMax) return [];
    const field = known.get(name);
    if (field === undefined) {
      faults.push({ parameter: 'filter', detail: unknownField(name, [...known.keys()]) });
      return [];
    }
    const read = readFilter(field, value);
    if (typeof read !== 'string') return read;
    faults.push({ parameter: `filter[${name}]`, detail: `filter[${name}] ${read}` });
    return [];
  });
}

/** GLEIF's own text first, then what it leaves out. */
function unknownField(name: string, known: readonly string[]): string {
  const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name;
  return `Filter should contain only allowed values. ${JSON.stringify(shown.toWellFormed())} is not one; allowed are ${known.join(', ')}.`;
}

/** The filter, or the predicate of a sentence about what is wrong with it. */
function readFilter(field: GleifField, sent: string): GleifFilter | string {
  const isExcluded = sent.startsWith('!');
  const text = (isExcluded ? sent.slice(1) : sent).trim();
  if (text === '') return 'must not be empty.';
  if (isComparable(field)) return readRange(field, text, isExcluded);
  if (/^[<>]/.test(text) && field.kind.is !== 'text') return 'is not compared: it takes one or more values.';
  if (field.kind.is === 'text') return readText(field, text, isExcluded);
  return readValues(field, text, isExcluded);
}

function readText({ name }: GleifField, sent: string, isExcluded: boolean): GleifFilter | string {
  // Clients write stars around the words. Here they mean nothing more than a space.
  const text = sent.replaceAll('*', ' ').replace(/\s+/g, ' ').trim();
  if ([...text].length > searchTextMax) return `must have at most ${searchTextMax} characters.`;
  // A text of signs alone finds no company. Behind `!` it would exclude none, and the list would be wider than asked for.
  if (foldedWords(text).length === 0) return 'must have a word: letters or digits.';
  return { is: 'text', field: name, text, isExcluded };
}

function readValues({ name, kind }: GleifField, text: string, isExcluded: boolean): GleifFilter | string {
  // A client of GLEIF's service writes the name again before each further LEI.
  const again = `filter[${name}]=`;
  const values = text.split(',').map((value) => value.trim().replace(again, ''));
  if (values.some((value) => value === '')) return 'must not have an empty value between commas.';
  if (values.some((value) => value.startsWith('!'))) return 'may have one ! only, in front of all values.';
  if (values.length > filterValuesMax)
    return `must have at most ${filterValuesMax} values; it has ${values.length}.`;
  if (values.some((value) => value.length > searchTextMax))
    return `must have values of at most ${searchTextMax} characters.`;
  if (kind.is === 'identifier' && values.some((value) => !/[\p{L}\p{N}]/u.test(value)))
    return 'must have letters or digits in each value.';
  if (kind.is !== 'enum') return { is: 'values', field: name, values: values.map(upper), isExcluded };
  const wrong = values.find((value) => !kind.accepted.includes(value));
  if (wrong !== undefined) return `must be one of ${kind.values.join(', ')}, in capitals.`;
  return { is: 'values', field: name, values, isExcluded };
}

/** Only ASCII letters: those of other scripts may have ASCII capitals too (ı, ſ). */
function upper(value: string): string {
  return value.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

interface FilterRange {
  readonly from: number | null;
  readonly to: number | null;
}

function readRange({ name, kind }: GleifField, text: string, isExcluded: boolean): GleifFilter | string {
  const read = kind.is === 'date' ? dateRange : numberRange;
  const range = rangeOf(
    text,
    read,
    kind.is === 'date' ? 'Date must not be empty.' : 'Number must not be empty.',
  );
  return typeof range === 'string' ? range : { is: 'range', field: name, ...range, isExcluded };
}

/** The range that one value covers: a day has many seconds. */
interface ValueSpan {
  readonly from: number;
  readonly to: number;
}

/** Reads one value; otherwise the predicate of a sentence about what is wrong with it. */
type ReadOne = (text: string) => ValueSpan | string;

function rangeOf(text: string, read: ReadOne, empty: string): FilterRange | string {
  const [, operator, compared] = /^(<=|>=|<|>)(.*)$/.exec(text) ?? [];
  if (operator !== undefined) return comparedTo(operator, compared?.trim() ?? '', read, empty);
  const dots = text.indexOf('..');
  if (dots === -1) return read(text);
  const ends = [text.slice(0, dots).trim(), text.slice(dots + 2).trim()];
  if (ends.includes('')) return `must have both ends, as in a..b: ${empty}`;
  const [first = '', last = ''] = ends.map(read);
  if (typeof first === 'string') return first;
  if (typeof last === 'string') return last;
  if (first.from > last.to) return 'must begin before it ends: a..b with a not after b.';
  return { from: first.from, to: last.to };
}

function comparedTo(operator: string, text: string, read: ReadOne, empty: string): FilterRange | string {
  if (text === '') return `must have a value after ${operator}: ${empty}`;
  const one = read(text);
  if (typeof one === 'string') return one;
  switch (operator) {
    case '<':
      return { from: null, to: one.from - 1 };
    case '<=':
      return { from: null, to: one.to };
    case '>':
      return { from: one.to + 1, to: null };
    default:
      return { from: one.from, to: null };
  }
}

/** A day counts whole, a time to the second. */
function dateRange(text: string): ValueSpan | string {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)$/.exec(text) ?? [];
  // A plus sign in a query is a space.
  const published =
    year === undefined ? withZone(text.replace(/ (?=\d\d:?\d\d$)/, '+')) : `${year}-${month}-${day}`;
  const span = secondsOf(published);
  return span ?? 'must be a date that exists: YYYY-MM-DD, YYYYMMDD, or a time such as 2026-01-23T08:00:00Z.';
}

function withZone(text: string): string {
  const time = text.replace(/^(\d{4}-\d\d-\d\d) /, '$1T');
  return /T.*(Z|[+-]\d\d:?\d\d)$/.test(time) ? time.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') : `${time}Z`;
}

function numberRange(text: string): ValueSpan | string {
  if (!/^\d{1,9}$/.test(text)) return 'must be a whole number, such as 10.';
  return { from: Number(text), to: Number(text) };
}

/** Several keys are separated by commas; `-` in front is descending. A key that comes again changes nothing. */
export function readSort(
  text: string | undefined,
  known: ReadonlyMap<string, unknown>,
  faults: GleifFault[],
): readonly GleifSort[] {
  if (text === undefined || text === '') return [];
  const order = new Map<string, GleifSort>();
  for (const key of text.split(',')) {
    const isDescending = key.trim().startsWith('-');
    const field = key.trim().slice(isDescending ? 1 : 0);
    if (!known.has(field)) {
      const detail = `sort must be one or more of ${[...known.keys()].join(', ')}, with - in front for descending.`;
      faults.push({ parameter: 'sort', detail });
      return [];
    }
    if (!order.has(field)) order.set(field, { field, isDescending });
  }
  return [...order.values()];
}
