/** Reads exported files with DuckDB, as their users do. */
import { DuckDBInstance } from '@duckdb/node-api';

export async function query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const connection = await (await DuckDBInstance.create()).connect();
  const result = await connection.runAndReadAll(sql);
  return result.getRowObjectsJson();
}

/** A cell of an answer or of CSV as DuckDB prints it from Parquet, where a time is a timestamp of UTC. */
export function asInParquet(cell: unknown): unknown {
  const parts = typeof cell === 'string' && /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d*[1-9])?0*Z$/.exec(cell);
  return parts ? `${parts[1]} ${parts[2]}${parts[3] ?? ''}` : cell;
}

export function rowAsInParquet(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asInParquet(value)]));
}
