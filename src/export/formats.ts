/** Lists the formats of an export. Each turns rows into the bytes of a file, piece by piece. */
import type { TSchema } from '@sinclair/typebox';
import { parquet } from './parquet.ts';
import type { Row } from './rows.ts';
import { csv, ndjson } from './text-formats.ts';

/**
 * @param schema of the rows' JSON
 * @param notice the licence texts; a format without a place for them leaves them out
 */
type Format = (rows: Iterable<Row>, schema: TSchema, notice: string) => Iterable<Uint8Array>;

export const formats = { ndjson, csv, parquet } satisfies Record<string, Format>;
export type FormatName = keyof typeof formats;
export const formatNames: readonly FormatName[] = ['ndjson', 'csv', 'parquet'];
