/** Reads files and bytes as a load does, and keeps everything that the parser reports. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import type { LegalEntityRecord } from '../../../src/lei/company.ts';
import { openSource } from '../../../src/loader/process/open-source.ts';
import type { RowFault, RowPlace, SourceRow } from '../../../src/loader/rows.ts';
import type { Source, SourceSummary } from '../../../src/loader/source.ts';

export const fixtures = join(import.meta.dir, '../../fixtures/loader');
/** A real LEI with its right check digits. */
export const lei = '097900BID10000147476';
export const otherLei = '1595GQQYX4A30EIG0U59';

export interface Reading {
  readonly source: Source;
  readonly rows: SourceRow[];
  readonly places: RowPlace[];
  readonly rejects: RowFault[];
  readonly remarks: RowFault[];
  readonly summary: SourceSummary;
  readonly progress: number[];
}

export async function readPath(path: string): Promise<Reading> {
  const source = await openSource(path);
  const told = { rows: [] as SourceRow[], places: [] as RowPlace[], rejects: [] as RowFault[] };
  const remarks: RowFault[] = [];
  const progress: number[] = [];
  const summary = await source.read(
    {
      row: (row, place) => {
        told.rows.push(row);
        told.places.push(place);
      },
      reject: (fault) => told.rejects.push(fault),
      remark: (fault) => remarks.push(fault),
    },
    (bytes) => progress.push(bytes),
  );
  return { source, ...told, remarks, summary, progress };
}

export function readFixture(name: string): Promise<Reading> {
  return readPath(join(fixtures, name));
}

/** Runs with a file of the given content in a folder of its own. */
export async function withFile<T>(
  content: Uint8Array | string,
  use: (path: string) => Promise<T>,
  name = 'file',
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'lei-parse-'));
  try {
    const path = join(folder, name);
    await writeFile(path, content);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Content as a file of any name, because names do not matter. */
export function readBytes(content: Uint8Array | string, name?: string): Promise<Reading> {
  return withFile(content, readPath, name);
}

/** The message of a refusal, without the path in front. */
export function refusalOf(content: Uint8Array | string): Promise<string> {
  return withFile(content, async (path) => {
    const failure = await readPath(path).catch((error: unknown) => error);
    if (!(failure instanceof Error)) throw new Error('was not refused');
    if (failure.name !== 'SourceError') throw failure;
    return failure.message.replace(`${path}: `, '');
  });
}

/** The content of the one member of a zip fixture, or of a plain one. */
export async function fixtureBytes(name: string): Promise<Buffer> {
  const bytes = await readFile(join(fixtures, name));
  if (!name.endsWith('.zip')) return bytes;
  const start = 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28);
  return inflateRawSync(bytes.subarray(start));
}

/** A sound file of the first records of a fixture: small enough for many tries. */
export async function fixtureBeginning(name: string): Promise<Buffer> {
  const whole = await fixtureBytes(name);
  if (whole.length <= beginningBytesMax) return whole;
  const beginning = whole.subarray(0, beginningBytesMax);
  if (!name.includes('.json')) return beginning.subarray(0, beginning.lastIndexOf('\n') + 1);
  return Buffer.concat([beginning.subarray(0, beginning.lastIndexOf('\n},')), Buffer.from('\n}]}')]);
}
const beginningBytesMax = 60_000;

export async function fixtureText(name: string): Promise<string> {
  return (await fixtureBytes(name)).toString();
}

export function level1Records(reading: Reading): LegalEntityRecord[] {
  return reading.rows.map((row) => {
    if (row.kind !== 'level-1') throw new Error(`is a ${row.kind} row`);
    return row.record;
  });
}

/** The only row of a reading. */
export function onlyRow(reading: Reading): SourceRow {
  const [row] = reading.rows;
  if (row === undefined || reading.rows.length !== 1) throw new Error(`has ${reading.rows.length} rows`);
  return row;
}

/** Lines of CSV from columns and values by column name, everything quoted. */
export function csv(columns: readonly string[], ...rows: readonly Record<string, string>[]): string {
  const line = (values: readonly string[]) =>
    values.map((value) => `"${value.replaceAll('"', '""')}"`).join(',');
  return `${[line(columns), ...rows.map((row) => line(columns.map((column) => row[column] ?? '')))].join('\n')}\n`;
}

/** A row with a different value in every column, of the type that the column takes. @param fixed by column name */
export function fullRow(
  columns: readonly string[],
  fixed: Readonly<Record<string, string>>,
): Record<string, string> {
  const value = (column: string, slot: number) => {
    if (/Date$/.test(column)) return `2001-01-01T00:00:${String(slot % 60).padStart(2, '0')}Z`;
    return /group_sequence_no$/.test(column) ? String(100 + slot) : `value ${slot}`;
  };
  return Object.fromEntries(columns.map((column, slot) => [column, fixed[column] ?? value(column, slot)]));
}
