/** Tests that a file parsed in threads reads as it does in one: the same rows, faults and lines, in the same order. */
import { afterAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readers } from '../../../src/loader/parse/recognise.ts';
import { RecordReport } from '../../../src/loader/parse/record/report.ts';
import { type RowFault, type RowPlace, type SourceRow, textOf } from '../../../src/loader/rows.ts';
import { type CutRule, createCutter, endsOf, type FilePiece } from '../../../src/loader/threads/pieces.ts';
import { readInThreads } from '../../../src/loader/threads/read-in-threads.ts';
import { type ReadingThreads, startReadingThreads } from '../../../src/loader/threads/reading-threads.ts';
import type { FilePieces } from '../../../src/loader/threads/unpack.ts';
import { packCompany } from '../../../src/store/company-record.ts';
import { runs } from '../../support/runs.ts';
import { fixtureBytes, lei, otherLei } from '../parse/reading.ts';
import { repex, xml } from '../parse/writing.ts';

const threads = startReadingThreads(2);
afterAll(threads.end);

/** Everything that a reader reports, in order, and why it refused the file; companies in packed form. */
interface Told {
  readonly events: readonly unknown[];
  readonly refusal: string | null;
}

async function toldBy(read: (report: RecordReport) => Promise<void>, unit: RowPlace['unit']): Promise<Told> {
  const events: unknown[] = [];
  const report = new RecordReport(
    {
      row: (row: SourceRow, place: RowPlace) => void events.push([place.number, comparable(row)]),
      reject: (fault: RowFault) => void events.push(['reject', fault]),
      remark: (fault: RowFault) => void events.push(['remark', fault]),
    },
    unit,
  );
  const failure = await read(report).catch((error: unknown) => error);
  return { events, refusal: failure instanceof Error ? failure.message : null };
}

function comparable(row: SourceRow): unknown {
  if (row.kind === 'level-1') return packCompany(row.record);
  return row.kind === 'packed-level-1' ? textOf(row.packed) : row;
}

async function* chunksOf(bytes: Uint8Array, chunkBytes: number, failure?: Error) {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  if (failure !== undefined) throw failure;
}

/** A format, and how its files are cut. */
interface Kind {
  readonly format: 'csv' | 'xml' | 'json';
  readonly cut: CutRule;
}
const csv: Kind = { format: 'csv', cut: { after: 'line' } };

const unitOf = ({ format }: Kind) => (format === 'csv' ? 'line' : 'record');

function inOne(bytes: Uint8Array, chunkBytes: number, failure?: Error, kind = csv): Promise<Told> {
  return toldBy(async (report) => {
    const reader = readers[kind.format](report);
    for await (const chunk of chunksOf(bytes, chunkBytes, failure)) reader.push(chunk);
    reader.end();
  }, unitOf(kind));
}

function inThreads(
  bytes: Uint8Array,
  chunkBytes: number,
  pieceBytes: number,
  failure?: Error,
  { by = threads, kind = csv }: { readonly by?: ReadingThreads; readonly kind?: Kind } = {},
): Promise<Told> {
  return toldBy((report) => {
    const pieces = piecesOf(bytes, { chunkBytes, pieceBytes, cut: kind.cut }, failure);
    return readInThreads(pieces, readers[kind.format](report), {
      report,
      threads: by,
      ready: () => undefined,
    });
  }, unitOf(kind));
}

interface Sizes {
  readonly chunkBytes: number;
  readonly pieceBytes: number;
  readonly cut: CutRule;
}

/** The pieces that the unpacking thread would send. */
function piecesOf(bytes: Uint8Array, { chunkBytes, pieceBytes, cut }: Sizes, failure?: Error): FilePieces {
  const cutter = createCutter(() => new Uint8Array(pieceBytes), endsOf(cut));
  const pieces: FilePiece[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    pieces.push(...cutter.push(bytes.subarray(at, at + chunkBytes)));
  }
  pieces.push(cutter.rest());
  return {
    async next() {
      const piece = pieces.shift();
      if (piece === undefined && failure !== undefined) throw failure;
      return piece ?? null;
    },
    giveBack: () => undefined,
  };
}

const isins = ['US0378331005', 'DE0007164600', 'US0378331006'];
const field = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(lei, otherLei, ...isins) },
  fc.string({ unit: fc.constantFrom('a', 'é', ' ', '""', '\n', '\r\n', ','), maxLength: 6 }),
);
const cell = fc.oneof(
  { weight: 8, arbitrary: field.map((text) => `"${text}"`) },
  fc.constantFrom('', 'x', 'x"y', '"a"b', lei),
);
const row = fc
  .array(cell, { minLength: 1, maxLength: 3 })
  .chain((cells) => fc.constantFrom(`${cells.join(',')}\n`, `${cells.join(',')}\r\n`, '\n'));
const file = fc.array(row, { maxLength: 30 }).map((rows) => Buffer.from(`LEI,ISIN\n${rows.join('')}`));

test('any table, with line feeds within its fields and rows of any damage, cut anywhere', async () => {
  const sizes = {
    chunkBytes: fc.integer({ min: 1, max: 200 }),
    pieceBytes: fc.integer({ min: 12, max: 300 }),
  };
  await fc.assert(
    fc.asyncProperty(file, fc.record(sizes), async (bytes, { chunkBytes, pieceBytes }) => {
      expect(await inThreads(bytes, chunkBytes, pieceBytes)).toEqual(await inOne(bytes, chunkBytes));
    }),
    { numRuns: runs(50) },
  );
});

test.each([1, 4])('real companies, by %i threads', async (count) => {
  const bytes = await fixtureBytes('20240505-0000-gleif-goldencopy-lei2-intra-day.csv.zip');
  const own = startReadingThreads(count);
  try {
    const told = await inThreads(bytes, 50_000, 20_000, undefined, { by: own });
    expect(told).toEqual(await inOne(bytes, 50_000));
    expect(told.events.length).toBeGreaterThan(300);
  } finally {
    own.end();
  }
});

const good = `"${lei}","US0378331005"\n`;
const rows = (count: number) => good.repeat(count);

test.each([
  ['a value that is too long', `${rows(9)}"${'x'.repeat(2 ** 20 + 1)}",y\n${rows(9)}`],
  ['a quote that is never closed', `${rows(40)}"open,\n${'x,y\n'.repeat(40)}`],
])('a file with %s is refused with its line in the file', async (_what, text) => {
  const bytes = Buffer.from(`LEI,ISIN\n${text}`);
  const told = await inThreads(bytes, 100, 500);
  expect(told.refusal).toMatch(/\bline \d+/);
  expect(told).toEqual(await inOne(bytes, 100));
});

test('bytes that are not UTF-8 are refused with their line in the file', async () => {
  const bytes = Buffer.concat([Buffer.from(`LEI,ISIN\n${rows(40)}`), Buffer.from([0xff, 10])]);
  const told = await inThreads(bytes, 100, 500);
  expect(told.refusal).toBe('line 42 is not valid UTF-8; save the file as CSV in UTF-8');
  // The rows right before it are in the same stretch of bytes, of which none is read.
  expect(told.events).toEqual((await inOne(bytes, 100)).events.slice(0, told.events.length));
});

test('if decompression breaks off, all rows before that point are reported first', async () => {
  const bytes = Buffer.from(`LEI,ISIN\n${rows(20)}bad,row\n${rows(20)}`);
  const told = await inThreads(bytes, 100, 200, new Error('is truncated'));
  expect(told).toEqual({ events: (await inOne(bytes, 100)).events, refusal: 'is truncated' });
});

test('a row that is larger than a piece is read', async () => {
  const bytes = Buffer.from(`LEI,ISIN\n${rows(3)}"${'x\n'.repeat(500)}",y\n${rows(30)}`);
  const told = await inThreads(bytes, 64, 100);
  expect(told.events.length).toBe(34);
  expect(told).toEqual(await inOne(bytes, 64));
});

const xmlOf = (name: string): Kind => ({ format: 'xml', cut: { after: 'element', name } });
const jsonOf = (list: string): Kind => ({ format: 'json', cut: { after: 'record', list } });

test.each([
  ['xml', xmlOf('LEIRecord')],
  ['json', jsonOf('records')],
] as const)('real companies in %s, nearly all of them by threads', async (format, kind) => {
  const bytes = await fixtureBytes(`20240505-0000-gleif-goldencopy-lei2-intra-day.${format}.zip`);
  const read = spiedThreads();
  const told = await inThreads(bytes, 50_000, 60_000, undefined, { by: read.threads, kind });
  expect(told).toEqual(await inOne(bytes, 50_000, undefined, kind));
  expect(told.events.length).toBeGreaterThan(300);
  expect(read.companies()).toBeGreaterThan(0.8 * told.events.length);
});

/** The threads, and how many companies they parsed. */
function spiedThreads() {
  let companies = 0;
  const spied: ReadingThreads = {
    ...threads,
    async parse(piece) {
      const answer = await threads.parse(piece);
      companies += answer.parsed?.places.length ?? 0;
      return answer;
    },
  };
  return { threads: spied, companies: () => companies };
}

const exceptions = Array.from({ length: 25 }, (_, index) => ({
  LEI: index % 2 === 0 ? lei : otherLei,
  ExceptionCategory: 'DIRECT_ACCOUNTING_CONSOLIDATION_PARENT',
  ExceptionReason: 'NATURAL_PERSONS',
}));
const soundXml = xml(repex, exceptions);
const soundJson = JSON.stringify({ exceptions: exceptions.map(inDollars) });

function inDollars(record: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(record).map(([name, text]) => [name, { $: text }]));
}

/** Pieces of text that look like the end of a record, or break the file. */
const oddities = [
  '<!-- </repex:Exception> -->',
  '<![CDATA[</repex:Exception>]]>',
  '<!--',
  '</repex:Exception>',
  '<?x </repex:Exception>?>',
  '&',
  '<',
  '"',
  '\\',
  '}',
  '{',
  ']',
  ',{"LEI":1},',
  'é',
];

test.each([
  ['XML', soundXml, xmlOf('Exception')],
  ['JSON', soundJson, jsonOf('exceptions')],
] as const)('any %s file with something odd anywhere in it, cut anywhere', async (_format, sound, kind) => {
  const cases = fc.record({
    odd: fc.constantFrom('', ...oddities),
    at: fc.integer({ min: 0, max: sound.length }),
    chunkBytes: fc.integer({ min: 1, max: 900 }),
    pieceBytes: fc.integer({ min: 100, max: 2_000 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ odd, at, chunkBytes, pieceBytes }) => {
      const bytes = Buffer.from(sound.slice(0, at) + odd + sound.slice(at));
      const told = await inThreads(bytes, chunkBytes, pieceBytes, undefined, { kind });
      expect(told).toEqual(await inOne(bytes, chunkBytes, undefined, kind));
    }),
    { numRuns: runs(30) },
  );
});
