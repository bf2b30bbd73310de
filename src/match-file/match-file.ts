/** Matches every row of a CSV file with the companies of a publication: on all cores, in order, in bounded memory. */
import { availableParallelism } from 'node:os';
import { byteOrderMark, type CellValue, csvField, safeCsvField } from '../csv-cells.ts';
import { ExpectedFailure } from '../errors.ts';
import { writeOutput } from '../export/output.ts';
import { readCountry } from '../lei/countries.ts';
import { readTypedLei } from '../lei/names/typed-identifiers.ts';
import type { KnownOfCompany } from '../protocol/ext-questions.ts';
import type { Verdict } from '../query/match.ts';
import { idlest, ResultQueue, TaskThread } from '../threads/tasks.ts';
import { type ColumnNames, type ColumnPlaces, hasColumns, placesOf, refuseClashes } from './columns.ts';
import { matchFileLimits } from './limits.ts';
import type { MatchedRow, MatchingTasks } from './match-thread.ts';
import { type FileRules, readBeginning } from './read-beginning.ts';
import { type FileRow, type RowBatch, readBatches } from './read-rows.ts';

export const outputFormats = ['csv', 'ndjson'] as const;
type OutputFormat = (typeof outputFormats)[number];

export interface MatchFileOptions {
  readonly path: string;
  readonly columns: ColumnNames;
  /** The stated encoding of a file without a byte order mark; null for UTF-8. */
  readonly encoding: string | null;
  readonly format: OutputFormat;
  /** Path of the result; null for standard output. */
  readonly out: string | null;
  /** The prefix of the added columns' names. */
  readonly prefix: string;
  /** Whether CSV has an apostrophe before texts that a spreadsheet would run, also in the columns of the file. */
  readonly safeCells: boolean;
  /** Whether the decimal sign of CSV is a comma. */
  readonly decimalComma: boolean;
  /** Whether CSV begins with a byte order mark even if the file does not. */
  readonly byteOrderMark: boolean;
}

/** The number of rows by verdict. */
export type MatchSummary = Readonly<Record<Verdict, number>> & {
  readonly rows: number;
  /** Rows whose country names none, and was ignored. */
  readonly unusedCountries: number;
  /** Rows whose LEI can't be read, and was ignored. */
  readonly unusedLeis: number;
  /** Rows with fewer fields than the header; what is missing counts as empty. */
  readonly shortRows: number;
  /** Some of the ignored countries. */
  readonly unusedCountryTexts: readonly string[];
  /** Some of the ignored LEIs. */
  readonly unusedLeiTexts: readonly string[];
};

interface MatchProgress {
  readonly rows: number;
  readonly bytesRead: number;
}

/** @throws ExpectedFailure naming the line that is wrong; the system's error where a file can't be read or written */
export async function matchFile(
  publication: { readonly folder: string; readonly id: string },
  options: MatchFileOptions,
  progress: (progress: MatchProgress) => void,
  signal: AbortSignal,
): Promise<MatchSummary> {
  const threads: MatchThread[] = [];
  const counts: MatchCounts = {
    rows: 0,
    match: 0,
    ambiguous: 0,
    none: 0,
    unusedCountries: 0,
    unusedLeis: 0,
    shortRows: 0,
    unusedCountryTexts: [],
    unusedLeiTexts: [],
  };
  try {
    const threadFor = () => idleThread(threads, publication);
    const lines = outputOf({ threads, threadFor }, options, counts, progress, signal);
    await writeOutput(lines, options.out, signal);
    return counts;
  } finally {
    // Each thread closes the publication before it ends.
    for (const thread of threads) thread.tell('end', []);
    await Promise.all(threads.map(({ ended }) => ended));
  }
}

const workerUrl = new URL('../../workers/match.ts', import.meta.url).href;

type MatchThread = TaskThread<MatchingTasks>;

function startThread({ folder, id }: Parameters<typeof matchFile>[0]): MatchThread {
  // `argv` is Bun's own option, which the DOM type of a worker lacks.
  const options: WorkerOptions & { argv: string[] } = { argv: [folder, id] };
  return new TaskThread(new Worker(workerUrl, options), 'A thread that matches rows', {});
}

interface MatchThreads {
  /** The threads that have started. */
  readonly threads: readonly MatchThread[];
  /** One for the next rows. */
  threadFor(): MatchThread;
}

/** The thread with the least to do. Another one starts while all have something to do, up to one a core. */
function idleThread(threads: MatchThread[], publication: Parameters<typeof startThread>[0]): MatchThread {
  const isFull = threads.length >= availableParallelism();
  if (!isFull && threads.every(({ waiting }) => waiting > 0)) threads.push(startThread(publication));
  return idlest(threads);
}

type MatchCounts = { -readonly [Name in keyof MatchSummary]: MatchSummary[Name] };

/** How many of the ignored countries are named, and how many of the LEIs. */
const unusedTextsMax = 5;

async function* outputOf(
  { threads, threadFor }: MatchThreads,
  options: MatchFileOptions,
  counts: MatchCounts,
  progress: (progress: MatchProgress) => void,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let table: Table | null = null;
  const asked = new ResultQueue<MatchedBatch>();
  const written = async function* (made: Table, waitingMax: number) {
    for await (const matched of asked.downTo(waitingMax)) {
      yield linesOf(matched, made, counts);
      progress({ rows: counts.rows, bytesRead: matched.batch.bytesRead });
    }
  };
  const isHeader = (columns: readonly string[]) => hasColumns(columns, options.columns);
  const { header, ...rules } = readBeginning(options.path, options.encoding, isHeader);
  // Before rows are read: what is wrong with them may come from a first line that is none of column names.
  if (header !== null) placesOf(header, options.columns);
  for await (const batch of readBatches(options.path, rules, signal)) {
    let { rows } = batch;
    if (table === null) {
      table = tableOf(batch, rules, options);
      yield Buffer.from(table.header(rows[0]));
      rows = rows.slice(1);
    }
    asked.add(matchBatch(threadFor(), { ...batch, rows }, table.places, counts));
    yield* written(table, threads.length * matchFileLimits.batchesPerThread - 1);
  }
  if (table === null)
    throw new ExpectedFailure('bad-csv', 'is empty; its first line must hold the names of the columns');
  yield* written(table, 0);
}

interface MatchedBatch {
  readonly batch: RowBatch;
  readonly answers: readonly MatchedRow[];
}

async function matchBatch(
  thread: MatchThread,
  batch: RowBatch,
  places: ColumnPlaces,
  counts: MatchCounts,
): Promise<MatchedBatch> {
  const questions = batch.rows.map(({ fields }) => questionOf(fields, places, counts));
  return { batch, answers: await thread.do('match', [questions]) };
}

function questionOf(fields: readonly string[], places: ColumnPlaces, counts: MatchCounts): KnownOfCompany {
  const field = (place: number | null) => (place === null ? null : (fields[place] ?? null));
  const lei = field(places.lei);
  if (lei !== null && lei.trim() !== '' && readTypedLei(lei) === null) {
    counts.unusedLeis++;
    counts.unusedLeiTexts = withText(counts.unusedLeiTexts, lei);
  }
  return {
    name: field(places.name),
    country: countryOf(field(places.country)?.trim() ?? '', counts),
    city: field(places.city),
    registrationNumber: field(places.registrationNumber),
    lei,
  };
}

function countryOf(text: string, counts: MatchCounts): string | null {
  const country = text === '' ? null : readCountry(text);
  if (text === '' || country !== null) return country;
  counts.unusedCountries++;
  counts.unusedCountryTexts = withText(counts.unusedCountryTexts, text);
  return null;
}

function withText(texts: readonly string[], text: string): readonly string[] {
  return texts.length < unusedTextsMax && !texts.includes(text) ? [...texts, text] : texts;
}

function linesOf({ batch, answers }: MatchedBatch, table: Table, counts: MatchCounts): Uint8Array {
  let text = '';
  for (const [index, row] of batch.rows.entries()) {
    const answer = answers[index];
    if (answer === undefined) throw new Error('A thread left a row without an answer.');
    counts.rows++;
    counts[answer.verdict]++;
    if (row.isShort) counts.shortRows++;
    text += table.line(row, answer);
  }
  return Buffer.from(text);
}

interface Table {
  readonly places: ColumnPlaces;
  /** The first line, or nothing. */
  header(row: FileRow | undefined): string;
  line(row: FileRow, matched: MatchedRow): string;
}

/** @param batch the first one */
function tableOf(
  { rows, hasByteOrderMark }: RowBatch,
  { encoding, separator, hasSeparatorLine }: FileRules,
  { columns, format, prefix, safeCells, decimalComma, ...options }: MatchFileOptions,
): Table {
  const [first] = rows;
  const header = { columns: first?.fields ?? [], line: first?.line ?? 1 };
  const places = placesOf(header, columns);
  const added = ['lei', 'matched_name', 'verdict', 'score'].map((name) => prefix + name);
  refuseClashes(header, added, format === 'ndjson');
  const values = ({ lei, name, verdict, score }: MatchedRow) => [lei, name, verdict, score] as const;
  if (format === 'csv') {
    // Excel reads files of other encodings too. It knows only by the mark that the result is UTF-8.
    const isMarked = hasByteOrderMark || options.byteOrderMark || encoding !== 'utf-8';
    const mark = isMarked ? byteOrderMark : '';
    // Excel ignores the mark of a file with such a line, so a result never has both.
    const separatorLine = hasSeparatorLine && mark === '' ? `sep=${separator}\r\n` : '';
    const field = (cell: CellValue) => (safeCells ? safeCsvField : csvField)(cell, separator);
    const number = (cell: CellValue) =>
      typeof cell === 'number' && decimalComma ? String(cell).replace('.', ',') : cell;
    // Otherwise a row keeps its bytes.
    const own = ({ text, fields }: FileRow) =>
      safeCells ? fields.map((each) => field(each || null)).join(separator) : text;
    const line = (row: FileRow, cells: readonly CellValue[]) =>
      `${[own(row), ...cells.map(field)].join(separator)}\r\n`;
    return {
      places,
      header: (row) => mark + separatorLine + (row === undefined ? '' : line(row, added)),
      line: (row, matched) => line(row, values(matched).map(number)),
    };
  }
  const names = [...header.columns, ...added];
  return {
    places,
    header: () => '',
    line: ({ fields }, matched) => {
      const all = [...fields, ...values(matched)];
      return `${JSON.stringify(Object.fromEntries(names.map((name, place) => [name, all[place]])))}\n`;
    },
  };
}
