/**
 * Measures the processor time of a look-up by thread, beside a bare server, one with the service's headers, and SQLite,
 * over generated records and over the bundled sample.
 */
import { join } from 'node:path';
import { startSqlite } from './beside.ts';
import type { Busy } from './harness/busy-threads.ts';
import { captureAnswers } from './harness/capture-answers.ts';
import {
  type ClosedLoopResult,
  failuresAre,
  inTurn,
  type Round,
  ratioOf,
  typical,
} from './harness/closed-loop.ts';
import { type BenchData, prepareSample, startBenchServer, startService } from './harness/data.ts';
import { median } from './harness/median.ts';
import type { Server } from './harness/processes.ts';
import { type Ask, createQuestions, lookUp } from './harness/questions.ts';
import { figure, type Report, spread } from './harness/report.ts';

export interface CostOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  /** Where data sets are kept. */
  readonly root: string | undefined;
}

/** Records that are looked up, with a service that has them. */
interface Records extends Pick<BenchData, 'folder' | 'dataDir' | 'key' | 'settings'> {
  readonly label: string;
  readonly asks: readonly Ask[];
}

/** The servers that take turns. The service is the first, the bare one the second. */
const [ours, bare] = [0, 1];

export async function benchCost(data: BenchData, report: Report, options: CostOptions): Promise<void> {
  report.heading('The processor time of a look-up');
  report.text(
    'The servers are asked in turn, over the same connections. The bare server answers the same bytes from memory with two headers. The one with headers adds all thirteen, four of them new each time (`servers/dressed.ts`). The service enforces limits and checks a real key. “Front” is the thread that answers HTTP, in every server; “others” are the collector, the compiler and the allocator.',
    `A round takes ${options.seconds} s, and there are ${options.rounds}. Figures are medians of the rounds. Ratios are made within each round, with the lowest and the highest in brackets. ${failuresAre}`,
  );
  const sample = await prepareSample(options.root);
  const generated = createQuestions(data.entities, data.seed)['look-up'];
  await measure({ ...data, label: 'generated records', asks: generated }, report, options, () =>
    startSqlite(data, report),
  );
  await measure({ ...sample, label: 'real records', asks: sample.leis.map(lookUp) }, report, options);
}

/** @param startRival starts one more server; null if it can't */
async function measure(
  records: Records,
  report: Report,
  options: CostOptions,
  startRival: () => Promise<Server | null> = async () => null,
): Promise<void> {
  const headers = { Authorization: `Bearer ${records.key}` };
  const captured = join(records.folder, 'captured-look-ups.json');
  const service = await startService(records);
  const servers = [service];
  try {
    await captureAnswers(service, records.asks, headers, captured);
    for (const name of ['bare', 'dressed']) servers.push(await startBenchServer(name, captured));
    const rival = await startRival();
    if (rival !== null) servers.push(rival);
    const rounds = await inTurn(servers, records.asks, { ...options, warmUpSeconds, headers });
    report.text(`Over ${records.asks.length.toLocaleString('en')} ${records.label}:`);
    costTable(servers, rounds, report);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Until the engine has compiled the running code. */
const warmUpSeconds = 30;

function costTable(servers: readonly Server[], rounds: readonly Round[], report: Report): void {
  const header = ['Server', 'Front µs', 'Query thread µs', 'Others µs', 'All µs', 'Times the bare one'];
  report.table(
    [...header, 'Requests /s', 'Ratio to bare', 'The service’s to it', 'Failures'],
    servers.map(({ name }, index) => {
      const own = rounds.flatMap((round) => round[index] ?? []);
      const { perSecond, failures } = typical(rounds, index);
      return [
        name,
        ...[front, query, others, all].map((roles) => figure(median(own.map(microsOf(roles))))),
        spread(ratioOf(rounds, index, bare, microsOf(all))),
        figure(perSecond),
        spread(ratioOf(rounds, index, bare)),
        spread(ratioOf(rounds, ours, index)),
        failures,
      ];
    }),
  );
}

type Roles = readonly (keyof Busy)[];
/** With one front, the main thread is the front, as in a server without threads. */
const front: Roles = ['main', 'fronts'];
const query: Roles = ['query threads'];
const others: Roles = ['collector', 'compiler', 'others'];
const all: Roles = [...front, ...query, ...others];

/** The processor time of each thread per request, in microseconds. */
function microsOf(roles: Roles) {
  return ({ busy, perSecond }: ClosedLoopResult) => {
    const cores = roles.flatMap((role) => busy[role]).reduce((sum, each) => sum + each, 0);
    return (cores / perSecond) * 1e6;
  };
}
