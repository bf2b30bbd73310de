/**
 * Compares the whole service with servers that answer from memory, to show the cost of each of its parts. First checks
 * that all servers answer the same bytes.
 */
import { join } from 'node:path';
import { type HalfCapacity, halfCapacityTable, measureHalfCapacity } from './half-capacity.ts';
import { busyAre, busyCells, roles } from './harness/busy-threads.ts';
import { captureAnswers } from './harness/capture-answers.ts';
import {
  type ClosedLoopResult,
  failuresAre,
  inTurn,
  type Ratio,
  ratioOf,
  typical,
} from './harness/closed-loop.ts';
import { type BenchData, startBenchServer, startService } from './harness/data.ts';
import type { Server } from './harness/processes.ts';
import { createQuestions, type Kind, kinds, type Questions } from './harness/questions.ts';
import { barPlot, figure, type Report, spread } from './harness/report.ts';

export interface LookupOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: number;
}

interface Measured {
  readonly kind: Kind;
  readonly service: ClosedLoopResult;
  readonly bare: ClosedLoopResult;
  readonly ratio: Ratio;
  /** Null for a kind without a latency of its own in the report. */
  readonly half: HalfCapacity | null;
}

export async function benchLookup(data: BenchData, report: Report, options: LookupOptions): Promise<void> {
  const questions = createQuestions(data.entities, data.seed);
  const headers = { Authorization: `Bearer ${data.key}` };
  const service = await startService(data);
  const capturedPath = join(data.folder, 'captured.json');
  await captureAnswers(service, Object.values(questions).flat(), headers, capturedPath);
  const bare = await startBenchServer('bare', capturedPath);
  try {
    await compare(service, bare, questions, headers);
    report.heading('The whole path against a bare server');
    const measured = await measure(service, bare, questions, { ...options, headers });
    closedTables(report, measured, options);
    halfCapacityTable(
      report,
      measured.flatMap(({ half }) => half ?? []),
    );
  } finally {
    await Promise.all([service.stop(), bare.stop()]);
  }
  await whereItGoes(data, report, capturedPath, questions, { ...options, headers });
}

type WithHeaders = LookupOptions & { readonly headers: Readonly<Record<string, string>> };

async function compare(
  service: Server,
  other: Server,
  questions: Questions,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  for (const kind of kinds) {
    for (const { path } of questions[kind].slice(0, 50)) {
      const [left, right] = await Promise.all(
        [service, other].map(async ({ url }) => (await fetch(url + path, { headers })).text()),
      );
      if (left !== right) throw new Error(`${other.name} answers ${path} differently from ${service.name}`);
    }
  }
}

/** The kinds of questions whose latency is measured too. */
const timed: ReadonlySet<Kind> = new Set(['look-up', 'search', 'mix']);

async function measure(
  service: Server,
  bare: Server,
  questions: Questions,
  options: WithHeaders,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const kind of kinds) {
    const rounds = await inTurn([service, bare], questions[kind], options);
    const [serviceReached, bareReached] = [typical(rounds, 0), typical(rounds, 1)];
    const rivals = { service, bare, serviceReached, bareReached };
    const half = timed.has(kind) ? await measureHalfCapacity(kind, rivals, questions[kind], options) : null;
    const ratio = ratioOf(rounds, 0, 1);
    measured.push({ kind, service: serviceReached, bare: bareReached, ratio, half });
  }
  return measured;
}

function closedTables(
  report: Report,
  measured: readonly Measured[],
  { rounds, seconds }: LookupOptions,
): void {
  report.text(
    'In this closed loop each connection sends the next request as soon as it has an answer. The service enforces limits, and every request has a real key. The bare server answers the same bytes from memory with two headers.',
    `The two servers take turns of ${seconds} s in ${rounds} rounds. Every figure is the median of the rounds. The ratio is made within each round, with the lowest and the highest in brackets. Compare the ratios: absolute figures change with the machine. Disk waits are the pages that the service had to read from disk in all rounds. Many of them mean that the kernel had evicted the publication from memory. ${failuresAre}`,
  );
  report.table(
    [
      'Question',
      'Service /s',
      'Bare /s',
      'Ratio',
      'Service p99 ms',
      'Bare p99 ms',
      'Service CPU µs',
      'Bare CPU µs',
      'Disk waits',
      'Failures',
    ],
    measured.map(({ kind, service, bare, ratio }) => [
      kind,
      figure(service.perSecond),
      figure(bare.perSecond),
      spread(ratio),
      figure(service.p99Ms),
      figure(bare.p99Ms),
      figure(service.cpuMicrosPerRequest),
      figure(bare.cpuMicrosPerRequest),
      service.diskWaits,
      service.failures + bare.failures,
    ]),
  );
  report.text(busyAre);
  report.table(
    ['Question', ...roles],
    measured.map(({ kind, service }) => [kind, ...busyCells(service.busy)]),
  );
  const bars = measured.map(({ kind, ratio }) => ({ label: kind, value: ratio.median }));
  report.plot(
    'ratio',
    'Requests per second',
    barPlot('Requests per second, as a share of bare Bun.serve', '', bars),
  );
}

/** Measures the same look-ups through more and more parts of the service, each compared with the bare server. */
async function whereItGoes(
  data: BenchData,
  report: Report,
  capturedPath: string,
  questions: Questions,
  options: WithHeaders,
): Promise<void> {
  report.heading('Where the time of a look-up goes');
  report.text(
    'Each server is compared with the bare server in rounds of its own, as above. The first has no part of the service, but answers as the service must: asynchronously, with its thirteen headers, four of them new in every answer.',
  );
  const starts: readonly (readonly [string, () => Promise<Server>])[] = [
    ['Bun alone, later, with all headers', () => startBenchServer('dressed', capturedPath)],
    ['Elysia, two headers', () => startBenchServer('elysia', capturedPath)],
    ['the whole front without dispatch', () => startBenchServer('front', capturedPath, data.dataDir)],
    ['the service with LEI_LIMITS=off', () => startService(data, { LEI_LIMITS: 'off' })],
    ['the service', () => startService(data)],
  ];
  const bare = await startBenchServer('bare', capturedPath);
  const rows: (string | number)[][] = [];
  try {
    for (const [label, start] of starts) {
      const server = await start();
      try {
        const rounds = await inTurn([server, bare], questions['look-up'], options);
        const result = typical(rounds, 0);
        rows.push([
          label,
          figure(result.perSecond),
          spread(ratioOf(rounds, 0, 1)),
          figure(result.p99Ms),
          figure(result.cpuMicrosPerRequest),
          figure(typical(rounds, 1).cpuMicrosPerRequest),
          result.failures,
        ]);
      } finally {
        await server.stop();
      }
    }
  } finally {
    await bare.stop();
  }
  report.table(
    ['Server', 'Requests /s', 'Ratio to bare', 'p99 ms', 'CPU µs a request', 'Bare CPU µs', 'Failures'],
    rows,
  );
}
