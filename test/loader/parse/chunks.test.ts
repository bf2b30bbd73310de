/**
 * Tests that the place where a stream is cut never matters: in the middle of a character, a tag, an escape, a quote.
 */
import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { readers } from '../../../src/loader/parse/recognise.ts';
import { RecordReport } from '../../../src/loader/parse/record/report.ts';
import type { SourceFormat, SourceRow } from '../../../src/loader/rows.ts';
import { fixtureBytes } from './reading.ts';

/** The rows of a content that arrives in chunks of these sizes, repeatedly. */
function read(format: SourceFormat, content: Uint8Array, chunkBytes: readonly number[]): SourceRow[] {
  const rows: SourceRow[] = [];
  const report = new RecordReport(
    { row: (row) => rows.push(row), reject: () => {}, remark: () => {} },
    'record',
  );
  const reader = readers[format](report);
  for (let at = 0, index = 0; at < content.length; index++) {
    const next = at + (chunkBytes[index % chunkBytes.length] ?? 1);
    reader.push(content.subarray(at, next));
    at = next;
  }
  reader.end();
  return rows;
}

async function firstRecords(name: string, before: string, end: string): Promise<Buffer> {
  const text = (await fixtureBytes(name)).toString();
  let at = 0;
  for (let record = 0; record < 4; record++) at = text.indexOf(before, at + 1);
  return Buffer.from(text.slice(0, at) + end);
}

const intraDay = '20240505-0000-gleif-goldencopy-lei2-intra-day';
const contents: Readonly<Record<SourceFormat, () => Promise<Buffer>>> = {
  csv: () => firstRecords(`${intraDay}.csv.zip`, '\n"', '\n'),
  xml: () => firstRecords(`${intraDay}.xml.zip`, '<lei:LEIRecord ', '</lei:LEIRecords></lei:LEIData>'),
  json: () => firstRecords(`${intraDay}.json.zip`, ',\n{', ']}'),
};

for (const format of ['csv', 'xml', 'json'] as const) {
  test(`${format} gives the same rows however it is cut into chunks`, async () => {
    const content = await contents[format]();
    const whole = read(format, content, [content.length]);
    expect(whole.length).toBeGreaterThanOrEqual(3);
    expect(read(format, content, [1])).toEqual(whole);
    const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(sizes, (chunkBytes) => {
        expect(read(format, content, chunkBytes)).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });
}

test('quotes and backslashes in JSON are told apart wherever a chunk ends', () => {
  const name = 'a \\ "b" {[}] \\" \u2028 株';
  const record = { LEI: '097900BID10000147476', Entity: { LegalName: { $: name } } };
  const content = Buffer.from(JSON.stringify({ note: '\\"', records: [record, record] }));
  for (const size of [1, 2, 3, 5, 7]) {
    const names = read('json', content, [size]).map((row) =>
      row.kind === 'level-1' ? row.record.entity.legalName.name : null,
    );
    expect(names).toEqual([name, name]);
  }
});
