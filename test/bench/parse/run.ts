/**
 * Measures the speed and memory of reading the same records in each format, and of the bare streaming parser as the
 * upper limit: CSV split into fields, XML through saxes, JSON through JSON.parse.
 *
 *     bun test/bench/parse/run.ts [--records 72800]
 *
 * First checks that the three files give the same rows. Each case runs in a process of its own, so that its peak of
 * memory is its own; the better of two runs counts, because the machine may be shared.
 */
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSource } from '../../../src/loader/process/open-source.ts';
import { fixtureText } from '../../loader/parse/reading.ts';
import { lei, type Tree, xml } from '../../loader/parse/writing.ts';
import { zip } from '../../loader/parse/zip.ts';
import { wholeNumbers } from '../harness/arguments.ts';
import { describeMachine } from '../harness/machine.ts';
import type { CaseName, CaseResult } from './case.ts';

const records = wholeNumbers({ records: 72_800 })('records');
const runsPerCase = 2;
const fixture = '20240505-0000-gleif-goldencopy-lei2-intra-day';

interface Case {
  readonly label: string;
  readonly name: CaseName;
  readonly file: string;
}

/** Writes a number of records in each format, repeating the published ones. */
async function writeFiles(folder: string): Promise<void> {
  const published = await fixtureText(`${fixture}.csv.zip`);
  const [header = '', ...lines] = published.trimEnd().split('\n');
  const trees: Tree[] = JSON.parse(await fixtureText(`${fixture}.json.zip`)).records;
  const repeated = <T>(list: readonly T[]) =>
    Array.from({ length: records }, (_, index) => list[index % list.length]).filter(
      (item) => item !== undefined,
    );
  const csv = `${[header, ...repeated(lines)].join('\n')}\n`;
  const [before = '', after = ''] = xml(lei, [{ $: 'RECORDS' }]).split(
    /<lei:LEIRecord>RECORDS<\/lei:LEIRecord>/,
  );
  const body = (one: Tree) => xml(lei, [one]).slice(before.length, -after.length);
  await writeFile(join(folder, 'a.csv'), csv);
  await writeFile(join(folder, 'a.csv.zip'), zip({ name: 'a.csv', content: csv }));
  await writeFile(
    join(folder, 'a.json'),
    `{"records":[\n${repeated(trees.map((tree) => JSON.stringify(tree, null, 4))).join(',\n')}\n]}`,
  );
  await writeFile(join(folder, 'a.xml'), `${before}${repeated(trees.map(body)).join('\n')}${after}`);
}

/** Checks that the files hold the same rows. @throws if they do not */
async function proveEqual(folder: string): Promise<void> {
  const digest = async (file: string) => {
    const hash = new Bun.CryptoHasher('sha256');
    const source = await openSource(join(folder, file));
    const ignored = { reject: () => {}, remark: () => {} };
    await source.read({ ...ignored, row: (row) => hash.update(JSON.stringify(row)) }, () => {});
    return hash.digest('hex');
  };
  const expected = await digest('a.csv');
  for (const file of ['a.csv.zip', 'a.json', 'a.xml']) {
    if ((await digest(file)) !== expected) throw new Error(`${file} has other rows than a.csv`);
  }
}

async function best(folder: string, { name, file }: Case): Promise<CaseResult> {
  const results: CaseResult[] = [];
  for (let run = 0; run < runsPerCase; run++) {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, 'case.ts'), name, join(folder, file)], {
      stdout: 'pipe',
      stderr: 'inherit',
    });
    const output = await new Response(child.stdout).text();
    if ((await child.exited) !== 0) throw new Error(`${name} failed`);
    results.push(JSON.parse(output));
  }
  const [first, ...others] = results;
  if (first === undefined) throw new Error('no runs');
  return others.reduce(
    (fastest, result) => (result.cpuSeconds < fastest.cpuSeconds ? result : fastest),
    first,
  );
}

const cases: readonly (Case & { readonly ceiling?: CaseName })[] = [
  { label: 'CSV', name: 'load', file: 'a.csv', ceiling: 'csv-fields' },
  { label: 'CSV in a zip', name: 'load', file: 'a.csv.zip' },
  { label: 'JSON', name: 'load', file: 'a.json', ceiling: 'json-parse' },
  { label: 'XML', name: 'load', file: 'a.xml', ceiling: 'saxes' },
];

const folder = await mkdtemp(join(tmpdir(), 'lei-bench-parse-'));
try {
  await writeFiles(folder);
  await proveEqual(folder);
  for (const [name, value] of describeMachine().rows.slice(0, 4)) console.log(`${name}: ${value}`);
  console.log(`${records} records; speeds are by processor time, whichever thread spent it\n`);
  console.log('format          MB    MB/s   rows/s   µs/row   peak MB   ceiling MB/s   of ceiling');
  for (const each of cases) {
    const megabytes = (await stat(join(folder, each.file))).size / 1e6;
    const result = await best(folder, each);
    const rate = megabytes / result.cpuSeconds;
    const ceiling =
      each.ceiling === undefined
        ? null
        : megabytes / (await best(folder, { ...each, name: each.ceiling })).cpuSeconds;
    const columns = [
      each.label.padEnd(13),
      megabytes.toFixed(0).padStart(5),
      rate.toFixed(0).padStart(7),
      (records / result.cpuSeconds).toFixed(0).padStart(8),
      ((result.cpuSeconds * 1e6) / records).toFixed(1).padStart(8),
      (result.peakBytes / 1e6).toFixed(0).padStart(9),
      (ceiling?.toFixed(0) ?? '').padStart(14),
      (ceiling === null ? '' : (rate / ceiling).toFixed(2)).padStart(12),
    ];
    console.log(columns.join(' '));
  }
} finally {
  await rm(folder, { recursive: true });
}
