/**
 * Measures the cost of shipping: publishing a full set and a day's delta of it, and fetching both on an empty node and
 * on one that has the day before. The exit status is 1 if the delta takes more than a quarter of the whole.
 *
 *     bun test/bench/shipping/run.ts [--entities 100000] [--data FOLDER]
 *
 * FOLDER keeps what is generated and loaded for a second run.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { layout } from '../../../src/publication/layout.ts';
import type { Manifest } from '../../../src/publication/manifest.ts';
import { bytesOf } from '../../../src/publication/manifest-facts.ts';
import { readPointer } from '../../../src/publication/pointer.ts';
import { readManifest } from '../../../src/publication/sealed.ts';
import { positive } from '../harness/arguments.ts';
import { filesIn, lei, once, sizeOf } from '../harness/data.ts';
import { describeMachine, minute } from '../harness/machine.ts';
import { type Finished, runToEnd } from '../harness/processes.ts';
import { figure, Report } from '../harness/report.ts';

const root = join(import.meta.dir, '../../..');
const { values } = parseArgs({
  options: { entities: { type: 'string', default: '100000' }, data: { type: 'string' } },
});
const entities = positive('entities', values.entities);
const data = resolve(values.data ?? join(tmpdir(), `lei-shipping-bench-${entities}`));
const builder = join(data, 'builder');
mkdirSync(data, { recursive: true });
/** The most that a day's delta may take of the whole. */
const shareMost = 0.25;

async function loaded(name: string, ...options: readonly string[]): Promise<Manifest> {
  const files = join(data, name);
  await once(join(data, `${name}-generated.json`), () =>
    runToEnd(lei('generate', '--entities', String(entities), '--out', files, ...options)),
  );
  await once(join(data, `${name}-loaded.json`), () =>
    runToEnd(lei('load', ...options, ...filesIn(files)), { LEI_DATA_DIR: builder }),
  );
  const { id, previous } = readPointer(layout(builder)) ?? { id: '', previous: [] };
  // A second run finds the delta active.
  const wanted = name === 'full' ? (previous[0]?.id ?? id) : id;
  const reading = readManifest(layout(builder), wanted);
  if (reading.outcome === 'sound') return reading.manifest;
  throw new Error(reading.message);
}

interface Published {
  readonly shipment: string;
  readonly wholeBytes: number;
  readonly changedBytes: number;
}

function publish({ id }: Manifest): Promise<Finished> {
  return runToEnd(lei('publish', id, '--to', `file://${store}`, '--json'), { LEI_DATA_DIR: builder });
}

/** The shipment's own figures. */
function publishedOf({ output }: Finished): Published {
  const { shipment, wholeBytes, changedBytes }: Published = JSON.parse(output);
  return { shipment, wholeBytes, changedBytes };
}

/** Fetches in the process that a service starts for it. */
function fetched(node: string, { id }: Manifest, { shipment }: Published): Promise<Finished> {
  const fetching = [process.execPath, join(root, 'workers/fetch.ts'), node, id, shipment];
  // A pipe that stays open at both ends: the process ends with its input.
  const pipe = join(folder, 'input');
  const holding = `mkfifo '${pipe}' && exec 3<>'${pipe}' && rm '${pipe}' && echo 'file://${store}' >&3 && "$@" <&3`;
  return runToEnd(['sh', '-c', holding, 'fetch', ...fetching]);
}

const folder = mkdtempSync(join(data, 'run-'));
const store = join(folder, 'store');
const node = join(folder, 'node');
const late = join(folder, 'late');
const full = await loaded('full');
const day = await loaded('delta', '--delta');
const publishing = [await publish(full), await publish(day)] as const;
const [first, second] = [publishedOf(publishing[0]), publishedOf(publishing[1])];
const fetching = {
  'the full set, with nothing': await fetched(node, full, first),
  'the day, with the full set': await fetched(node, day, second),
  'the day, with nothing': await fetched(late, day, second),
};
const share = second.changedBytes / second.wholeBytes;

const report = new Report(
  join(root, 'test/bench/reports/shipping'),
  `${entities}-entities`,
  `Shipping ${entities.toLocaleString('en')} companies`,
);
report.text(
  `Measured ${minute(new Date())} by \`bun test/bench/shipping/run.ts --entities ${entities}\`, to and from a folder. The day changes ${changesOf(day)} records.`,
);
report.table(['Machine', ''], describeMachine().rows);
const mb = (bytes: number) => figure(bytes / 1e6);
report.table(
  ['Publication', 'MB on disk', 'MB whole', 'MB for a node with the day before', 'Share'],
  [
    ['the full set', mb(bytesOf(full)), mb(first.wholeBytes), '', ''],
    ['the day', mb(bytesOf(day)), mb(second.wholeBytes), mb(second.changedBytes), `${figure(100 * share)} %`],
  ],
);
const row = (what: string, { seconds, cpuSeconds, peakMb }: Finished) => [
  what,
  figure(seconds),
  figure(cpuSeconds),
  figure(peakMb),
];
report.table(
  ['Step', 'Seconds', 'CPU seconds', 'Peak resident MB'],
  [
    row('publish the full set', publishing[0]),
    row('publish the day', publishing[1]),
    ...Object.entries(fetching).map(([what, finished]) => row(`fetch ${what}`, finished)),
  ],
);
report.text(`The store holds ${mb(sizeOf(store))} MB with both.`);
report.save();
rmSync(folder, { recursive: true });
if (share > shareMost) {
  console.error(`A day ships in ${figure(100 * share)} % of the whole, more than ${100 * shareMost} %.`);
  process.exitCode = 1;
}

function changesOf({ files, id }: Manifest): string {
  const own = files.filter(({ publication }) => publication === id);
  return own.reduce((sum, { rows }) => sum + rows, 0).toLocaleString('en');
}
