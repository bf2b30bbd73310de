/** Measures the capacity of the load generator, so that a reader can tell its limit from a server's. */
import { type ClosedLoopResult, inTurn, typical } from '../harness/closed-loop.ts';
import type { Server } from '../harness/processes.ts';
import { figure, type Report } from '../harness/report.ts';
import { askedWith } from './asking.ts';
import type { Pair, Setting } from './bench.ts';

/**
 * Sends look-ups to the largest number of bare servers: from all generators, from one, and from wrk if it is installed.
 */
export async function generatorCeiling(
  report: Report,
  pairs: readonly Pair[],
  setting: Setting,
): Promise<void> {
  const bare = pairs.at(-1)?.bare;
  if (bare === undefined) return;
  const asks = setting.questions['look-up'];
  const ask = (askedBy: ReturnType<typeof askedWith> | undefined) =>
    inTurn([bare], asks, { ...setting, connections: 64, ...(askedBy === undefined ? {} : { askedBy }) });
  const all = askedWith(setting, 'look-up', pairs);
  const { processes } = all(bare);
  const one = (server: Server) => ({ ...all(server), processes: 1 });
  const results: [string, number, ClosedLoopResult][] = [['own, one', 1, typical(await ask(one), 0)]];
  if (processes > 1) results.push([`own, ${processes} of them`, processes, typical(await ask(all), 0)]);
  if (Bun.which('wrk') !== null) results.push(['wrk, one thread', 1, typical(await ask(undefined), 0)]);
  report.heading('What the generator can ask');
  report.text(
    "Look-ups of the largest number of bare servers in this report. The project's own generator asks: processes that read only the status and the length of an answer.",
  );
  report.table(
    ['Generator', 'Requests /s', 'Busy, of its cores', 'Its CPU µs a request'],
    results.map(([name, count, { perSecond, generatorBusy }]) => [
      name,
      figure(perSecond),
      figure(generatorBusy),
      figure((generatorBusy * count * 1e6) / perSecond),
    ]),
  );
}
