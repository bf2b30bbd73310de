/**
 * Measures what a delta costs by how much it changes: time beside the full load of the same companies, bytes and pages that
 * differ from the publication before, and what shipping them takes.
 *
 *     bun test/bench/delta/run.ts --entities 500000 --data FOLDER [--changes 300,3000,30000] [--code CHECKOUT]
 *
 * FOLDER keeps what is generated and loaded, for a second run, and for one with the code of another checkout (`--code`).
 */
import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { constants, zstdCompressSync } from 'node:zlib';
import { layout } from '../../../src/publication/layout.ts';
import { readPointer } from '../../../src/publication/pointer.ts';
import { sealedIds } from '../../../src/publication/sealed.ts';
import { positive } from '../harness/arguments.ts';
import { filesIn, type Measured, once } from '../harness/data.ts';
import { minute } from '../harness/machine.ts';
import { type Finished, runToEnd } from '../harness/processes.ts';
import { figure, Report } from '../harness/report.ts';

const root = join(import.meta.dir, '../../..');
const { values } = parseArgs({
  options: {
    entities: { type: 'string', default: '100000' },
    changes: { type: 'string', default: '300,3000,30000' },
    data: { type: 'string' },
    code: { type: 'string', default: root },
    out: { type: 'string', default: join(root, 'test/bench/reports/delta') },
  },
});
const entities = positive('entities', values.entities);
const data = resolve(values.data ?? join('/tmp', `lei-delta-bench-${entities}`));
const name = values.code === root ? `${entities}-entities` : `${entities}-entities-before`;
const dataDir = join(data, `publications-of-${name}`);
const report = new Report(values.out, name, `Deltas of ${entities.toLocaleString('en')} companies`);

function lei(checkout: string, ...args: readonly string[]): Promise<Finished> {
  const command = ['sh', join(checkout, 'src/with-bun.sh'), join(checkout, 'src/cli.ts'), ...args];
  return runToEnd(command, { LEI_DATA_DIR: dataDir });
}

/** Generates with this checkout's code what is not there yet. */
async function generated(folder: string, ...more: readonly string[]): Promise<string[]> {
  const path = join(data, folder);
  if (!existsSync(path)) await lei(root, 'generate', '--entities', String(entities), '--out', path, ...more);
  return filesIn(path);
}

const pageBytes = 4096;
const segmentBytes = 1024 * 1024;

/** How the files of two publications differ. */
interface Difference {
  bytes: number;
  changedBytes: number;
  changedPages: number;
  /** Of all changed segments, each compressed with the same segment of the base as dictionary. */
  shippedBytes: number;
}

function difference(base: string, next: string): Difference {
  const [before, after] = [openSync(base, 'r'), openSync(next, 'r')];
  const [old, fresh] = [Buffer.alloc(segmentBytes), Buffer.alloc(segmentBytes)];
  const found = { bytes: statSync(next).size, changedBytes: 0, changedPages: 0, shippedBytes: 0 };
  for (let at = 0; at < found.bytes; at += segmentBytes) {
    const length = readSync(after, fresh, 0, segmentBytes, at);
    const known = readSync(before, old.fill(0), 0, segmentBytes, at);
    compareSegment(old, fresh.subarray(0, length), known, found);
  }
  closeSync(before);
  closeSync(after);
  return found;
}

function compareSegment(old: Buffer, fresh: Buffer, known: number, found: Difference): void {
  if (fresh.equals(old.subarray(0, fresh.length)) && known >= fresh.length) return;
  for (let page = 0; page < fresh.length; page += pageBytes) {
    const end = Math.min(fresh.length, page + pageBytes);
    let changed = 0;
    for (let i = page; i < end; i++) if (i >= known || fresh[i] !== old[i]) changed++;
    found.changedBytes += changed;
    found.changedPages += Number(changed > 0);
  }
  const params = { [constants.ZSTD_c_compressionLevel]: 3 };
  const options = known === 0 ? { params } : { params, dictionary: old.subarray(0, known) };
  found.shippedBytes += zstdCompressSync(fresh, options).length;
}

const paths = layout(dataDir);

function activeId(): string {
  const pointer = readPointer(paths);
  if (pointer === null) throw new Error('Nothing was loaded.');
  return pointer.id;
}

async function measureDelta(changes: number, full: Measured) {
  const files = await generated(`delta-${changes}`, '--delta', '--changes', String(changes));
  const base = activeId();
  const loaded = await lei(values.code, 'load', '--delta', '--no-activate', ...files);
  const next = sealedIds(paths).find((id) => id !== base) ?? '';
  const environment = difference(paths.environment(base), paths.environment(next));
  const companies = difference(paths.companies(base), paths.companies(next));
  rmSync(paths.publication(next), { recursive: true });
  const share = ({ changedBytes, bytes }: Difference) => `${figure((100 * changedBytes) / bytes)} %`;
  return [
    changes.toLocaleString('en'),
    figure(loaded.seconds),
    figure(loaded.cpuSeconds),
    figure(loaded.cpuSeconds / full.cpuSeconds),
    figure(loaded.peakMb),
    share(environment),
    share(companies),
    `${environment.changedPages.toLocaleString('en')} + ${companies.changedPages.toLocaleString('en')}`,
    `${figure(environment.shippedBytes / 1e6)} + ${figure(companies.shippedBytes / 1e6)}`,
  ];
}

const set = await generated('full');
const full = await once(join(data, `${name}.json`), () => lei(values.code, 'load', ...set));
report.text(
  `Measured ${minute(new Date())}. The full load (${full.at}) took ${figure(full.seconds)} s, ${figure(full.cpuSeconds)} s of processor time and at most ${figure(full.peakMb)} MB. Each delta is loaded over it. Differences are counted against its files, data.mdb + companies.bin: bytes, pages of 4 KiB, and megabytes of the changed segments of 1 MiB as zstd packs them with the same segment of the base as dictionary.`,
);
const rows: string[][] = [];
for (const changes of values.changes.split(','))
  rows.push(await measureDelta(positive('changes', changes), full));
report.table(
  [
    'Changes',
    'Seconds',
    'CPU seconds',
    'Of the full load',
    'Peak MB',
    'data.mdb',
    'companies.bin',
    'Pages',
    'MB to ship',
  ],
  rows,
);
report.save();
