/**
 * Measures `lei match` on a file of dirty rows: rows per second, processor time and memory for two sizes of the file,
 * and the accuracy of the verdicts. It first checks order and completeness of the rows.
 *
 *     bun test/bench/match/file.ts [--companies 100000] [--rows 100000] [--report FILE.md]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { positive } from '../harness/arguments.ts';
import { lei, prepareData } from '../harness/data.ts';
import { describeMachine } from '../harness/machine.ts';
import { runToEnd } from '../harness/processes.ts';
import { figure, Report } from '../harness/report.ts';
import { type AskedName, makeQuestions } from './questions.ts';
import { namedCompanies, openLoaded } from './worlds.ts';

const { values } = parseArgs({
  options: {
    companies: { type: 'string', default: '100000' },
    rows: { type: 'string', default: '100000' },
    report: { type: 'string', default: 'file-report.md' },
  },
});
const [companies, rows] = [positive('companies', values.companies), positive('rows', values.rows)];
const seed = 21;

function csvOf(asked: readonly AskedName[]): string {
  const lines = asked.map(({ question }, row) => {
    const name = (question.name ?? '').replaceAll('"', '""');
    return `${row},"${name}",${question.country ?? ''}\n`;
  });
  return `row,name,country\n${lines.join('')}`;
}

interface Row {
  readonly row: string;
  readonly lei: string | null;
  readonly verdict: string;
}

/** Runs the command over a number of rows, and checks that each is answered at its place. */
async function measured(dataDir: string, folder: string, asked: readonly AskedName[]) {
  const [input, output] = [join(folder, 'rows.csv'), join(folder, 'matched.ndjson')];
  writeFileSync(input, csvOf(asked));
  const command = lei(
    'match',
    input,
    '--name',
    'name',
    '--country',
    'country',
    '--format',
    'ndjson',
    '--out',
    output,
  );
  const finished = await runToEnd(command, { LEI_DATA_DIR: dataDir });
  const lines = readFileSync(output, 'utf8').trimEnd().split('\n');
  const answers = lines.map((line): Row => JSON.parse(line));
  const isWhole = answers.length === asked.length && answers.every(({ row }, at) => row === String(at));
  if (!isWhole) throw new Error('A row is missing, or stands in another place.');
  return { ...finished, answers };
}

function quality(asked: readonly AskedName[], answers: readonly Row[]) {
  const given = answers.map(({ verdict, lei }) => (verdict === 'match' ? lei : null));
  const right = asked.filter(({ meant }, at) => meant !== null && meant === given[at]).length;
  const matched = given.filter((each) => each !== null).length;
  const present = asked.filter(({ meant }) => meant !== null).length;
  const percent = (share: number) => (share * 100).toFixed(1);
  return [percent(right / Math.max(1, matched)), percent(right / Math.max(1, present))];
}

const loaded = await openLoaded(companies, 1);
const aside = await openLoaded(Math.ceil(companies / 5), 2);
const worlds = { loaded: namedCompanies(loaded), aside: namedCompanies(aside) };
await Promise.all([loaded.close(), aside.close()]);
const { dataDir } = await prepareData(companies, 1);
const asked = makeQuestions(worlds, rows, seed);
const folder = mkdtempSync(join(tmpdir(), 'lei-match-'));

const report = new Report(
  dirname(values.report),
  basename(values.report, '.md'),
  'lei match: a file of dirty rows',
);
report.text(`Made by \`bun test/bench/match/file.ts --companies ${companies} --rows ${rows}\`.`);
report.table(['Machine', ''], describeMachine().rows);
report.text(
  `${companies.toLocaleString('en')} generated companies. The rows are questions of the match bench: names altered in twelve ` +
    'ways, half of them with a country, a third of them of companies that are not in the data. The result has every row in ' +
    'its place. Other work of the machine affects the elapsed time, but hardly the processor time.',
);
const table: (readonly string[])[] = [];
for (const some of [asked.slice(0, Math.ceil(rows / 10)), asked]) {
  const { seconds, cpuSeconds, peakMb, answers } = await measured(dataDir, folder, some);
  table.push([
    some.length.toLocaleString('en'),
    figure(seconds),
    figure(some.length / seconds),
    figure((cpuSeconds / some.length) * 1000),
    figure(peakMb),
    ...quality(some, answers),
  ]);
}
rmSync(folder, { recursive: true });
report.table(
  [
    'Rows',
    'Seconds',
    'Rows a second',
    'Processor, ms a row',
    'Peak resident MB',
    'Right of matched, %',
    'Found of those there, %',
  ],
  table,
);
report.save();
