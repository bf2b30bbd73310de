/** Reads every file of a load into the build, counting each row: none is lost silently. */
import type { SourceFile, SourceKind } from '../../publication/manifest.ts';
import type { Build } from '../build/build.ts';
import { type KindCounts, LoadFailure, type LoadReport, type LoadRequest } from '../load-request.ts';
import type { Row, RowFault, RowPlace, RowSink, Source } from '../rows.ts';

export interface Reading {
  readonly files: readonly SourceFile[];
  readonly rows: KindCounts;
  readonly rejected: KindCounts;
  readonly superseded: number;
  readonly deleted: number;
  /** Keys that this load brought, per kind: what a full set must then hold. */
  readonly keys: KindCounts;
}

/** Bad rows told in full; the rest are counted. */
const badRowsToldMax = 200;
/** Kinds of odd values told of, each by its first place and its number. */
const oddKindsMax = 50;

/** Things that come by the thousand, all of a few kinds: the first of each kind, and how many there are. */
type Notes = Map<string, { readonly first: string; count: number }>;

interface Tally {
  readonly keys: Partial<Record<SourceKind, number>>;
  superseded: number;
  deleted: number;
  badRows: number;
  readonly odd: Notes;
  readonly repeated: Notes;
  bytesBefore: number;
  rowsBefore: number;
}

/** Where rows go. */
export interface RowTarget extends Pick<Build, 'begin' | 'take'> {
  /** Waited for from time to time: it may be behind. */
  ready?(): Promise<void>;
}

export async function readRows(
  sources: readonly Source[],
  target: RowTarget,
  request: Pick<LoadRequest, 'strictRecordCount' | 'recordCounts'>,
  report: LoadReport,
): Promise<Reading> {
  const tally: Tally = {
    keys: {},
    superseded: 0,
    deleted: 0,
    badRows: 0,
    odd: new Map(),
    repeated: new Map(),
    bytesBefore: 0,
    rowsBefore: 0,
  };
  const bytesTotal = sources.reduce((sum, { bytes }) => sum + bytes, 0);
  const files: SourceFile[] = [];
  for (const source of sources) {
    target.begin(source);
    const file = await readFile(source, target, tally, report, bytesTotal);
    checkRecordCount(source, file, request, report);
    files.push(file);
    tally.bytesBefore += source.bytes;
    tally.rowsBefore += file.rows + file.rejected;
  }
  tellRest(tally, report);
  return {
    files,
    rows: sumByKind(files, (file) => file.rows),
    rejected: sumByKind(files, (file) => file.rejected),
    superseded: tally.superseded,
    deleted: tally.deleted,
    keys: tally.keys,
  };
}

async function readFile(
  source: Source,
  target: RowTarget,
  tally: Tally,
  report: LoadReport,
  bytesTotal: number,
): Promise<SourceFile> {
  let rows = 0;
  let refused = 0;
  let keys = 0;
  const reject = (fault: RowFault) => {
    tally.badRows++;
    if (tally.badRows <= badRowsToldMax) report.message(`Bad row: ${describe(source.name, fault)}`);
  };
  const sink: RowSink = {
    row(row, place: RowPlace) {
      rows++;
      const outcome = target.take(row);
      if (outcome === 'stored') keys++;
      // Whichever of the two was read first: one of them gave way.
      else if (outcome === 'superseded' || outcome === 'replaced') {
        tally.superseded++;
        noteRepeated(tally, source.name, place, row, outcome);
      } else if (outcome === 'deleted') tally.deleted++;
      else {
        refused++;
        reject({ place, ...outcome });
      }
    },
    reject,
    remark: (fault) => noteOdd(tally, source.name, fault),
    ready: () => target.ready?.(),
  };
  const onBytes = (bytesRead: number) => {
    const bytes = tally.bytesBefore + bytesRead;
    report.progress({
      phase: `reading ${source.kind}`,
      progress: readingShare * (bytes / Math.max(1, bytesTotal)),
      bytes,
      bytesTotal,
      rows: tally.rowsBefore + rows,
    });
  };
  const summary = await source.read(sink, onBytes);
  tally.keys[source.kind] = (tally.keys[source.kind] ?? 0) + keys;
  return {
    name: source.name,
    kind: source.kind,
    sha256: summary.sha256,
    bytes: source.bytes,
    rows: summary.rows - refused,
    rejected: summary.rejected + refused,
    remarks: summary.remarks,
    contentDate: source.header.contentDate,
  };
}

/** Part of a whole load that reading its files takes, as the progress bar shows it. */
const readingShare = 0.6;

/** Of odd values the kind is what the operator wants to know. */
function noteOdd({ odd }: Tally, file: string, fault: RowFault): void {
  const kind = `${file} ${fault.column} ${fault.reason.replace(/".*"/, '')}`;
  if (odd.has(kind) || odd.size < oddKindsMax) note(odd, kind, () => describe(file, fault));
}

/** Of two rows with one key only one is kept; the place told is that of the row read later, whichever is kept. */
function noteRepeated(
  { repeated }: Tally,
  file: string,
  place: RowPlace,
  row: Row,
  outcome: keyof typeof repeatedReasons,
): void {
  note(repeated, `${file} ${outcome}`, () =>
    describe(file, { place, column: null, reason: `"${keyOf(row)}" ${repeatedReasons[outcome]}` }),
  );
}
const repeatedReasons = {
  superseded: 'came before in this load with a later update, which is kept instead of this row',
  replaced: 'came before in this load; this row takes the place of that one',
} as const;

/** What a row is kept under. */
function keyOf(row: Row): string {
  switch (row.kind) {
    case 'level-1':
      return row.record.lei;
    case 'relationships':
      return `${row.record.start} ${row.record.relationship.type} ${row.record.end}`;
    case 'reporting-exceptions':
      return `${row.record.lei} ${row.record.exception.category}`;
    case 'mic-list':
      return row.record.mic;
    default:
      return `${row.lei} ${row.value}`;
  }
}

function note(notes: Notes, kind: string, describeFirst: () => string): void {
  const known = notes.get(kind);
  if (known === undefined) notes.set(kind, { first: describeFirst(), count: 1 });
  else known.count++;
}

function tellRest({ badRows, odd, repeated }: Tally, report: LoadReport): void {
  if (badRows > badRowsToldMax) {
    report.message(`… and ${badRows - badRowsToldMax} further bad rows, counted but not listed.`);
  }
  tellNotes('Odd value, kept', odd, report);
  tellNotes('Superseded row', repeated, report);
}

function tellNotes(title: string, notes: Notes, report: LoadReport): void {
  for (const { first, count } of notes.values()) {
    report.message(`${title}: ${first}${count === 1 ? '' : ` (and ${count - 1} more like it)`}`);
  }
}

function describe(file: string, { place, column, reason }: RowFault): string {
  return `${file}, ${place.unit} ${place.number}${column === null ? '' : `, ${column}`}: ${reason}`;
}

function checkRecordCount(
  source: Source,
  file: SourceFile,
  { strictRecordCount, recordCounts }: Pick<LoadRequest, 'strictRecordCount' | 'recordCounts'>,
  report: LoadReport,
): void {
  const found = file.rows + file.rejected;
  const published = recordCounts?.[source.name];
  if (published !== undefined && published !== found) {
    throw new LoadFailure(
      'record-count',
      `${source.name} was published with ${published} records, but ${found} were read.`,
    );
  }
  const { recordCount } = source.header;
  if (recordCount === null || recordCount === found) return;
  const message = `${source.name} says it holds ${recordCount} records, but ${found} were read.`;
  if (strictRecordCount) throw new LoadFailure('record-count', message);
  report.message(`Warning: ${message}`);
}

/** Rows that were used and that could not be, over all kinds. */
export function totalsOf({ rows, rejected }: Reading): { rows: number; rejected: number } {
  const sum = (counts: KindCounts) => Object.values(counts).reduce((total, count) => total + count, 0);
  return { rows: sum(rows), rejected: sum(rejected) };
}

function sumByKind(files: readonly SourceFile[], value: (file: SourceFile) => number): KindCounts {
  const sums: Partial<Record<SourceKind, number>> = {};
  for (const file of files) sums[file.kind] = (sums[file.kind] ?? 0) + value(file);
  return sums;
}
