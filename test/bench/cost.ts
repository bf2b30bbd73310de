/**
 * The processor time of a look-up by thread, beside a bare server, one with the service's headers, and SQLite: over
 * generated records and over the bundled sample of real ones.
 */
import { join } from 'node:path';
import { startSqlite } from './beside.ts';
import { captureBodies } from './harness/capture-bodies.ts';
import { failuresAre, inTurn, type Round, ratioAmong, ratioOf, typical } from './harness/closed-loop.ts';
import {
  type BenchData,
  prepareSample,
  type SampleData,
  startBenchServer,
  startService,
} from './harness/data.ts';
import type { Server } from './harness/processes.ts';
import { type Ask, createQuestions, lookUp } from './harness/questions.ts';
import { figure, type Report, spread } from './harness/report.ts';
import type { ThreadTimes } from './harness/thread-times.ts';

export interface CostOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
  /** Where data sets are kept. */
  readonly root: string | undefined;
}

/** Records that are looked up, with a service that has them. */
interface Records extends Pick<SampleData, 'folder' | 'dataDir' | 'key'> {
  readonly label: string;
  readonly asks: readonly Ask[];
}

/** The servers that take turns. The service is the first, the bare one the second. */
const [ours, bare] = [0, 1];

export async function benchCost(data: BenchData, report: Report, options: CostOptions): Promise<void> {
  report.heading('The processor time of a look-up');
  report.text(
    'Each server is asked over the same connections, in turns; the bare one and the one with headers answer the same bytes from memory, with two headers and with all thirteen, four of them new each time (`servers/dressed.ts`). The service enforces limits and checks a real key. “Front” is the thread that answers HTTP, in every server; “others” are the collector, the compiler and the allocator.',
    `Rounds of ${options.seconds} s, ${options.rounds} of them; medians over the rounds, and ratios within each round (in brackets the lowest and the highest). ${failuresAre}`,
  );
  const sample = await prepareSample(options.root);
  const generated = createQuestions(data.entities, data.seed)['look-up'];
  await measure({ ...data, label: 'generated records', asks: generated }, report, options, () =>
    startSqlite(data, report),
  );
  await measure({ ...sample, label: 'real records', asks: sample.leis.map(lookUp) }, report, options);
}

/** @param startRival starts one more server; null where it can't */
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
    await captureBodies(service, records.asks, headers, captured);
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

/** Until the engine has compiled what runs. */
const warmUpSeconds = 5;

function costTable(servers: readonly Server[], rounds: readonly Round[], report: Report): void {
  const header = ['Server', 'Front µs', 'Query thread µs', 'Others µs', 'All µs', 'Times the bare one'];
  report.table(
    [...header, 'Requests /s', 'Ratio to bare', 'The service’s to it', 'Failures'],
    servers.map(({ name }, index) => {
      const { threads, perSecond, failures } = typical(rounds, index);
      return [
        name,
        ...[threads.front, threads.query, threads.others, sumOf(threads)].map(figure),
        spread(costRatio(rounds, index)),
        figure(perSecond),
        spread(ratioOf(rounds, index, bare)),
        spread(ratioOf(rounds, ours, index)),
        failures,
      ];
    }),
  );
}

function sumOf({ front, query, others }: ThreadTimes): number {
  return front + query + others;
}

/** The processor time of a server as a multiple of the bare one's, within each round. */
function costRatio(rounds: readonly Round[], index: number) {
  const cost = (round: Round, server: number) => {
    const threads = round[server]?.threads;
    return threads === undefined ? Number.NaN : sumOf(threads);
  };
  return ratioAmong(rounds.map((round) => cost(round, index) / cost(round, bare)));
}
