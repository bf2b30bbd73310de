/**
 * Ready scenarios against any base URL, with every answer checked while under load, not only counted.
 *
 *     bun test/bench/scenarios.ts --url http://127.0.0.1:3000 [--key lei_live_…] [--scenario steady,ramp,spike,…]
 *         [--rate 500] [--seconds 20] [--entities 100000 --seed 1 | --paths FILE]
 *         [--during "lei activate …"]
 *
 * steady: one rate. ramp: a tenth of the rate up to all of it. spike: five times the rate for a short while.
 * quota: as many requests as are left and fifty more; exactly those that are left succeed. swap: the command of
 * `--during` runs while the rate is steady, and no request may fail.
 *
 * The questions are those of a generated data set, or paths from a file, one a line. The load comes from the
 * open-loop generator of the harness; decisions, 081, says why not from autocannon's constant rate.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openLoop, type Stretch } from './harness/open-loop.ts';
import { runToEnd } from './harness/processes.ts';
import { createQuestions } from './harness/questions.ts';

export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly asks: readonly { readonly path: string; readonly proof: string }[];
}

export interface StageResult {
  readonly label: string;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** 200s that did not hold what they must. */
  readonly wrong: number;
  /** Other statuses, answers that never came, and requests not even sent because too many were waiting. */
  readonly failed: number;
}

/** More than this waiting at once is a service that has fallen behind for good. */
const outstandingMost = 1_024;

/** Keeps to a timetable and checks every answer. */
export async function runStage(target: Target, label: string, stretch: Stretch): Promise<StageResult> {
  const { hostname, port } = new URL(target.url);
  const result = await openLoop({
    host: hostname,
    port: Number(port || 80),
    headers: target.headers,
    asks: target.asks.map(({ path, proof }) => ({ path, proof })),
    stretches: [stretch],
    outstandingMost,
  });
  return {
    label,
    perSecond: result.perSecond,
    p50Ms: result.latencyMs.p50,
    p99Ms: result.latencyMs.p99,
    mostMs: result.latencyMs.most,
    statuses: result.statuses,
    wrong: result.wrong,
    failed: result.failed,
  };
}

/** The stretches of a scenario, each measured on its own. */
function timetable(name: 'steady' | 'ramp' | 'spike', rate: number, seconds: number): Stretch[] {
  const flat = (part: number, times: number) => ({
    seconds: seconds * part,
    from: rate * times,
    to: rate * times,
  });
  if (name === 'steady') return [flat(1, 1)];
  if (name === 'ramp') return [{ seconds, from: Math.max(1, rate / 10), to: rate }];
  return [flat(0.4, 1), flat(0.2, 5), flat(0.4, 1)];
}

export async function runTimetable(
  target: Target,
  name: 'steady' | 'ramp' | 'spike',
  rate: number,
  seconds: number,
): Promise<StageResult[]> {
  const results: StageResult[] = [];
  for (const stretch of timetable(name, rate, seconds)) {
    const rates = stretch.from === stretch.to ? `${stretch.to}/s` : `${stretch.from} to ${stretch.to}/s`;
    results.push(await runStage(target, `${name}, ${rates}`, stretch));
  }
  return results;
}

/** A steady rate while something else happens. @returns the load's result and the seconds the other thing took */
export async function runDuring(
  target: Target,
  label: string,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
  happening: () => Promise<void>,
): Promise<StageResult & { readonly happeningSeconds: number }> {
  const load = runStage(target, label, { seconds, from: rate, to: rate });
  const started = performance.now();
  await happening();
  const happeningSeconds = (performance.now() - started) / 1000;
  return { ...(await load), happeningSeconds };
}

export interface QuotaResult {
  readonly left: number;
  readonly succeeded: number;
  readonly refused: number;
  /** Refusals that lacked Retry-After or the problem type. */
  readonly wrong: number;
}

/** Asks as often as the daily policy still allows and fifty times more, from several connections at once. */
export async function runQuotaEdge(target: Target): Promise<QuotaResult> {
  const ask = (index: number) => {
    const path = target.asks[index % target.asks.length]?.path ?? '';
    return fetch(target.url + path, { headers: target.headers });
  };
  const first = await ask(0);
  await first.text();
  const left = Number(/"daily";r=(\d+)/.exec(first.headers.get('RateLimit') ?? '')?.[1] ?? Number.NaN);
  if (!(left <= 100_000))
    throw new Error('quota: give a key (or none) whose daily quota is small enough to use up');
  let [succeeded, refused, wrong] = [0, 0, 0];
  let index = 1;
  const worker = async () => {
    while (index <= left + 50) {
      const response = await ask(index++);
      await response.text();
      if (response.status === 200) succeeded++;
      else refused++;
      if (response.status !== 200 && (response.status !== 429 || !response.headers.has('Retry-After')))
        wrong++;
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return { left, succeeded, refused, wrong };
}

function asksFrom(paths: string | undefined, entities: string, seed: string): Target['asks'] {
  if (paths === undefined) return createQuestions(Number(entities), Number(seed)).mix;
  return readFileSync(paths, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('/'))
    .map((path) => ({ path, proof: '"data":' }));
}

interface Settings {
  readonly rate: number;
  readonly seconds: number;
  /** The command that swaps. */
  readonly during: string | undefined;
}

/** The results of one scenario, by what was asked of the service. */
async function runScenario(
  name: string,
  target: Target,
  { rate, seconds, during }: Settings,
): Promise<[label: string, result: { wrong: number; failed?: number }][]> {
  if (name === 'quota') return [[name, await runQuotaEdge(target)]];
  if (name === 'swap') {
    if (during === undefined) throw new Error('swap needs --during with the command that swaps');
    const command = async () => void (await runToEnd(['sh', '-c', during]));
    return [[name, await runDuring(target, name, { rate, seconds }, command)]];
  }
  if (name !== 'steady' && name !== 'ramp' && name !== 'spike')
    throw new Error(`there is no scenario ${name}`);
  const results = await runTimetable(target, name, rate, seconds);
  return results.map((result) => [result.label, result]);
}

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      scenario: { type: 'string', default: 'steady,ramp,spike' },
      rate: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '20' },
      entities: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      paths: { type: 'string' },
      during: { type: 'string' },
    },
  });
  if (values.url === undefined) throw new Error('--url is the base URL of the service');
  const target: Target = {
    url: values.url.replace(/\/+$/, ''),
    headers: values.key === undefined ? {} : { Authorization: `Bearer ${values.key}` },
    asks: asksFrom(values.paths, values.entities, values.seed),
  };
  const settings = { rate: Number(values.rate), seconds: Number(values.seconds), during: values.during };
  let wrong = 0;
  for (const name of values.scenario.split(',')) {
    for (const [label, result] of await runScenario(name, target, settings)) {
      wrong += result.wrong + (result.failed ?? 0);
      process.stdout.write(`${label}: ${JSON.stringify(result)}\n`);
    }
  }
  return wrong === 0;
}

if (import.meta.main) process.exit((await main()) ? 0 : 1);
