/** Encodes rows as the JSON of columns: a third of the text of a list of rows, and a third of the time to parse it. */
import { isMappingKind, type MappingKind } from '../../lei/identifier-kinds.ts';
import type { SourceRow } from '../rows.ts';

export interface RowColumns {
  readonly kind: 'pairs' | 'exceptions' | 'others';
  readonly json: string;
}

type PairRow = Extract<SourceRow, { readonly value: string }>;
type ExceptionRow = Extract<SourceRow, { readonly kind: 'reporting-exceptions' }>;

interface MappingColumns {
  readonly kind: MappingKind;
  readonly leis: readonly string[];
  readonly values: readonly string[];
}

/** Nearly all exceptions have one of about ten values. */
interface ExceptionColumns {
  readonly leis: readonly string[];
  readonly distinct: readonly ExceptionValue[];
  /** For each LEI its index among the distinct ones. */
  readonly which: readonly number[];
}
type ExceptionValue = Pick<ExceptionRow, 'deletedAt'> & Pick<ExceptionRow['record'], 'exception'>;

/** @param rows of one file, except companies */
export function columnsOf(rows: readonly SourceRow[]): RowColumns {
  if (rows.every(isException)) return { kind: 'exceptions', json: exceptionsJson(rows) };
  // All rows of a file are of one kind.
  const [first] = rows;
  if (first !== undefined && isPair(first) && rows.every(isPair)) {
    return { kind: 'pairs', json: pairsJson(first.kind, rows) };
  }
  return { kind: 'others', json: JSON.stringify(rows) };
}

export function rowsOfColumns({ kind, json }: RowColumns): readonly SourceRow[] {
  if (kind === 'others') return JSON.parse(json);
  return kind === 'pairs' ? rowsOfPairs(JSON.parse(json)) : rowsOfExceptions(JSON.parse(json));
}

function isPair(row: SourceRow): row is PairRow {
  return isMappingKind(row.kind);
}

function isException(row: SourceRow): row is ExceptionRow {
  return row.kind === 'reporting-exceptions';
}

function pairsJson(kind: MappingKind, rows: readonly PairRow[]): string {
  const columns = { leis: rows.map(({ lei }) => lei), values: rows.map(({ value }) => value) };
  return JSON.stringify({ kind, ...columns } satisfies MappingColumns);
}

function rowsOfPairs({ kind, leis, values }: MappingColumns): SourceRow[] {
  return leis.map((lei, place) => ({ kind, lei, value: values[place] ?? '' }));
}

function exceptionsJson(rows: readonly ExceptionRow[]): string {
  const places = new Map<string, number>();
  const columns = { leis: [] as string[], distinct: [] as ExceptionValue[], which: [] as number[] };
  for (const { record, deletedAt } of rows) {
    const value = { exception: record.exception, deletedAt };
    const key = JSON.stringify(value);
    const place = places.get(key) ?? columns.distinct.push(value) - 1;
    places.set(key, place);
    columns.leis.push(record.lei);
    columns.which.push(place);
  }
  return JSON.stringify(columns satisfies ExceptionColumns);
}

function rowsOfExceptions({ leis, distinct, which }: ExceptionColumns): SourceRow[] {
  return leis.map((lei, place) => {
    const value = distinct[which[place] ?? 0];
    if (value === undefined) throw new Error('An exception is not among the distinct ones.');
    return {
      kind: 'reporting-exceptions',
      record: { lei, exception: value.exception },
      deletedAt: value.deletedAt,
    };
  });
}
