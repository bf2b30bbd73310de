/** Reads exported files with DuckDB, as their users do. */
import { DuckDBInstance } from '@duckdb/node-api';

export async function query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const connection = await (await DuckDBInstance.create()).connect();
  const result = await connection.runAndReadAll(sql);
  return result.getRowObjectsJson();
}
