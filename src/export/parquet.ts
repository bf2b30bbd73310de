/**
 * Apache Parquet, through hyparquet-writer. Rows are gathered into groups of a bounded size; a group's columns are
 * encoded and handed on before the next group begins.
 */
import { zstdCompressSync } from 'node:zlib';
import type { TSchema } from '@sinclair/typebox';
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { type Cell, type Column, type ColumnKind, cellReader } from './columns.ts';
import type { Row } from './rows.ts';
import { tableColumns } from './table.ts';

/** Readers skip and read whole groups; so many rows take about 100 MB while they are encoded. */
const rowsPerGroup = 20_000;

export function* parquet(rows: Iterable<Row>, schema: TSchema, notice: string): Generator<Uint8Array> {
  const columns = tableColumns(schema);
  const bytes = new ByteWriter();
  const file = new ParquetWriter({
    writer: bytes,
    schema: schemaFromColumnData({ columnData: columnData(columns, []) }),
    codec: 'ZSTD',
    kvMetadata: [{ key: 'licenseNotice', value: notice }],
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
  });
  for (const group of groupsOf(rows, columns)) {
    file.write({ columnData: columnData(columns, group), rowGroupSize: rowsPerGroup });
    yield taken(bytes);
    // The collector would wait until the heap is several groups larger.
    Bun.gc(true);
  }
  file.finish();
  yield taken(bytes);
}

/** The bytes written since the last call. The writer goes on counting from the file's beginning. */
function taken(bytes: ByteWriter): Uint8Array {
  const piece = bytes.getBytes().slice();
  bytes.index = 0;
  return piece;
}

const types = { text: 'STRING', integer: 'INT32', json: 'STRING' } as const satisfies Record<
  ColumnKind,
  string
>;

/** @param group a list of cells for each column; none where there are no rows */
function columnData(columns: readonly Column[], group: readonly Cell[][]) {
  return columns.map(({ name, kind }, index) => ({
    name,
    type: types[kind],
    nullable: true,
    data: group[index] ?? [],
  }));
}

function* groupsOf(rows: Iterable<Row>, columns: readonly Column[]): Generator<Cell[][]> {
  const readers = columns.map(cellReader);
  let group: Cell[][] = columns.map(() => []);
  let length = 0;
  for (const row of rows) {
    const record: unknown = JSON.parse(Buffer.from(row).toString());
    for (const [index, read] of readers.entries()) group[index]?.push(read(record));
    if (++length < rowsPerGroup) continue;
    yield group;
    group = columns.map(() => []);
    length = 0;
  }
  if (length > 0) yield group;
}
