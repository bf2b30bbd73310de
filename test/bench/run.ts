/**
 * `bun run bench`: prepares data of a chosen size, runs the benches and writes a report for each (Markdown
 * with tables, SVG plots).
 *
 *     bun run bench [--entities 100000] [--seed 1] [--seconds 5] [--only lookup,load,beside,scenarios]
 *                   [--data FOLDER] [--out FOLDER]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchBeside } from './beside.ts';
import { benchScenarios } from './endurance.ts';
import { type BenchData, prepareData } from './harness/data.ts';
import { describeMachine } from './harness/machine.ts';
import { Report } from './harness/report.ts';
import { benchLoad } from './load.ts';
import { benchLookup } from './lookup.ts';

const { values } = parseArgs({
  options: {
    entities: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '5' },
    only: { type: 'string', default: 'lookup,load,beside,scenarios' },
    data: { type: 'string' },
    out: { type: 'string' },
  },
});
const [entities, seed, seconds] = [values.entities, values.seed, values.seconds].map(Number);
if (!entities || seed === undefined || !seconds)
  throw new Error('--entities, --seed and --seconds are numbers');
const folder = values.out ?? join(import.meta.dir, 'reports', `${entities}-entities`);

type Bench = (data: BenchData, report: Report) => Promise<void>;
const benches: Readonly<Record<string, { readonly title: string; readonly run: Bench }>> = {
  lookup: {
    title: 'Serving, against bare servers',
    run: (data, report) => benchLookup(data, report, { seconds, connections: 64 }),
  },
  load: { title: 'Loading', run: (data, report) => benchLoad(data, report, values.data) },
  beside: {
    title: 'Beside SQLite and PostgreSQL',
    run: (data, report) => benchBeside(data, report, { seconds, connections: 64 }),
  },
  scenarios: {
    title: 'Scenarios',
    run: (data, report) => benchScenarios(data, report, { seconds: seconds * 2, rate: 1_000 }),
  },
};

const data = await prepareData(entities, seed, values.data);
for (const part of values.only.split(',')) {
  const bench = benches[part];
  if (bench === undefined) throw new Error(`--only knows ${Object.keys(benches).join(', ')}, not ${part}`);
  const report = new Report(folder, part, `${bench.title}: ${entities.toLocaleString('en')} entities`);
  report.text(
    `Made by \`bun run bench --entities ${entities} --seed ${seed} --seconds ${seconds} --only ${part}\`.`,
  );
  report.table(['Machine', ''], describeMachine().rows);
  await bench.run(data, report);
  // A report is written when its part is done: an interrupted run leaves the parts before.
  report.save();
}
