/**
 * Measures with a closed loop: each connection asks again as soon as it has its answer. This shows the capacity of a
 * server. The latencies are too low, since a slow answer also delays the next question (see open-loop.ts). It uses wrk,
 * which takes the least processor time, or else the project's own generator.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Busy, busyBetween, threadTimes, typicalBusy } from './busy-threads.ts';
import { closedLoopBy, type Generators, oneGenerator } from './generators.ts';
import { bucketPercentile } from './latency-buckets.ts';
import { median } from './median.ts';
import { runToEnd, type Server, undoAtEnd, untilIdle, usageOf } from './processes.ts';
import type { Ask } from './questions.ts';

export interface ClosedLoopResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the server with its threads and children. */
  readonly cpuMicrosPerRequest: number;
  /** Pages for which the server waited for the disk. */
  readonly diskWaits: number;
  /** See `failuresAre`. */
  readonly failures: number;
  /** The busy share of the generator's processes: near 1, figures describe the generator. */
  readonly generatorBusy: number;
  /** The threads of the server's process. */
  readonly busy: Busy;
}

export interface ClosedLoopOptions {
  /** Length of one server's turn in a round. */
  readonly seconds: number;
  readonly rounds: number;
  /** Length of the warm-up before the first round; 1 by default. */
  readonly warmUpSeconds?: number;
  readonly connections: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Called before each turn of a server; returns the project's own generators to use, and the number of connections. By
   * default wrk is used if it is installed.
   */
  readonly askedBy?: (server: Server) => Generators & { readonly connections: number };
}

/** The definition of failures for reports: generators also count late answers as failures. */
export const failuresAre =
  'Failures are error statuses, lost connections, and answers that took longer than 2 s (than a turn where the own generator asked).';

/** The results of one round, in the order of the servers. */
export type Round = readonly ClosedLoopResult[];

/**
 * Measures servers in turn, round after round, so that other work of the machine affects all alike. Warms each up
 * before the first round.
 */
export async function inTurn(
  servers: readonly Server[],
  asks: readonly Ask[],
  options: ClosedLoopOptions,
): Promise<readonly Round[]> {
  const run = options.askedBy !== undefined || Bun.which('wrk') === null ? withOwn : withWrk;
  for (const server of servers) {
    await run(server, asks, { ...options, seconds: options.warmUpSeconds ?? 1 });
    await untilIdle(server);
  }
  const rounds: Round[] = [];
  for (let count = 0; count < options.rounds; count++) {
    const round: ClosedLoopResult[] = [];
    for (const server of servers) {
      round.push(await measured(server, run, asks, options));
      await untilIdle(server);
    }
    rounds.push(round);
  }
  return rounds;
}

async function measured(
  server: Server,
  run: typeof withWrk,
  asks: readonly Ask[],
  options: ClosedLoopOptions,
): Promise<ClosedLoopResult> {
  const [before, threadsBefore] = [usageOf(server), threadTimes(server.pid)];
  const { requests, ...result } = await run(server, asks, options);
  const [after, threadsAfter] = [usageOf(server), threadTimes(server.pid)];
  return {
    ...result,
    busy: busyBetween(threadsBefore, threadsAfter, options.seconds),
    cpuMicrosPerRequest: ((after.cpuSeconds - before.cpuSeconds) * 1e6) / Math.max(1, requests),
    diskWaits: after.diskWaits - before.diskWaits,
  };
}

/** The median of each figure over all rounds; the sum of failures and disk waits. */
export function typical(rounds: readonly Round[], server: number): ClosedLoopResult {
  const results = rounds.flatMap((round) => round[server] ?? []);
  const middle = (pick: (result: ClosedLoopResult) => number) => median(results.map(pick));
  const sum = (pick: (result: ClosedLoopResult) => number) =>
    results.reduce((total, result) => total + pick(result), 0);
  return {
    perSecond: middle(({ perSecond }) => perSecond),
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
    cpuMicrosPerRequest: middle(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest),
    diskWaits: sum(({ diskWaits }) => diskWaits),
    failures: sum(({ failures }) => failures),
    generatorBusy: middle(({ generatorBusy }) => generatorBusy),
    busy: typicalBusy(results.map(({ busy }) => busy)),
  };
}

export interface Ratio {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/**
 * The ratio of a figure of one server to that of another, within each round.
 * @param pick the figure; by default the requests per second
 */
export function ratioOf(
  rounds: readonly Round[],
  server: number,
  other: number,
  pick: (result: ClosedLoopResult) => number = ({ perSecond }) => perSecond,
): Ratio {
  const figureOf = (result: ClosedLoopResult | undefined) =>
    result === undefined ? Number.NaN : pick(result);
  return ratioAmong(rounds.map((round) => figureOf(round[server]) / figureOf(round[other])));
}

/** The median of the ratios of several rounds, with their range. */
export function ratioAmong(ratios: readonly number[]): Ratio {
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}

type Run = Omit<ClosedLoopResult, 'cpuMicrosPerRequest' | 'diskWaits' | 'busy'> & {
  readonly requests: number;
};

/** A script with ready requests, which costs wrk next to nothing. */
const script = `
local requests = {}
function init(args)
  for line in io.lines(args[1]) do requests[#requests + 1] = wrk.format("GET", line) end
end
local next = 0
function request()
  next = next % #requests + 1
  return requests[next]
end
function done(summary, latency)
  io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout))
end
`;

async function withWrk(server: Server, asks: readonly Ask[], options: ClosedLoopOptions): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'lei-wrk-'));
  const remove = () => rmSync(folder, { recursive: true });
  const removed = undoAtEnd(remove);
  try {
    const [paths, lua] = [join(folder, 'paths'), join(folder, 'requests.lua')];
    writeFileSync(paths, asks.map(({ path }) => path).join('\n'));
    writeFileSync(lua, script);
    const headers = Object.entries(options.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const load = ['-t', '1', '-c', String(options.connections), '-d', `${options.seconds}s`];
    const { output, cpuSeconds } = await runToEnd([
      'wrk',
      ...load,
      ...headers,
      '-s',
      lua,
      server.url,
      '--',
      paths,
    ]);
    const found = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(output);
    if (found === null) throw new Error(`wrk said nothing of use:\n${output}`);
    const [requests = 0, micros = 1, p50 = 0, p99 = 0, failures = 0] = found.slice(1).map(Number);
    const perSecond = (requests * 1e6) / micros;
    const generatorBusy = (cpuSeconds * 1e6) / micros;
    return { requests, perSecond, p50Ms: p50 / 1000, p99Ms: p99 / 1000, failures, generatorBusy };
  } finally {
    remove();
    removed();
  }
}

async function withOwn(server: Server, asks: readonly Ask[], options: ClosedLoopOptions): Promise<Run> {
  const { seconds, headers } = options;
  const { connections, ...generators } = options.askedBy?.(server) ?? { ...oneGenerator, ...options };
  const paths = asks.map(({ path }) => path);
  const result = await closedLoopBy(generators, {
    baseUrl: server.url,
    headers,
    paths,
    connections,
    seconds,
  });
  return {
    requests: result.requests,
    perSecond: result.requests / result.seconds,
    p50Ms: bucketPercentile(result.latencies, 0.5) ?? Number.NaN,
    p99Ms: bucketPercentile(result.latencies, 0.99) ?? Number.NaN,
    failures: result.failures,
    generatorBusy: result.cpuSeconds / result.seconds / generators.processes,
  };
}
