/** Runs the scenarios over the service: start, steady, ramp, spike, swap under load, quota edge, memory. */
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount, leiJson } from '../support/run-lei.ts';
import { type BenchData, filesIn, lei, startService } from './harness/data.ts';
import { memoryOf, runToEnd, type Server } from './harness/processes.ts';
import { type Ask, createQuestions } from './harness/questions.ts';
import { figure, linePlot, type Report } from './harness/report.ts';
import {
  runDuring,
  runQuotaEdge,
  runStage,
  runTimetable,
  type StageResult,
  type Target,
} from './scenarios.ts';

export interface EnduranceOptions {
  readonly seconds: number;
  /** Requests per second in the steady part. */
  readonly rate: number;
}

export async function benchScenarios(
  data: BenchData,
  report: Report,
  options: EnduranceOptions,
): Promise<void> {
  report.heading('Scenarios');
  const questions = createQuestions(data.entities, data.seed);
  await starts(data, questions['look-up'][0], report);
  const next = await nextDay(data);
  const service = await startService(data);
  try {
    const target: Target = {
      url: service.url,
      headers: { Authorization: `Bearer ${data.key}` },
      asks: questions.mix,
    };
    await timetabled(target, report, options);
    await swap(data, target, next, report, options);
    await quotaEdge(data, target, report);
    await longRun(service, target, report, options);
  } finally {
    await service.stop();
  }
}

const dropCaches = '/proc/sys/vm/drop_caches';

/** Starts twice: with program and data out of memory, if this machine allows that, and with both in memory. */
async function starts(data: BenchData, ask: Ask | undefined, report: Report): Promise<void> {
  if (ask === undefined) return;
  const mayForget = process.getuid?.() === 0 && existsSync(dropCaches);
  if (mayForget) writeFileSync(dropCaches, '3');
  await start(mayForget ? 'Start with no file in memory' : 'First start', data, ask, report);
  await start('Start with the files in memory', data, ask, report);
}

async function start(label: string, data: BenchData, ask: Ask, report: Report): Promise<void> {
  const started = performance.now();
  const service = await startService(data);
  try {
    const headers = { Authorization: `Bearer ${data.key}` };
    const response = await fetch(service.url + ask.path, { headers });
    const body = await response.text();
    const firstAnswerMs = performance.now() - started;
    if (!body.includes(ask.proof)) throw new Error(`${ask.path} was answered ${response.status}: ${body}`);
    const { privateMb, residentMb } = memoryOf(service.pid);
    report.text(
      `${label}: ${figure(firstAnswerMs)} ms from the start of the process to the first answer (${response.status}). The process then has ${figure(privateMb)} MB of private memory (${figure(residentMb)} MB resident with mapped data) and one query thread.`,
    );
  } finally {
    await service.stop();
  }
}

function stageRow(result: StageResult) {
  const answers = Object.entries({ ...result.statuses, ...result.lost });
  return [
    result.label,
    figure(result.perSecond),
    figure(result.p50Ms),
    figure(result.p99Ms),
    figure(result.mostMs),
    figure(result.slipP99Ms),
    answers.map(([answer, count]) => `${count} × ${answer}`).join(', '),
    result.wrong,
    result.failed,
  ];
}
const stageHeader = [
  'Scenario',
  'Requests /s',
  'p50 ms',
  'p99 ms',
  'Longest ms',
  'Slip p99 ms',
  'Answers',
  'Wrong',
  'Failed',
];

function stageTable(report: Report, results: readonly StageResult[]): void {
  report.table(stageHeader, results.map(stageRow));
  for (const { wrong } of results) report.wrongAnswers += wrong;
}

async function timetabled(
  target: Target,
  report: Report,
  { rate, seconds }: EnduranceOptions,
): Promise<void> {
  const results: StageResult[] = [];
  for (const name of ['steady', 'ramp', 'spike'] as const) {
    results.push(...(await runTimetable(target, name, rate, seconds)));
  }
  report.text(
    'A realistic mix of requests leaves on a timetable (open loop). Every answer is checked: it must be about what was asked, be complete, and always be the same under one entity tag. Slip is how late the generator was. A latency close to the slip measures the generator.',
  );
  stageTable(report, results);
}

/** Builds a second publication with the product's own delta load of the generated next day. */
async function nextDay(data: BenchData): Promise<string> {
  const known = join(data.dataDir, 'bench-next-day');
  if (existsSync(known)) return (await Bun.file(known).text()).trim();
  const files = join(data.folder, 'delta');
  rmSync(files, { recursive: true, force: true });
  const size = ['--entities', String(data.entities), '--seed', String(data.seed)];
  await runToEnd(lei('generate', ...size, '--delta', '--out', files));
  const { code, json, stderr } = await leiJson(
    data.dataDir,
    'load',
    '--delta',
    '--no-activate',
    ...filesIn(files),
  );
  const id = /"id":"([^"]+)"/.exec(JSON.stringify(json))?.[1];
  if (code !== 0 || id === undefined) throw new Error(`the delta did not load: ${stderr}`);
  rmSync(files, { recursive: true });
  await Bun.write(known, id);
  return id;
}

/** The swap must end before the load beside it. */
const swapSecondsLeast = 6;

async function swap(
  data: BenchData,
  target: Target,
  next: string,
  report: Report,
  { rate, seconds }: EnduranceOptions,
): Promise<void> {
  const before = await activeId(target);
  const activate = async (id: string) => {
    await runToEnd(lei('activate', id), { LEI_DATA_DIR: data.dataDir });
  };
  const load = { rate, seconds: Math.max(seconds, swapSecondsLeast) };
  const there = await runDuring(target, 'swap', load, () => activate(next));
  const during = await activeId(target);
  const back = await runDuring(target, 'swap back', load, () => activate(before));
  report.text(
    `Swap under load: \`lei activate\` switches to the next day's publication and back while the service gets ${rate} requests a second. The two swaps took ${figure(there.happeningSeconds)} s and ${figure(back.happeningSeconds)} s; ${during === next ? 'the new publication answered' : 'the new publication did NOT answer'}.`,
  );
  stageTable(report, [there, back]);
}

async function activeId(target: Target): Promise<string> {
  const response = await fetch(`${target.url}/api/v1/status`);
  return /"datasetVersion":"([^"]+)"/.exec(await response.text())?.[1] ?? '';
}

async function quotaEdge(data: BenchData, target: Target, report: Report): Promise<void> {
  const email = `quota-${randomUUID()}@example.com`;
  const burst = ['--burst-lookup', '1000000', '--burst-search', '1000000'];
  const { secret } = await createAccount(data.dataDir, email, '--daily', '500', ...burst);
  const result = await runQuotaEdge({ ...target, headers: { Authorization: `Bearer ${secret}` } });
  report.wrongAnswers += result.wrong + result.failed;
  report.text(
    `Quota edge: an account with 500 requests a day uses 16 connections at once. After the first answer ${result.left} requests were left. Of ${result.left + 50} more requests ${result.succeeded} succeeded and ${result.refused} were refused with 429 and Retry-After (${result.wrong} answers were wrong; the number that succeeded differed by ${result.failed} from the number left).`,
  );
}

/** Private memory during a steady load, which must not grow. */
async function longRun(
  service: Server,
  target: Target,
  report: Report,
  { rate, seconds }: EnduranceOptions,
): Promise<void> {
  const points: [number, number][] = [];
  const started = performance.now();
  const stages = 8;
  for (let stage = 0; stage < stages; stage++) {
    await runStage(target, 'long run', { seconds, from: rate, to: rate });
    points.push([(performance.now() - started) / 1000, memoryOf(service.pid).privateMb]);
  }
  report.text('Private memory of the whole process (heaps and stacks of all threads) during a steady load.');
  report.table(
    ['Seconds', 'Private MB'],
    points.map(([at, mb]) => [figure(at), figure(mb)]),
  );
  report.plot(
    'memory',
    'Private memory',
    linePlot('Private memory under steady load', 'MB', { label: 'seconds', logarithmic: false }, [
      { label: 'service', points },
    ]),
  );
}
