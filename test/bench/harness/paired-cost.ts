/** The processor time of a service for each look-up, two services in turn. Only their difference is meaningful. */
import { readFileSync } from 'node:fs';
import { company } from '../../front/http/app-in-memory.ts';
import type { Served } from '../../support/serve.ts';

const connections = 64;
const ticksPerSecond = 100;
const warmUpSeconds = 3;

interface Load {
  readonly requests: { readonly total: number };
  readonly non2xx: number;
  readonly errors: number;
}

/** CPU seconds that a process has used, all of its threads together. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** CPU microseconds of the service for each request, under load from another process. */
async function measure({ url, pid }: Served, duration: number): Promise<number> {
  const before = cpuSeconds(pid);
  const generator = Bun.spawn(
    [
      process.execPath,
      'node_modules/autocannon/autocannon.js',
      ...['--json', '-c', String(connections), '-d', String(duration), `${url}${company.path}`],
    ],
    { stdout: 'pipe', stderr: 'ignore' },
  );
  const load: Load = JSON.parse(await generator.stdout.text());
  if (load.requests.total === 0 || load.non2xx + load.errors > 0)
    throw new Error('Some requests failed: the figures would say nothing.');
  return ((cpuSeconds(pid) - before) / load.requests.total) * 1e6;
}

/**
 * Other work on the machine only ever adds to a round, so the lower quartiles of many short rounds are compared.
 * @returns microseconds for each look-up
 */
export async function pairedCost(
  bare: Served,
  other: Served,
  rounds: number,
  seconds: number,
): Promise<{ readonly bare: number; readonly other: number }> {
  for (const service of [bare, other]) await measure(service, warmUpSeconds);
  const costs: Record<'bare' | 'other', number[]> = { bare: [], other: [] };
  for (let round = 1; round <= rounds; round++) {
    // The order changes from round to round, so that a machine that slows down favours neither.
    const order = [['bare', bare] as const, ['other', other] as const];
    if (round % 2 === 0) order.reverse();
    for (const [name, service] of order) costs[name].push(await measure(service, seconds));
  }
  return { bare: lowerQuartile(costs.bare), other: lowerQuartile(costs.other) };
}

function lowerQuartile(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 4)] ?? 0;
}
