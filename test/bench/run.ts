/**
 * `bun run bench`: prepares data of a chosen size, runs the benches and writes a report.
 *
 *     bun run bench [--entities 100000] [--seed 1] [--seconds 5] [--only lookup,load,beside,scenarios]
 *                   [--data FOLDER] [--out FOLDER]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchBeside } from './beside.ts';
import { benchScenarios } from './endurance.ts';
import { prepareData } from './harness/data.ts';
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
const parts = values.only.split(',');
const folder = values.out ?? join(import.meta.dir, 'reports', `${entities}-entities`);

const report = new Report(folder, `Bench: ${entities.toLocaleString('en')} entities`);
report.text(
  `Made by \`bun run bench --entities ${entities} --seed ${seed} --seconds ${seconds} --only ${values.only}\`.`,
);
report.table(['Machine', ''], describeMachine().rows);
report.save();

const data = await prepareData(entities, seed, values.data);
const benches: Readonly<Record<string, () => Promise<void>>> = {
  load: () => benchLoad(data, report, values.data),
  beside: () => benchBeside(data, report, { seconds, connections: 64 }),
  scenarios: () => benchScenarios(data, report, { seconds: seconds * 2, rate: 1_000 }),
  lookup: () => benchLookup(data, report, { seconds, connections: 64 }),
};
for (const part of parts) {
  const bench = benches[part];
  if (bench === undefined) continue;
  await bench();
  report.save();
}
