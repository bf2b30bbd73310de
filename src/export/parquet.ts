/**
 * Writes Apache Parquet through hyparquet-writer. Rows are collected into groups of a bounded size; a group's columns
 * are encoded and passed on before the next group begins.
 */
import { zstdCompressSync } from 'node:zlib';
import type { TSchema } from '@sinclair/typebox';
import { ByteWriter, type ColumnSource, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import type { CellValue } from '../csv-cells.ts';
import { type ColumnKind, cellsReader, type ExportColumn, tableColumns } from './columns.ts';
import { type ExportRow, parsed } from './rows.ts';

/**
 * Readers skip and read whole groups, so a group has many rows. This many take about 20 MB of JSON; companies with long
 * lists of ISINs fill a group sooner.
 */
const groupRowsMost = 10_000;
const groupBytesMost = 32 * 1024 * 1024;

export function* parquet(rows: Iterable<ExportRow>, schema: TSchema, notice: string): Generator<Uint8Array> {
  const columns = tableColumns(schema);
  const group = columns.map(groupColumn);
  const bytes = new ByteWriter();
  const file = new ParquetWriter({
    writer: bytes,
    schema: schemaFromColumnData({ columnData: group }),
    codec: 'ZSTD',
    statisticsTruncateLength: Number.POSITIVE_INFINITY,
    kvMetadata: [{ key: 'licenseNotice', value: notice }],
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
  });
  for (const _ of filled(group, rows, cellsReader(columns))) {
    file.write({ columnData: group, rowGroupSize: groupRowsMost });
    for (const { data } of group) data.length = 0;
    yield taken(bytes);
    // Collect now, while little is alive: by itself the collector would wait until the heap has several groups more.
    Bun.gc(true);
  }
  file.finish();
  yield taken(bytes);
}

/** The bytes written since the last call. The writer keeps counting from the beginning of the file. */
function taken(bytes: ByteWriter): Uint8Array {
  const piece = bytes.getBytes().slice();
  bytes.index = 0;
  return piece;
}

const types = {
  text: 'STRING',
  time: 'TIMESTAMP',
  integer: 'INT32',
  json: 'STRING',
} as const satisfies Record<ColumnKind, string>;

interface GroupColumn extends ColumnSource {
  readonly isTime: boolean;
  /** The cells of the group's rows. */
  readonly data: (CellValue | Date)[];
}

/** A timestamp, which has milliseconds; null for a text that was published in place of a time. */
function timestampOf(cell: CellValue): Date | null {
  if (typeof cell !== 'string' || !cell.endsWith('Z')) return null;
  const time = new Date(cell);
  return Number.isNaN(time.getTime()) ? null : time;
}

/**
 * Readers skip groups by the bounds of `lei`, because rows keep the order of the loaded file. The bounds of any other
 * column are too wide for that, take time to find, and stay in memory to the end of the file, with whole lists of
 * ISINs.
 */
function groupColumn({ name, kind }: ExportColumn): GroupColumn {
  const isTime = kind === 'time';
  return { name, type: types[kind], nullable: true, statistics: name === 'lei', isTime, data: [] };
}

/** Fills the group with rows, each time as far as it may grow. */
function* filled(
  group: readonly GroupColumn[],
  rows: Iterable<ExportRow>,
  cellsOf: (row: unknown) => readonly CellValue[],
): Generator<void> {
  let length = 0;
  let size = 0;
  for (const row of rows) {
    const cells = cellsOf(parsed(row));
    for (const [index, { data, isTime }] of group.entries()) {
      const cell = cells[index] ?? null;
      data.push(isTime ? timestampOf(cell) : cell);
    }
    size += row.length;
    if (++length < groupRowsMost && size < groupBytesMost) continue;
    yield;
    length = 0;
    size = 0;
  }
  if (length > 0) yield;
}
