/**
 * Measures the cost of deltas by the number of changes and of companies: time, processor time, pages written compared
 * with pages changed, and the size of shipping them.
 *
 *     bun test/bench/delta/run.ts --entities 300000,1000000,3450000 --changes 300,3000,30000,35000,300000 --data FOLDER
 *
 * FOLDER keeps what is generated (`N-files`) and loaded (`N`) for a second run, and for one with the code of another
 * checkout (`--code`). Each delta is loaded over the full set, without activating it, and removed again.
 */
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { layout } from '../../../src/publication/layout.ts';
import { readPointer } from '../../../src/publication/pointer.ts';
import { sealedIds } from '../../../src/publication/sealed.ts';
import { positive } from '../harness/arguments.ts';
import { filesIn } from '../harness/data.ts';
import { minute } from '../harness/machine.ts';
import { type Finished, runToEnd } from '../harness/processes.ts';
import { figure, Report } from '../harness/report.ts';
import { changedRowPages } from './company-pages.ts';
import { type Difference, difference } from './difference.ts';
import { type WrittenPages, writtenPages } from './pages.ts';

const root = join(import.meta.dir, '../../..');
const { values } = parseArgs({
  options: {
    entities: { type: 'string', default: '100000' },
    changes: { type: 'string', default: '300,3000,30000' },
    data: { type: 'string', default: join(tmpdir(), 'lei-delta-bench') },
    code: { type: 'string', default: root },
    name: { type: 'string', default: 'curve' },
    out: { type: 'string', default: join(root, 'test/bench/reports/delta') },
  },
});
const numbersOf = (name: 'entities' | 'changes') =>
  values[name].split(',').map((text) => positive(name, text));
const data = resolve(values.data);

/** With more changes nearly every page differs, and reading through them takes longer than the delta. */
const changesLookedThroughMax = 100_000;

function lei(checkout: string, dataDir: string, ...args: readonly string[]): Promise<Finished> {
  const command = ['sh', join(checkout, 'src/with-bun.sh'), join(checkout, 'src/cli.ts'), ...args];
  return runToEnd(command, { LEI_DATA_DIR: dataDir });
}

/** Generates what is missing with this checkout's code. */
async function generated(entities: number, folder: string, ...more: readonly string[]): Promise<string[]> {
  const path = join(data, `${entities}-files`, folder);
  if (!existsSync(path)) {
    await lei(root, data, 'generate', '--entities', String(entities), '--out', path, ...more);
  }
  return filesIn(path);
}

/** The data folder with the full set. */
async function loaded(entities: number): Promise<string> {
  const dataDir = join(data, String(entities));
  if (readPointer(layout(dataDir)) === null) {
    await lei(values.code, dataDir, 'load', ...(await generated(entities, 'full')));
  }
  return dataDir;
}

interface Measured {
  readonly entities: number;
  readonly changes: number;
  readonly finished: Finished;
  readonly environment: Difference;
  readonly companies: Difference;
  readonly search: Difference;
  /** Null if there are too many changes. */
  readonly tables: ReadonlyMap<string, WrittenPages> | null;
  /** Pages of the company file with a changed row. */
  readonly rowPages: number;
}

async function measure(entities: number, changes: number): Promise<Measured> {
  const dataDir = await loaded(entities);
  const files = await generated(entities, `delta-${changes}`, '--delta', '--changes', String(changes));
  const paths = layout(dataDir);
  const base = readPointer(paths)?.id ?? '';
  const finished = await lei(values.code, dataDir, 'load', '--delta', '--no-activate', ...files);
  const next = sealedIds(paths).find((id) => id !== base) ?? '';
  const environment = difference(paths.environment(base), paths.environment(next));
  const companies = difference(paths.companies(base), paths.companies(next));
  const search = difference(paths.search(base), paths.search(next));
  const tables =
    changes > changesLookedThroughMax ? null : writtenPages(paths.environment(base), paths.environment(next));
  const rowPages = changedRowPages(paths.companies(base), paths.companies(next), companies.pages);
  rmSync(paths.publication(next), { recursive: true });
  return { entities, changes, finished, environment, companies, search, tables, rowPages };
}

const thousands = (number: number) => number.toLocaleString('en');

function holdingIn(tables: ReadonlyMap<string, WrittenPages>): number {
  return [...tables.values()].reduce((sum, { holding }) => sum + holding, 0);
}

function timesRow({ entities, changes, finished, environment, companies, search }: Measured): string[] {
  const share = ({ changedBytes, bytes }: Difference) => `${figure((100 * changedBytes) / bytes)} %`;
  return [
    thousands(entities),
    thousands(changes),
    figure(finished.seconds),
    figure(finished.cpuSeconds),
    figure(finished.peakPrivateMb),
    figure(finished.peakMb),
    share(environment),
    share(companies),
    share(search),
    [environment, companies, search].map(({ shippedBytes }) => figure(shippedBytes / 1e6)).join(' + '),
  ];
}

function pagesRow({ entities, changes, environment, companies, tables, rowPages }: Measured): string[] {
  const holding = tables === null ? null : holdingIn(tables);
  return [
    thousands(entities),
    thousands(changes),
    holding === null ? '–' : thousands(holding),
    thousands(environment.changedPages),
    holding === null ? '–' : figure(environment.changedPages / holding),
    thousands(rowPages),
    thousands(companies.changedPages),
    figure(companies.changedPages / rowPages),
  ];
}

/** The tables that a small delta writes most, with their changed pages. */
function tableRows(all: readonly Measured[]): string[][] {
  const names = new Set(all.flatMap(({ tables }) => [...(tables?.keys() ?? [])]));
  const written = (name: string, { tables }: Measured) => {
    const { holding = 0, besides = 0, branches = 0 } = tables?.get(name) ?? {};
    return `${thousands(holding)} + ${thousands(besides + branches)}`;
  };
  return [...names].sort().map((name) => [name, ...all.map((one) => written(name, one))]);
}

const measured: Measured[] = [];
for (const entities of numbersOf('entities')) {
  for (const changes of numbersOf('changes')) {
    measured.push(await measure(entities, changes));
    const last = measured.at(-1);
    if (last !== undefined) console.log(timesRow(last).join('  '), ' ', pagesRow(last).join('  '));
  }
}

const report = new Report(values.out, values.name, 'What deltas cost');
report.text(
  `Measured ${minute(new Date())}. Each delta is loaded over the full set and sealed. The tables compare data.mdb, companies.bin and search.bin with those of the full set: the bytes and pages of 4 KiB that differ, and the size of the changed segments of 1 MiB, compressed by zstd with the same segment of the base as dictionary. The peaks are the most resident memory of all processes of the load together, seen every 50 ms; the kernel can drop pages of mapped files.`,
);
report.table(
  [
    'Companies',
    'Changes',
    'Seconds',
    'CPU seconds',
    'Peak MB without mapped files',
    'with them',
    'data.mdb',
    'companies.bin',
    'search.bin',
    'MB to ship',
  ],
  measured.map(timesRow),
);
report.text(
  'The next table compares the pages that hold a changed row with the pages that changed. A row is one of any table of data.mdb, or a company of companies.bin.',
);
report.table(
  [
    'Companies',
    'Changes',
    'data.mdb: with changed rows',
    'changed',
    'ratio',
    'companies.bin: with changed rows',
    'changed',
    'ratio',
  ],
  measured.map(pagesRow),
);
const smallest = Math.min(...numbersOf('changes'));
const small = measured.filter(({ changes }) => changes === smallest);
report.text(
  `The last table has the pages of data.mdb that ${thousands(smallest)} changes write, by table: pages with changed rows + pages that lead to them or moved.`,
);
report.table(['Table', ...small.map(({ entities }) => thousands(entities))], tableRows(small));
report.save();
