/**
 * Closed loop: so many connections, each asking again as soon as it is answered. It shows what a server can do at
 * most; its latencies are flattering, since a slow answer also slows the asking (see open-loop.ts).
 * wrk where it is installed, since it costs least beside the server; autocannon from the registry otherwise.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { cpuSecondsOf, runToEnd, type Server } from './processes.ts';
import type { Ask } from './questions.ts';

export interface ClosedLoopResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the server with its threads and children. */
  readonly cpuMicrosPerRequest: number;
  /** Answers other than 200. */
  readonly failures: number;
}

export interface ClosedLoopOptions {
  readonly seconds: number;
  readonly connections: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Warms the server up for a second, then measures. */
export async function closedLoop(
  server: Server,
  asks: readonly Ask[],
  options: ClosedLoopOptions,
): Promise<ClosedLoopResult> {
  const run = Bun.which('wrk') === null ? withAutocannon : withWrk;
  await run(server, asks, { ...options, seconds: 1 });
  const before = cpuSecondsOf(server);
  const { requests, ...result } = await run(server, asks, options);
  const cpu = cpuSecondsOf(server) - before;
  return { ...result, cpuMicrosPerRequest: (cpu * 1e6) / Math.max(1, requests) };
}

type Run = Omit<ClosedLoopResult, 'cpuMicrosPerRequest'> & { readonly requests: number };

/** Requests are written out before the run, so that the script costs wrk next to nothing. */
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
  try {
    const [paths, lua] = [join(folder, 'paths'), join(folder, 'requests.lua')];
    writeFileSync(paths, asks.map(({ path }) => path).join('\n'));
    writeFileSync(lua, script);
    const headers = Object.entries(options.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const load = ['-t', '1', '-c', String(options.connections), '-d', `${options.seconds}s`];
    const { output } = await runToEnd(['wrk', ...load, ...headers, '-s', lua, server.url, '--', paths]);
    const found = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(output);
    if (found === null) throw new Error(`wrk said nothing of use:\n${output}`);
    const [requests = 0, micros = 1, p50 = 0, p99 = 0, failures = 0] = found.slice(1).map(Number);
    const perSecond = (requests * 1e6) / micros;
    return { requests, perSecond, p50Ms: p50 / 1000, p99Ms: p99 / 1000, failures };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function withAutocannon(
  server: Server,
  asks: readonly Ask[],
  options: ClosedLoopOptions,
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
    failures: result.non2xx + result.errors + result.timeouts,
  };
}
