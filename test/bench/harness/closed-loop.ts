/**
 * Closed loop: each connection asks again as soon as it has its answer. It shows the capacity of a server. Its latencies
 * are too good, since a slow answer also delays the next question (see open-loop.ts). Uses wrk, which takes the least
 * processor time, or else autocannon.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
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
}

export interface ClosedLoopOptions {
  /** Length of one server's turn in a round. */
  readonly seconds: number;
  readonly rounds: number;
  /** Length of the warm-up before the first round; 1 by default. */
  readonly warmUpSeconds?: number;
  readonly connections: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The definition of failures for reports: generators also count late answers as failures. */
export const failuresAre =
  'Failures are error statuses, lost connections, and answers that took longer than 2 s (10 s where autocannon asked).';

/** The results of one round, in the order of the servers. */
export type Round = readonly ClosedLoopResult[];

/**
 * Measures servers in turn, round after round, so that other work of the machine affects all alike. Warms each up before
 * the first round.
 */
export async function inTurn(
  servers: readonly Server[],
  asks: readonly Ask[],
  options: ClosedLoopOptions,
): Promise<readonly Round[]> {
  for (const server of servers) {
    await load(server, asks, { ...options, seconds: options.warmUpSeconds ?? 1 });
    await untilIdle(server);
  }
  const rounds: Round[] = [];
  for (let count = 0; count < options.rounds; count++) {
    const round: ClosedLoopResult[] = [];
    for (const server of servers) {
      round.push(await measured(server, asks, options));
      await untilIdle(server);
    }
    rounds.push(round);
  }
  return rounds;
}

async function measured(
  server: Server,
  asks: readonly Ask[],
  options: ClosedLoopOptions,
): Promise<ClosedLoopResult> {
  const before = usageOf(server);
  const { requests, ...result } = await load(server, asks, options);
  const after = usageOf(server);
  return {
    ...result,
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
  };
}

export interface Ratio {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** The ratio of requests per second of one server to those of another, within each round. */
export function ratioOf(rounds: readonly Round[], server: number, other: number): Ratio {
  const ratios = rounds.map(
    (round) => (round[server]?.perSecond ?? Number.NaN) / (round[other]?.perSecond ?? Number.NaN),
  );
  return ratioAmong(ratios);
}

/** The median of the ratios of several rounds, with their range. */
export function ratioAmong(ratios: readonly number[]): Ratio {
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}

/** The median; NaN where a value is missing, since a median of the others would hide that. */
export function median(values: readonly number[]): number {
  if (values.some(Number.isNaN)) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

type Run = Omit<ClosedLoopResult, 'cpuMicrosPerRequest' | 'diskWaits'> & { readonly requests: number };
type Target = Pick<Server, 'url'>;
type Load = Omit<ClosedLoopOptions, 'rounds'>;

/** Loads one server for some seconds. */
export function load(server: Target, asks: readonly Pick<Ask, 'path'>[], options: Load): Promise<Run> {
  return (Bun.which('wrk') === null ? withAutocannon : withWrk)(server, asks, options);
}

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

async function withWrk(server: Target, asks: readonly Pick<Ask, 'path'>[], options: Load): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'lei-wrk-'));
  const remove = () => rmSync(folder, { recursive: true });
  const removed = undoAtEnd(remove);
  try {
    const [paths, lua] = [join(folder, 'paths'), join(folder, 'requests.lua')];
    writeFileSync(paths, asks.map(({ path }) => path).join('\n'));
    writeFileSync(lua, script);
    const headers = Object.entries(options.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const words = ['-t', '1', '-c', String(options.connections), '-d', `${options.seconds}s`];
    const { output } = await runToEnd(['wrk', ...words, ...headers, '-s', lua, server.url, '--', paths]);
    const found = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(output);
    if (found === null) throw new Error(`wrk said nothing of use:\n${output}`);
    const [requests = 0, micros = 1, p50 = 0, p99 = 0, failures = 0] = found.slice(1).map(Number);
    const perSecond = (requests * 1e6) / micros;
    return { requests, perSecond, p50Ms: p50 / 1000, p99Ms: p99 / 1000, failures };
  } finally {
    remove();
    removed();
  }
}

async function withAutocannon(
  server: Target,
  asks: readonly Pick<Ask, 'path'>[],
  options: Load,
): Promise<Run> {
  const result = await autocannon({
    url: server.url,
    connections: options.connections,
    duration: options.seconds,
    headers: { ...options.headers },
    requests: asks.map(({ path }) => ({ method: 'GET' as const, path })),
  });
  return {
    requests: result.requests.total,
    perSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    // Its errors include its timeouts.
    failures: result.non2xx + result.errors,
  };
}
