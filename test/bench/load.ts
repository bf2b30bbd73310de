/**
 * Measures a load: time, memory, rows per second, size on disk. Compares it with the CSV import of `sqlite3` over the
 * same unzipped files, with indexes on the identifiers and a full-text table of names; with smaller sets; and with the
 * same content as XML and JSON.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openReadOnly } from '../../src/lmdb.ts';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { readManifest } from '../../src/publication/sealed.ts';
import { type BenchData, filesIn, loadAs, type Measured, once, prepareData, sizeOf } from './harness/data.ts';
import { type Finished, runToEnd } from './harness/processes.ts';
import { figure, linePlot, type Report } from './harness/report.ts';

export async function benchLoad(data: BenchData, report: Report, root: string | undefined): Promise<void> {
  report.heading('Loading');
  const beside = await sqliteImport(data);
  loadTable(data, report, beside);
  diskTable(data, report);
  await curve(data, report, root);
  await formatsTable(data, report, root);
}

function activeManifest(data: BenchData) {
  const paths = layout(data.dataDir);
  const pointer = readPointer(paths);
  if (pointer === null) throw new Error(`${data.dataDir} has no active publication`);
  const reading = readManifest(paths, pointer.id);
  if (reading.outcome !== 'sound') throw new Error(reading.message);
  return reading.manifest;
}

function loadTable(data: BenchData, report: Report, beside: Measured | null): void {
  const manifest = activeManifest(data);
  const rows = manifest.files.reduce((sum, file) => sum + file.rows, 0);
  report.text(
    `The load makes an active, verified publication with search, mappings and relationships from the zipped CSV files (${figure(sizeOf(data.files) / 1e6)} MB, ${rows.toLocaleString('en')} rows). For comparison, \`sqlite3\` imports the same files, already unzipped, indexes LEI, relationships, ISIN, BIC and QCC, and fills an FTS5 table with the legal names. It verifies nothing, joins nothing and renders no answers.`,
    'Each is measured when its data is made, and its figures are kept with the data. The last column says when that was.',
  );
  const row = (label: string, { seconds, cpuSeconds, peakMb, at }: Measured) => [
    label,
    figure(seconds),
    figure(cpuSeconds),
    figure(peakMb),
    figure(rows / seconds),
    figure((cpuSeconds * 1e6) / data.entities),
    at,
  ];
  const table = [row('lei load', data.loaded), row('lei generate (for the scale)', data.generated)];
  if (beside !== null) table.splice(1, 0, row('sqlite3 import + indexes + FTS5', beside));
  report.table(
    ['', 'Seconds', 'CPU seconds', 'Peak resident MB', 'Rows /s', 'CPU µs an entity', 'Measured'],
    table,
  );
  if (beside === null) report.text('`sqlite3` or `unzip` is not installed here, so its row is missing.');
  else report.text(`Ratio of times, sqlite3 to lei load: ${figure(beside.seconds / data.loaded.seconds)}.`);
}

interface TableStats {
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
  readonly entryCount: number;
}

function isTableStats(value: object): value is TableStats {
  return 'pageSize' in value && 'treeLeafPageCount' in value && 'overflowPages' in value;
}

/** The size of every table of the environment, from the statistics of lmdb. */
function diskTable(data: BenchData, report: Report): void {
  const { id } = activeManifest(data);
  const folder = layout(data.dataDir).publication(id);
  const environment = openReadOnly(folder);
  const tables = [...environment.getKeys({})].map(String).map((name) => {
    const stats = environment.openDB({ name, encoding: 'binary' }).getStats();
    if (!isTableStats(stats)) throw new Error('lmdb tells no page counts');
    const pages = stats.treeBranchPageCount + stats.treeLeafPageCount + stats.overflowPages;
    return { name, bytes: pages * stats.pageSize, rows: stats.entryCount };
  });
  environment.close();
  const total = sizeOf(folder);
  report.heading('Size on disk');
  report.table(
    ['Table', 'MB', 'Bytes an entity', 'Rows'],
    [
      ...tables
        .sort((a, b) => b.bytes - a.bytes)
        .map(({ name, bytes, rows }) => [
          name,
          figure(bytes / 1e6),
          figure(bytes / data.entities),
          rows.toLocaleString('en'),
        ]),
      ['whole folder', figure(total / 1e6), figure(total / data.entities), ''],
    ],
  );
}

const curveSizes = [10_000, 30_000, 100_000, 300_000, 1_000_000, 3_450_000];

/** Smaller loads: the cost of one entity should stay the same. */
async function curve(data: BenchData, report: Report, root: string | undefined): Promise<void> {
  const sizes = curveSizes.filter((size) => size < data.entities).slice(-3);
  const points: { entities: number; loaded: Measured; beside: Measured | null }[] = [];
  for (const entities of sizes) {
    const smaller = await prepareData(entities, data.seed, root);
    points.push({ entities, loaded: smaller.loaded, beside: await sqliteImport(smaller) });
  }
  points.push({ entities: data.entities, loaded: data.loaded, beside: await sqliteImport(data) });
  report.heading('Cost of an entity by size');
  report.table(
    [
      'Entities',
      'Seconds',
      'µs an entity',
      'CPU µs an entity',
      'Peak resident MB',
      'sqlite3 seconds',
      'Measured',
    ],
    points.map(({ entities, loaded, beside }) => [
      entities.toLocaleString('en'),
      figure(loaded.seconds),
      figure((loaded.seconds * 1e6) / entities),
      figure((loaded.cpuSeconds * 1e6) / entities),
      figure(loaded.peakMb),
      beside === null ? '–' : figure(beside.seconds),
      loaded.at,
    ]),
  );
  const line = (label: string, of: (loaded: Measured) => number) => ({
    label,
    points: points.map(({ entities, loaded }) => [entities, (of(loaded) * 1e6) / entities] as const),
  });
  const lines = [line('wall', ({ seconds }) => seconds), line('CPU', ({ cpuSeconds }) => cpuSeconds)];
  report.plot(
    'load-curve',
    'Cost of an entity',
    linePlot(
      'Loading: cost of an entity by size of the set',
      'µs',
      { label: 'entities', logarithmic: true },
      lines,
    ),
  );
}

/** Large enough to hide the fixed cost of a load, small enough to keep unpacked files below some gigabytes. */
const formatEntitiesMax = 300_000;

/** Full loads of the same content in the other formats; mappings are always CSV. */
async function formatsTable(data: BenchData, report: Report, root: string | undefined): Promise<void> {
  const entities = Math.min(data.entities, formatEntitiesMax);
  const csv = await prepareData(entities, data.seed, root);
  report.heading('The same content as XML and as JSON');
  report.text(
    `These are whole loads of ${entities.toLocaleString('en')} entities. Each includes the mapping files, which have only one format.`,
  );
  const rows = [{ format: 'csv', loaded: csv.loaded, megabytes: sizeOf(csv.files) / 1e6 }];
  for (const format of ['xml', 'json'] as const) {
    rows.push({ format, ...(await loadAs(format, csv)) });
  }
  report.table(
    ['Format', 'Zipped MB', 'Seconds', 'CPU seconds', 'Peak resident MB', 'Times the CSV load', 'Measured'],
    rows.map(({ format, loaded, megabytes }) => [
      format,
      figure(megabytes),
      figure(loaded.seconds),
      figure(loaded.cpuSeconds),
      figure(loaded.peakMb),
      figure(loaded.seconds / csv.loaded.seconds),
      loaded.at,
    ]),
  );
}

const csvOf: Readonly<Record<string, RegExp>> = {
  lei: /gleif-goldencopy-lei2/,
  rr: /gleif-goldencopy-rr/,
  repex: /gleif-goldencopy-repex/,
  isin: /^lei-isin|isin-lei/,
  bic: /LEI-BIC/,
  mic: /LEI-MIC/,
  gem: /LEI-GEM/,
  qcc: /LEI-QCC/,
  oc: /oc-lei/,
};

/** Imports with `sqlite3` in one process; null without Debian's sqlite3 and unzip. */
async function sqliteImport(data: BenchData): Promise<Measured | null> {
  if (Bun.which('sqlite3') === null || Bun.which('unzip') === null) return null;
  return once(join(data.folder, 'sqlite.json'), () => runSqliteImport(data));
}

async function runSqliteImport(data: BenchData): Promise<Finished> {
  const folder = join(data.folder, 'unzipped');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  try {
    const imports: string[] = [];
    for (const path of filesIn(data.files)) {
      const table = Object.entries(csvOf).find(([, pattern]) => pattern.test(basename(path)))?.[0];
      if (table === undefined) continue;
      const csv = join(folder, `${table}.csv`);
      await runToEnd(['sh', '-c', 'unzip -p "$0" > "$1"', path, csv]);
      imports.push(`.import ${csv} ${table}`);
    }
    return await runToEnd(['sqlite3', join(folder, 'beside.db')], {}, sqliteScript(imports));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sqliteScript(imports: readonly string[]): string {
  return `
PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-400000;
.mode csv
${imports.join('\n')}
CREATE UNIQUE INDEX lei_lei ON lei(LEI);
CREATE INDEX rr_start ON rr("Relationship.StartNode.NodeID");
CREATE INDEX rr_end ON rr("Relationship.EndNode.NodeID");
CREATE INDEX repex_lei ON repex(LEI);
CREATE INDEX isin_isin ON isin(ISIN);
CREATE INDEX isin_lei ON isin(LEI);
CREATE INDEX bic_bic ON bic(BIC);
CREATE INDEX qcc_qcc ON qcc(QCC);
CREATE VIRTUAL TABLE names USING fts5(name, content='');
INSERT INTO names(rowid, name) SELECT rowid, "Entity.LegalName" FROM lei;
`;
}
