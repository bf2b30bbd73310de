/**
 * Measures latency at half of a server's capacity in the closed loop. Requests leave on a timetable and latency counts
 * from it, so it includes all waiting. The bare server is asked at half of its own capacity, which keeps it as busy as
 * the service, and at the service's rate, which leaves it nearly idle.
 */
import { type ClosedLoopResult, type Ratio, ratioAmong } from './harness/closed-loop.ts';
import { median } from './harness/median.ts';
import { type OpenLoopResult, openLoop } from './harness/open-loop.ts';
import { type Server, usageOf } from './harness/processes.ts';
import type { Ask, Kind } from './harness/questions.ts';
import { figure, type Report, spread } from './harness/report.ts';

/** Two servers with their capacity in the closed loop. */
export interface Rivals {
  readonly service: Server;
  readonly bare: Server;
  readonly serviceReached: ClosedLoopResult;
  readonly bareReached: ClosedLoopResult;
}

export interface HalfCapacityOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface Turn extends OpenLoopResult {
  readonly diskWaits: number;
}

interface OpenRound {
  readonly bare: Turn;
  readonly bareAtSameRate: Turn;
  readonly service: Turn;
}

export interface HalfCapacity {
  readonly kind: Kind;
  readonly rounds: readonly OpenRound[];
}

/** Measures the three in turn, right after the closed loop of the same questions, when their data is in memory. */
export async function measureHalfCapacity(
  kind: Kind,
  { service, bare, serviceReached, bareReached }: Rivals,
  asks: readonly Ask[],
  options: HalfCapacityOptions,
): Promise<HalfCapacity> {
  const [ofService, ofBare] = [halfOf(serviceReached), halfOf(bareReached)];
  const rounds: OpenRound[] = [];
  for (let round = 0; round < options.rounds; round++) {
    rounds.push({
      bare: await turn(bare, asks, ofBare, options),
      bareAtSameRate: await turn(bare, asks, ofService, options),
      service: await turn(service, asks, ofService, options),
    });
  }
  return { kind, rounds };
}

/** Requests per second at most: beyond them the generator, one thread, would measure itself. */
const rateMost = 60_000;
const warmUpSeconds = 1;
/** The connections of a few dozen clients with pools. Waiting for one counts as latency. */
const connectionsMost = 256;

function halfOf({ perSecond }: ClosedLoopResult): number {
  return Math.min(rateMost, Math.round(perSecond / 2));
}

async function turn(
  server: Server,
  asks: readonly Ask[],
  rate: number,
  { seconds, headers }: HalfCapacityOptions,
): Promise<Turn> {
  const before = usageOf(server).diskWaits;
  const result = await openLoop({
    baseUrl: server.url,
    headers,
    asks: asks.map(({ path, proof }) => ({ path, proof })),
    stretches: [{ seconds: warmUpSeconds + seconds, from: rate, to: rate }],
    warmUpSeconds,
    outstandingMost: 4_096,
    connectionsMost,
  });
  return { ...result, diskWaits: usageOf(server).diskWaits - before };
}

export function halfCapacityTable(report: Report, measured: readonly HalfCapacity[]): void {
  report.text(
    `In this open loop each server gets half of the requests that it reached above, ${rateMost.toLocaleString('en')} a second at most, which is the limit of the generator. Requests leave on a timetable, over ${connectionsMost} connections at most. Latency counts from the timetable and so includes all waiting, also for a connection. The bare server also gets the rate of the service, at which it has little to do. Slip is how late the generator was. If the slip of a turn is close to its latency, the turn measures the generator. Every answer is checked.`,
    `The servers take turns as above. Each turn starts with ${warmUpSeconds} s at the same rate whose latencies are left out, because connections are opened and the generator's code is compiled in them.`,
  );
  report.table(
    ['Question', 'Rate /s', 'p50 ms', 'p99 ms', 'p99.9 ms', 'Slip p99 ms', 'Disk waits', 'Wrong or failed'],
    measured.flatMap(({ kind, rounds }) => [
      row(
        `${kind}, bare at half of its capacity`,
        rounds.map(({ bare }) => bare),
      ),
      row(
        `${kind}, bare at the service's rate`,
        rounds.map(({ bareAtSameRate }) => bareAtSameRate),
      ),
      row(
        `${kind}, service at half of its capacity`,
        rounds.map(({ service }) => service),
      ),
    ]),
  );
  report.wrongAnswers += measured
    .flatMap(({ rounds }) => rounds.map(({ service }) => service.wrong))
    .reduce((total, wrong) => total + wrong, 0);
  report.text('The p99 of the service divided by that of the bare server, within each round:');
  report.table(
    ['Question', 'Each at half of its capacity', "Both at the service's rate"],
    measured.map(({ kind, rounds }) => [
      kind,
      spread(ratioOfP99(rounds, ({ bare }) => bare)),
      spread(ratioOfP99(rounds, ({ bareAtSameRate }) => bareAtSameRate)),
    ]),
  );
}

/** The median of each figure over the rounds; the sum of disk waits, wrong and failed answers. */
function row(label: string, turns: readonly Turn[]) {
  const middle = (pick: (result: Turn) => number | null) =>
    figure(median(turns.map((result) => pick(result) ?? Number.NaN)));
  const sum = (pick: (result: Turn) => number) => turns.reduce((total, result) => total + pick(result), 0);
  return [
    label,
    middle(({ perSecond }) => perSecond),
    middle(({ latencyMs }) => latencyMs.p50),
    middle(({ latencyMs }) => latencyMs.p99),
    middle(({ latencyMs }) => latencyMs.p999),
    middle(({ slipMs }) => slipMs.p99),
    sum(({ diskWaits }) => diskWaits),
    sum(({ wrong, failed }) => wrong + failed),
  ];
}

function ratioOfP99(rounds: readonly OpenRound[], bareIn: (round: OpenRound) => Turn): Ratio {
  const p99 = ({ latencyMs }: Turn) => latencyMs.p99 ?? Number.NaN;
  return ratioAmong(rounds.map((round) => p99(round.service) / p99(bareIn(round))));
}
