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
 * The questions are those of a generated data set, or paths from a file, one a line. The load generator is
 * autocannon at a constant overall rate, with its correction for coordinated omission.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { runToEnd } from './harness/processes.ts';
import { createQuestions } from './harness/questions.ts';

export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly asks: readonly { readonly path: string; readonly proof: string }[];
}

export interface Stage {
  readonly seconds: number;
  readonly rate: number;
}

export interface StageResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** 200s that did not hold what they must, and answers that never came. */
  readonly wrong: number;
  readonly firstWrong: string | null;
}

const connections = 32;

/** Holds one rate for a while and checks every answer. */
export async function runStage(target: Target, stage: Stage): Promise<StageResult> {
  const statuses = new Map<number, number>();
  let wrong = 0;
  let firstWrong: string | null = null;
  const requests = target.asks.map(({ path, proof }) => ({
    method: 'GET' as const,
    path,
    onResponse(status: number, body: string) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200 && body.includes(proof)) return;
      if (status === 200) wrong++;
      firstWrong ??= `${path}: ${status} ${body.slice(0, 200)}`;
    },
  }));
  const result = await autocannon({
    url: target.url,
    connections: Math.max(1, Math.min(connections, stage.rate)),
    duration: stage.seconds,
    overallRate: stage.rate,
    headers: { ...target.headers },
    requests,
  });
  return {
    requests: result.requests.total,
    perSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    mostMs: result.latency.max,
    statuses: Object.fromEntries([...statuses].map(([status, count]) => [String(status), count])),
    wrong: wrong + result.errors + result.timeouts,
    firstWrong,
  };
}

export const timetables: Readonly<
  Record<'steady' | 'ramp' | 'spike', (rate: number, seconds: number) => Stage[]>
> = {
  steady: (rate, seconds) => [{ seconds, rate }],
  ramp: (rate, seconds) =>
    [0.1, 0.25, 0.5, 0.75, 1].map((part) => ({
      seconds: Math.max(1, Math.round(seconds / 5)),
      rate: Math.max(1, Math.round(rate * part)),
    })),
  spike: (rate, seconds) => [
    { seconds: Math.max(1, Math.round(seconds / 3)), rate },
    { seconds: Math.max(1, Math.round(seconds / 6)), rate: rate * 5 },
    { seconds: Math.max(1, Math.round(seconds / 3)), rate },
  ],
};

/** A steady rate while something else happens. @returns the load's result and the seconds the other thing took */
export async function runDuring(
  target: Target,
  stage: Stage,
  happening: () => Promise<void>,
): Promise<StageResult & { readonly happeningSeconds: number }> {
  const load = runStage(target, stage);
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
): Promise<[label: string, result: { wrong: number }][]> {
  if (name === 'quota') return [[name, await runQuotaEdge(target)]];
  if (name === 'swap') {
    if (during === undefined) throw new Error('swap needs --during with the command that swaps');
    const command = async () => void (await runToEnd(['sh', '-c', during]));
    return [[name, await runDuring(target, { rate, seconds }, command)]];
  }
  if (name !== 'steady' && name !== 'ramp' && name !== 'spike')
    throw new Error(`there is no scenario ${name}`);
  const results: [string, StageResult][] = [];
  for (const stage of timetables[name](rate, seconds)) {
    results.push([`${name} ${stage.rate}/s`, await runStage(target, stage)]);
  }
  return results;
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
      wrong += result.wrong;
      process.stdout.write(`${label}: ${JSON.stringify(result)}\n`);
    }
  }
  return wrong === 0;
}

if (import.meta.main) process.exit((await main()) ? 0 : 1);
