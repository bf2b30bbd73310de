/** Reads every file of a load into the build and counts each row: no row is lost silently. */
import type { SourceFile, SourceKind } from '../../publication/manifest.ts';
import type { Build } from '../build/build.ts';
import {
  furtherThreads,
  type KindCounts,
  LoadFailure,
  type LoadReport,
  type LoadRequest,
} from '../load-request.ts';
import type { RowFault, RowSink } from '../rows.ts';
import type { Source } from '../source.ts';
import { type ReadingThreads, startReadingThreads } from '../threads/reading-threads.ts';
import { readingShare } from './progress.ts';
import type { Reading } from './reading.ts';
import { createRowNotes, type RowNotes } from './row-notes.ts';

/** Counts over all files so far. */
interface Tally {
  readonly keys: Partial<Record<SourceKind, number>>;
  superseded: number;
  deleted: number;
  bytes: number;
  rows: number;
}

/** Where rows go. */
export interface RowTarget extends Pick<Build, 'begin' | 'take'> {
  /** Awaited from time to time, so that the target can catch up. */
  ready?(): Promise<void>;
}

type Counted = Pick<LoadRequest, 'strictRecordCount' | 'recordCounts' | 'threads'>;

/** @throws SourceError for a broken file, LoadFailure `record-count` for another count than announced */
export async function readRows(
  sources: readonly Source[],
  target: RowTarget,
  request: Counted,
  report: LoadReport,
): Promise<Reading> {
  const tally: Tally = { keys: {}, superseded: 0, deleted: 0, bytes: 0, rows: 0 };
  const notes = createRowNotes(report);
  const bytesTotal = sources.reduce((sum, { bytes }) => sum + bytes, 0);
  const files: SourceFile[] = [];
  const threads = readingThreads(request);
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
  return {
    files,
    rows: sumByKind(files, (file) => file.rows),
    rejected: sumByKind(files, (file) => file.rejected),
    superseded: tally.superseded,
    deleted: tally.deleted,
    keys: tally.keys,
  };
}

interface Run {
  readonly tally: Tally;
  readonly notes: RowNotes;
  readonly report: LoadReport;
  readonly bytesTotal: number;
  readonly threads: ReadingThreads | undefined;
}

function readingThreads(request: Counted): ReadingThreads | undefined {
  const count = furtherThreads(request);
  return count === 0 ? undefined : startReadingThreads(count);
}

async function readFile(source: Source, target: RowTarget, run: Run): Promise<SourceFile> {
  const { tally, notes, report, bytesTotal, threads } = run;
  const { name, kind } = source;
  let rows = 0;
  let refused = 0;
  let keys = 0;
  const reject = (fault: RowFault) => notes.bad(name, fault);
  const sink: RowSink = {
    row(row, place) {
      rows++;
      const outcome = target.take(row);
      if (outcome === 'stored') keys++;
      else if (outcome === 'superseded' || outcome === 'replaced') {
        tally.superseded++;
        notes.repeated(name, place, row, outcome);
      } else if (outcome === 'deleted') tally.deleted++;
      else {
        refused++;
        reject({ place, ...outcome });
      }
    },
    reject,
    remark: (fault) => notes.odd(name, fault),
    ready: () => target.ready?.(),
  };
  const onBytes = (bytesRead: number) => {
    const bytes = tally.bytes + bytesRead;
    const progress = readingShare * (bytes / Math.max(1, bytesTotal));
    report.progress({ phase: `reading ${kind}`, progress, bytes, bytesTotal, rows: tally.rows + rows });
  };
  const summary = await source.read(sink, onBytes, threads);
  tally.keys[kind] = (tally.keys[kind] ?? 0) + keys;
  return {
    name,
    kind,
    sha256: summary.sha256,
    bytes: source.bytes,
    rows: summary.rows - refused,
    rejected: summary.rejected + refused,
    remarks: summary.remarks,
    contentDate: source.header.contentDate,
  };
}

/** The publisher's list must be right; a header may be wrong unless the request is strict. */
function checkRecordCount(
  source: Source,
  file: SourceFile,
  { strictRecordCount, recordCounts }: Counted,
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
