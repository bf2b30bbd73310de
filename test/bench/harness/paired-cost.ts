/** Measures the processor time of two services per look-up, in turn. Only their difference is meaningful. */
import { readFileSync } from 'node:fs';
import { company } from '../../http/app-in-memory.ts';
import type { Served } from '../../support/serve.ts';
import { runToEnd } from './processes.ts';

const ticksPerSecond = 100;
const warmUpSeconds = 3;

/** Processor time per look-up, in microseconds. */
export interface Cost {
  /** Of all threads of the service. */
  readonly whole: number;
  /** Of its main thread, which is the front if there is only one. */
  readonly front: number;
}

/** CPU microseconds that a process has used. */
function used(pid: number): Cost {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return {
    whole: ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6,
    front: Number(nanoseconds) / 1e3,
  };
}

/** The service's cost per request for a path, under load from wrk. */
export async function measure(
  { url, pid }: Pick<Served, 'url' | 'pid'>,
  path: string,
  connections: number,
  seconds: number,
): Promise<Cost> {
  const load = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`];
  const before = used(pid);
  const { output } = await runToEnd(['wrk', ...load, `${url}${path}`]);
  const after = used(pid);
  const requests = requestsIn(output, /Non-2xx|Socket errors/);
  return { whole: (after.whole - before.whole) / requests, front: (after.front - before.front) / requests };
}

/**
 * The number of requests that wrk reports.
 * @param failed matches a report of failed requests
 * @throws if there is none, or some failed: the figures would be meaningless
 */
export function requestsIn(output: string, failed: RegExp): number {
  const requests = Number(/(\d+) requests in/.exec(output)?.[1] ?? 0);
  if (requests === 0 || failed.test(output))
    throw new Error(`Some requests failed, and the figures would say nothing:\n${output}`);
  return requests;
}

/**
 * Other work on the machine only ever adds to a round, so the lower quartiles of many short rounds are compared.
 * @param connections that ask at once
 */
export async function pairedCost(
  bare: Served,
  other: Served,
  rounds: number,
  seconds: number,
  connections = 64,
): Promise<{ readonly bare: Cost; readonly other: Cost }> {
  for (const service of [bare, other]) await measure(service, company.path, connections, warmUpSeconds);
  const costs: Record<'bare' | 'other', Cost[]> = { bare: [], other: [] };
  for (let round = 1; round <= rounds; round++) {
    // The order changes from round to round, so that a slowing machine favours neither.
    const order = [['bare', bare] as const, ['other', other] as const];
    if (round % 2 === 0) order.reverse();
    for (const [name, service] of order)
      costs[name].push(await measure(service, company.path, connections, seconds));
  }
  return { bare: lowerQuartiles(costs.bare), other: lowerQuartiles(costs.other) };
}

function lowerQuartiles(costs: readonly Cost[]): Cost {
  const quartile = (of: (cost: Cost) => number) =>
    costs.map(of).sort((one, other) => one - other)[Math.floor(costs.length / 4)] ?? 0;
  return { whole: quartile(({ whole }) => whole), front: quartile(({ front }) => front) };
}
