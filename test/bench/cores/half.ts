/** Measures the latency of the last row at half of its capacity, beside as many bare servers at half of theirs. */
import { type ClosedLoopResult, type Ratio, ratioAmong } from '../harness/closed-loop.ts';
import { type OpenLoopSum, openLoopBy } from '../harness/generators.ts';
import { bucketPercentile } from '../harness/latency-buckets.ts';
import { median } from '../harness/median.ts';
import type { Server } from '../harness/processes.ts';
import { figure, type Report, spread } from '../harness/report.ts';
import { askedWith } from './asking.ts';
import type { Setting } from './bench.ts';
import { nameOf } from './rows.ts';
import type { Top } from './scaling.ts';

/** Requests per second that one process of the open-loop generator can send, with its checks of every answer. */
const rateOfOneMost = 40_000;
const warmUpSeconds = 1;
const connectionsPerGenerator = 64;
const outstandingMost = 4_096;

export async function latencyAtHalf(report: Report, tops: readonly Top[], setting: Setting): Promise<void> {
  report.heading('Latency at half of capacity');
  report.text(
    `This open loop uses the configuration of the last row. Requests leave on a timetable, at half of the rate that each server reached above, and latency counts from the timetable. The generator checks every answer; each of its processes sends at most ${rateOfOneMost.toLocaleString('en')} requests a second. Slip is how late the generator was. Figures are medians of the rounds.`,
  );
  const rows: (string | number)[][] = [];
  const ratios: [string, string][] = [];
  for (const top of tops) {
    const name = `${top.kind}, ${nameOf(top.pair.row)}`;
    const [service, bare]: [OpenLoopSum[], OpenLoopSum[]] = [[], []];
    for (let round = 0; round < setting.rounds; round++) {
      bare.push(await turn(top, top.pair.bare, top.bare, setting));
      service.push(await turn(top, top.pair.service, top.service, setting));
    }
    rows.push(cells(`${name}, bare`, bare), cells(`${name}, service`, service));
    ratios.push([name, spread(ratioOfP99(service, bare))]);
    report.wrongAnswers += service.reduce((sum, { wrong }) => sum + wrong, 0);
  }
  report.table(['Question', 'Rate /s', 'p50 ms', 'p99 ms', 'Slip p99 ms', 'Wrong or failed'], rows);
  report.table(['Question', "The service's p99 by that of the bare servers"], ratios);
}

function turn(
  { kind, pair }: Top,
  server: Server,
  { perSecond }: ClosedLoopResult,
  setting: Setting,
): Promise<OpenLoopSum> {
  const { processes, cores } = askedWith(setting, kind, [pair])(server);
  const rate = Math.max(processes, Math.round(Math.min(perSecond / 2, processes * rateOfOneMost)));
  return openLoopBy(
    { processes, cores },
    {
      baseUrl: server.url,
      headers: setting.headers,
      asks: setting.questions[kind].map(({ path, proof }) => ({ path, proof })),
      stretches: [{ seconds: warmUpSeconds + setting.seconds, from: rate, to: rate }],
      warmUpSeconds,
      outstandingMost,
      connectionsMost: connectionsPerGenerator * processes,
    },
  );
}

function cells(label: string, turns: readonly OpenLoopSum[]): (string | number)[] {
  const middle = (pick: (each: OpenLoopSum) => number | null) =>
    figure(median(turns.map((each) => pick(each) ?? Number.NaN)));
  return [
    label,
    middle(({ perSecond }) => perSecond),
    middle(({ latencies }) => bucketPercentile(latencies, 0.5)),
    middle(p99),
    middle(({ slips }) => bucketPercentile(slips, 0.99)),
    turns.reduce((sum, { wrong, failed }) => sum + wrong + failed, 0),
  ];
}

function p99({ latencies }: OpenLoopSum): number {
  return bucketPercentile(latencies, 0.99) ?? Number.NaN;
}

function ratioOfP99(service: readonly OpenLoopSum[], bare: readonly OpenLoopSum[]): Ratio {
  return ratioAmong(
    service.map((each, round) => {
      const beside = bare[round];
      return beside === undefined ? Number.NaN : p99(each) / p99(beside);
    }),
  );
}
