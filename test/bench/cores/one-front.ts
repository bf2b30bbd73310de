/**
 * Measures what more query threads cost one front. Look-ups must be no slower (they all go to one thread as long as it
 * keeps up), searches no more expensive, and memory must stay within what a thread may take.
 */
import { inTurn, type Round, ratioOf, typical } from '../harness/closed-loop.ts';
import type { BenchData } from '../harness/data.ts';
import { memoryOf, type Server } from '../harness/processes.ts';
import { figure, type Report, spread } from '../harness/report.ts';
import { startServicesBeside } from '../harness/services-beside.ts';
import { askedWith } from './asking.ts';
import { type Setting, stopAll } from './bench.ts';
import { type MeasuredKind, threadsOfOneFront } from './rows.ts';

/**
 * Private memory in MB that a service may take under full load: of three threads or more, each has garbage of its own.
 */
const allowedMb = (fronts: number, workers: number) =>
  fronts + workers >= 3 ? 150 + 100 * (fronts + workers) : 190;
const memoryLookMs = 100;
/** Long enough for each of eight threads to compile what it runs. */
const warmUpSeconds = 8;

export async function oneFront(report: Report, data: BenchData, setting: Setting): Promise<void> {
  const services = await startServicesBeside(
    data,
    threadsOfOneFront.map((threads) => ({ LEI_FRONTS: '1', LEI_WORKERS: String(threads) })),
  );
  try {
    const measured = {
      'look-up': await rounds('look-up', services, setting),
      search: await rounds('search', services, setting),
    };
    report.heading('One front, more query threads');
    report.text(
      'The same front with more query threads, in turn, 64 connections. A thread without work sleeps, so look-ups should cost the same in every row.',
    );
    for (const kind of ['look-up', 'search'] as const) costs(report, kind, measured[kind]);
    await memory(report, services, setting);
  } finally {
    await stopAll(services);
  }
}

function rounds(
  kind: MeasuredKind,
  services: readonly Server[],
  setting: Setting,
): Promise<readonly Round[]> {
  const askedBy = askedWith(setting, kind, []);
  return inTurn(services, setting.questions[kind], {
    ...setting,
    warmUpSeconds,
    connections: 64,
    askedBy,
  });
}

function costs(report: Report, kind: MeasuredKind, measured: readonly Round[]): void {
  report.table(
    [`${kind}: query threads`, '/s', 'To one thread', 'CPU µs', 'CPU to one thread', 'p99 ms', 'Failures'],
    threadsOfOneFront.map((threads, index) => {
      const { perSecond, cpuMicrosPerRequest, p99Ms, failures } = typical(measured, index);
      return [
        threads,
        figure(perSecond),
        spread(ratioOf(measured, index, 0)),
        figure(cpuMicrosPerRequest),
        spread(ratioOf(measured, index, 0, ({ cpuMicrosPerRequest: cpu }) => cpu)),
        figure(p99Ms),
        failures,
      ];
    }),
  );
}

/** The most private memory of each service while it answers the mix as fast as it can. */
async function memory(report: Report, services: readonly Server[], setting: Setting): Promise<void> {
  const cells: (string | number)[][] = [];
  for (const [index, service] of services.entries()) {
    const threads = threadsOfOneFront[index] ?? 1;
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, memoryOf(service.pid).privateMb)), memoryLookMs);
    await rounds('mix', [service], setting);
    clearInterval(watch);
    cells.push([threads, figure(most), figure(allowedMb(1, threads))]);
  }
  report.text(
    'Private memory (`Anonymous` of the process) while 64 connections ask for the mix as fast as it goes, with the settings of the engine that the service has by default (a heap growth of 0.6). A service of three threads or more, its front among them, may take 150 MB and 100 MB a thread:',
  );
  report.table(['Query threads', 'Most private MB', 'May take MB'], cells);
}
