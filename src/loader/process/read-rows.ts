/** Reads every file of a load into the build and counts each row: no row is lost silently. */
import type { SourceFile, SourceKind } from '../../publication/manifest.ts';
import type { Build, RowOutcome } from '../build/build.ts';
import {
  furtherThreads,
  type KindCounts,
  LoadFailure,
  type LoadOutcome,
  type LoadReport,
  type LoadRequest,
} from '../load-request.ts';
import type { RowSink, SourceRow } from '../rows.ts';
import type { ReadingProgress, Source } from '../source.ts';
import { type ReadingThreads, startReadingThreads } from '../threads/reading-threads.ts';
import { passBadRows } from './gates.ts';
import { createRowNotes, type RowNotes } from './row-notes.ts';

/** The outcome of reading every file of a load. */
export interface LoadReading extends Omit<LoadOutcome, 'manifest'> {
  readonly files: readonly SourceFile[];
  /** Keys that this load brought, by kind: a full set must contain exactly these. */
  readonly keys: KindCounts;
}

/** Used and unusable rows, over all kinds. */
export function totalsOf({ rows, rejected }: LoadReading): { rows: number; rejected: number } {
  const sum = (counts: KindCounts) => Object.values(counts).reduce((total, count) => total + count, 0);
  return { rows: sum(rows), rejected: sum(rejected) };
}

/** Share of the whole load that reading its files takes. */
export const readingShare = 0.6;

/** Counts over all files so far. */
interface ReadingTally {
  readonly keys: Partial<Record<SourceKind, number>>;
  superseded: number;
  deleted: number;
  bytes: number;
  rows: number;
}

/** Where rows go. */
interface RowTarget extends Pick<Build, 'begin' | 'take'> {
  /** Receives every row with its outcome. */
  sample?(row: SourceRow, outcome: RowOutcome): void;
  /** Awaited from time to time, so that the target can catch up. */
  ready?(): Promise<void>;
}

interface FilesToRead {
  readonly sources: readonly Source[];
  readonly request: LoadRequest;
  readonly report: LoadReport;
}

/**
 * @throws SourceError for a broken file, LoadFailure `record-count` for another count than announced, or `bad-rows` for
 * too many bad rows
 */
export async function readRows(
  { sources, request, report }: FilesToRead,
  target: RowTarget,
): Promise<LoadReading> {
  const tally: ReadingTally = { keys: {}, superseded: 0, deleted: 0, bytes: 0, rows: 0 };
  const notes = createRowNotes(report);
  const bytesTotal = sources.reduce((sum, { bytes }) => sum + bytes, 0);
  const files: SourceFile[] = [];
  const count = furtherThreads(request);
  const threads = count === 0 ? undefined : startReadingThreads(count);
  try {
    for (const source of sources) {
      target.begin(source);
      const file = await readFile(source, target, { tally, notes, report, bytesTotal, threads });
      checkRecordCount(source, file, request, report);
      files.push(file);
      tally.bytes += source.bytes;
      tally.rows += file.rows + file.rejected;
    }
  } finally {
    threads?.end();
  }
  notes.finish();
  const { superseded, deleted, keys } = tally;
  const rows = sumByKind(files, (file) => file.rows);
  const reading = {
    files,
    rows,
    rejected: sumByKind(files, (file) => file.rejected),
    superseded,
    deleted,
    keys,
  };
  passBadRows(totalsOf(reading), request, report);
  return reading;
}

interface ReadingRun {
  readonly tally: ReadingTally;
  readonly notes: RowNotes;
  readonly report: LoadReport;
  readonly bytesTotal: number;
  readonly threads: ReadingThreads | undefined;
}

async function readFile(source: Source, target: RowTarget, run: ReadingRun): Promise<SourceFile> {
  const { tally, notes, report, bytesTotal, threads } = run;
  const { name, kind } = source;
  let keys = 0;
  const sink: RowSink = {
    row(row, place) {
      const outcome = target.take(row);
      target.sample?.(row, outcome);
      if (outcome === 'stored') keys++;
      else if (outcome === 'superseded' || outcome === 'replaced') {
        tally.superseded++;
        notes.repeated(name, place, row, outcome);
      } else tally.deleted++;
    },
    reject: (fault) => notes.bad(name, fault),
    remark: (fault) => notes.odd(name, fault),
    ready: () => target.ready?.(),
  };
  const onBytes: ReadingProgress = (bytesRead, rows) => {
    const bytes = tally.bytes + bytesRead;
    const progress = readingShare * (bytes / Math.max(1, bytesTotal));
    report.progress({ phase: `reading ${kind}`, progress, bytes, bytesTotal, rows: tally.rows + rows });
  };
  const { sha256, ...counts } = await source.read(sink, onBytes, threads);
  tally.keys[kind] = (tally.keys[kind] ?? 0) + keys;
  return { name, kind, sha256, bytes: source.bytes, ...counts, contentDate: source.header.contentDate };
}

/** The publisher's list must be right; a header may be wrong unless the request is strict. */
function checkRecordCount(
  source: Source,
  file: SourceFile,
  { strictRecordCount, recordCounts }: LoadRequest,
  report: LoadReport,
): void {
  const counted = file.rows + file.rejected;
  const published = recordCounts?.[source.name];
  if (published !== undefined && published !== counted) {
    throw new LoadFailure(
      'record-count',
      `${source.name} was published with ${published} records, but ${counted} were read.`,
    );
  }
  const { recordCount } = source.header;
  if (recordCount === null || recordCount === counted) return;
  const message = `${source.name} states ${recordCount} records in its header, but ${counted} were read.`;
  if (strictRecordCount) throw new LoadFailure('record-count', message);
  report.message(`Warning: ${message}`);
}

function sumByKind(files: readonly SourceFile[], value: (file: SourceFile) => number): KindCounts {
  const sums: Partial<Record<SourceKind, number>> = {};
  for (const file of files) sums[file.kind] = (sums[file.kind] ?? 0) + value(file);
  return sums;
}
