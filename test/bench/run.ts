/**
 * `bun run bench`: prepares data of a chosen size, runs the benches and writes a report of each (Markdown with tables,
 * SVG plots).
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reasonOf } from '../../src/errors.ts';
import { benchBeside } from './beside.ts';
import { benchCores } from './cores/bench.ts';
import { benchCost } from './cost.ts';
import { benchScenarios } from './endurance.ts';
import { positive } from './harness/arguments.ts';
import { type BenchData, prepareData } from './harness/data.ts';
import { describeMachine } from './harness/machine.ts';
import { Report } from './harness/report.ts';
import { benchLoad } from './load.ts';
import { benchLookup } from './lookup.ts';

const usage = `Usage: bun run bench [options]

  --entities <n>    companies in the data set (default 100000)
  --seed <n>        which data set of that size (default 1)
  --seconds <n>     how long each turn of a measurement takes (default 2)
  --rounds <n>      turns of each server in a comparison (default 5)
  --only <parts>    of lookup, cost, load, beside, scenarios, cores, separated by commas (default all)
  --fronts <n>      front threads of the service (default: its own)
  --workers <n>     query threads of the service (default: its own)
  --data <folder>   where the data set is kept, or made if it is not there
  --out <folder>    where the reports go (default test/bench/reports/<n>-entities; of cores, test/bench/reports/cores)
  --help            this text

Exits 0 only where every answer was right, 1 where one was not, 2 where it was called wrongly.`;

const options = {
  entities: { type: 'string', default: '100000' },
  seed: { type: 'string', default: '1' },
  seconds: { type: 'string', default: '2' },
  rounds: { type: 'string', default: '5' },
  only: { type: 'string', default: 'lookup,cost,load,beside,scenarios,cores' },
  fronts: { type: 'string' },
  workers: { type: 'string' },
  data: { type: 'string' },
  out: { type: 'string' },
  help: { type: 'boolean' },
} as const;

function refuse(reason: string): never {
  console.error(`${reason}\n\n${usage}`);
  process.exit(2);
}

function orRefuse<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    return refuse(reasonOf(error));
  }
}

const values = orRefuse(() => parseArgs({ options }).values);
if (values.help) {
  console.log(usage);
  process.exit();
}
const whole = (name: 'entities' | 'seed' | 'seconds' | 'rounds') =>
  orRefuse(() => positive(name, values[name]));
const [entities, seed] = [whole('entities'), whole('seed')];
const [seconds, rounds] = [whole('seconds'), whole('rounds')];
const perhaps = (name: 'fronts' | 'workers') => {
  const value = values[name];
  return value === undefined ? undefined : orRefuse(() => positive(name, value));
};
const [fronts, workers] = [perhaps('fronts'), perhaps('workers')];
/** The chosen threads, as options of the bench and as settings of the service. */
const chosen = [
  ['fronts', 'LEI_FRONTS', fronts] as const,
  ['workers', 'LEI_WORKERS', workers] as const,
].filter(([, , count]) => count !== undefined);
const settings = Object.fromEntries(chosen.map(([, setting, count]) => [setting, String(count)]));
const chosenOptions = chosen.map(([name, , count]) => ` --${name} ${count}`).join('');
const reports = join(import.meta.dir, 'reports');
const folderOf = (part: string) =>
  values.out ?? join(reports, part === 'cores' ? 'cores' : `${entities}-entities`);

type Bench = (data: BenchData, report: Report) => Promise<void>;
const benches: Readonly<Record<string, { readonly title: string; readonly run: Bench }>> = {
  lookup: {
    title: 'Serving, against bare servers',
    run: (data, report) => benchLookup(data, report, { seconds, rounds, connections: 64 }),
  },
  cost: {
    title: 'What a look-up costs',
    run: (data, report) => benchCost(data, report, { seconds, rounds, connections: 64, root: values.data }),
  },
  load: { title: 'Loading', run: (data, report) => benchLoad(data, report, values.data) },
  beside: {
    title: 'Beside SQLite and PostgreSQL',
    run: (data, report) => benchBeside(data, report, { seconds, rounds, connections: 64 }),
  },
  scenarios: {
    title: 'Scenarios',
    run: (data, report) => benchScenarios(data, report, { seconds: seconds * rounds, rate: 1_000 }),
  },
  cores: {
    title: 'Every core of the machine',
    run: (data, report) => benchCores(data, report, { seconds, rounds, fronts, workers }),
  },
};

let wrongAnswers = 0;
const parts = values.only.split(',');
for (const part of parts) {
  if (!Object.hasOwn(benches, part)) refuse(`--only knows ${Object.keys(benches).join(', ')}, not ${part}.`);
}
const data = { ...(await prepareData(entities, seed, values.data)), settings };
for (const part of parts) {
  const bench = benches[part];
  if (bench === undefined) continue;
  const report = new Report(
    folderOf(part),
    part,
    `${bench.title}: ${entities.toLocaleString('en')} entities`,
  );
  report.text(
    `Made by \`bun run bench --entities ${entities} --seed ${seed} --seconds ${seconds} --rounds ${rounds} --only ${part}${chosenOptions}\`.`,
  );
  report.table(['Machine', ''], describeMachine().rows);
  await bench.run(data, report);
  // Each part writes its report at its end: an interrupted run keeps the earlier ones.
  report.save();
  wrongAnswers += report.wrongAnswers;
}
if (wrongAnswers > 0) {
  console.error(
    `${wrongAnswers} answers were not as they should be: see the reports in ${[...new Set(parts.map(folderOf))].join(', ')}.`,
  );
  process.exitCode = 1;
}
