/**
 * Runs ready scenarios against any base URL, and checks every answer under load.
 *
 * The questions are about a generated data set, or paths from a file. The load comes from the open-loop generator of
 * the harness instead of autocannon, for the reasons on decision page 081.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { reasonOf } from '../../src/errors.ts';
import { positive } from './harness/arguments.ts';
import { openLoop, type Stretch } from './harness/open-loop.ts';
import { runToEnd } from './harness/processes.ts';
import { createQuestions, proofOf } from './harness/questions.ts';

const usage = `Usage: bun test/bench/scenarios.ts --url <base URL> [options]

  --url <url>          of the service, http or https, with the path that a proxy adds
  --key <key>          sent as bearer key (default: none, so the anonymous quota)
  --scenario <names>   of steady, ramp, spike, swap, quota, separated by commas (default steady,ramp,spike)
  --rate <n>           requests a second (default 500); a ramp ends there, a spike is five times as high
  --seconds <n>        how long each takes (default 20)
  --entities <n>       ask about the data that \`lei generate\` makes of this size (default 100000)
  --seed <n>           and of this seed (default 1)
  --paths <file>       ask for these paths instead, one a line
  --during <command>   what swaps, for the scenario swap; no request may fail meanwhile
  --help               this text

quota asks as often as the key's day still allows and fifty times more, and exactly those that are left may succeed;
the key's bursts must not come first (lei accounts create --daily 500 --burst-lookup 1000000 --burst-search 1000000).
Exits 0 only where every answer was right, 1 where one was not, 2 where it was called wrongly.`;

export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly asks: readonly { readonly path: string; readonly proof: string }[];
}

export interface StageResult {
  readonly label: string;
  readonly perSecond: number;
  /** Null without any answer. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly mostMs: number | null;
  /** The delay of the generator itself: latencies close to it measure the generator. */
  readonly slipP99Ms: number | null;
  readonly statuses: Readonly<Record<string, number>>;
  /** Answers with status 200 and a wrong body. */
  readonly wrong: number;
  /** Other statuses, missing answers, and requests that were not sent because too many waited. */
  readonly failed: number;
  /** The reasons of missing answers. */
  readonly lost: Readonly<Record<string, number>>;
}

/** The most requests that may wait: with more, the service will not catch up. */
const outstandingMost = 1_024;

/** Sends requests on a timetable and checks every answer. */
export async function runStage(target: Target, label: string, stretch: Stretch): Promise<StageResult> {
  const result = await openLoop({
    baseUrl: target.url,
    headers: target.headers,
    asks: target.asks.map(({ path, proof }) => ({ path, proof })),
    stretches: [stretch],
    outstandingMost,
    // Late answers are answers: the latencies show them.
    drainSeconds: 60,
  });
  return {
    label,
    perSecond: result.perSecond,
    p50Ms: result.latencyMs.p50,
    p99Ms: result.latencyMs.p99,
    mostMs: result.latencyMs.most,
    slipP99Ms: result.slipMs.p99,
    statuses: result.statuses,
    wrong: result.wrong,
    failed: result.failed,
    lost: result.lost,
  };
}

/** The stretches of a scenario, each measured separately. */
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

/**
 * A steady load with other work beside it, which begins after a quarter of the load.
 * @returns the result of the load and the seconds of the work
 * @throws if the load ended before the work
 */
export async function runDuring(
  target: Target,
  label: string,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
  happening: () => Promise<void>,
): Promise<StageResult & { readonly happeningSeconds: number }> {
  let loaded: StageResult | null = null;
  const load = runStage(target, label, { seconds, from: rate, to: rate }).then((result) => {
    loaded = result;
    return result;
  });
  await Bun.sleep(seconds * 250);
  const started = performance.now();
  await happening().catch(async (error) => {
    // Nothing of the bench goes on once this has failed.
    await load;
    throw error;
  });
  const happeningSeconds = (performance.now() - started) / 1000;
  if (loaded !== null) {
    throw new Error(
      `${label} took ${happeningSeconds.toFixed(1)} s and the ${seconds} s of load were over before: take more seconds`,
    );
  }
  return { ...(await load), happeningSeconds };
}

export interface QuotaResult {
  readonly left: number;
  readonly succeeded: number;
  readonly refused: number;
  /** Answers with status 200 and a wrong body, and refusals other than a right 429 for the day. */
  readonly wrong: number;
  /** The number of successes less the number that was left. */
  readonly failed: number;
}

/** Asks fifty times more than the daily policy still allows, over several connections at once. */
export async function runQuotaEdge(target: Target): Promise<QuotaResult> {
  const ask = async (index: number) => {
    const { path, proof } = target.asks[index % target.asks.length] ?? { path: '', proof: '' };
    const response = await fetch(target.url + path, { headers: target.headers });
    return { response, body: await response.text(), proof };
  };
  const left = dailyLeft((await ask(0)).response);
  let [succeeded, refused, wrong] = [0, 0, 0];
  let index = 1;
  const worker = async () => {
    while (index <= left + 50) {
      const { response, body, proof } = await ask(index++);
      if (response.status === 200) succeeded++;
      else refused++;
      if (response.status === 200 ? !body.includes(proof) : !refusesForTheDay(response, body)) wrong++;
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return { left, succeeded, refused, wrong, failed: Math.abs(succeeded - left) };
}

const dailyMost = 100_000;

function dailyLeft({ status, headers }: Response): number {
  const field = headers.get('RateLimit');
  const left = /"daily";r=(\d+)/.exec(field ?? '')?.[1];
  if (![200, 429].includes(status) || left === undefined) {
    throw new Error(`quota: the first answer was ${status} with RateLimit: ${field}`);
  }
  if (Number(left) > dailyMost) {
    throw new Error(`quota: ${left} requests are left today, at most ${dailyMost} are used up here`);
  }
  return Number(left);
}

function refusesForTheDay({ status, headers }: Response, body: string): boolean {
  const forTheDay =
    /"type":"[^"]*\/rate-limited"/.test(body) && /"violatedPolicies":\[[^\]]*"daily"/.test(body);
  return status === 429 && headers.has('Retry-After') && forTheDay;
}

/** Reads paths from a file. @throws on any line that is not a path */
function asksFrom(file: string): Target['asks'] {
  const lines = readFileSync(file, 'utf8').split(/\r?\n/);
  const asks = lines.flatMap((path, index) => {
    if (path === '') return [];
    if (!/^\/[!-~]*$/.test(path)) {
      throw new Error(
        `${file}, line ${index + 1}: a path begins with / and is percent-encoded, unlike ${path}`,
      );
    }
    return [{ path, proof: proofOf(path) }];
  });
  if (asks.length === 0) throw new Error(`${file} has no paths`);
  return asks;
}

interface Settings {
  readonly rate: number;
  readonly seconds: number;
  /** The command that causes the swap. */
  readonly during: string | undefined;
}

const scenarios = ['steady', 'ramp', 'spike', 'swap', 'quota'] as const;
type Scenario = (typeof scenarios)[number];

interface Result {
  readonly wrong: number;
  readonly failed: number;
}

/** The results of one scenario by their labels. */
async function runScenario(
  name: Scenario,
  target: Target,
  { rate, seconds, during }: Settings,
): Promise<[label: string, result: Result][]> {
  if (name === 'quota') return [[name, await runQuotaEdge(target)]];
  if (name === 'swap') {
    const command = async () => void (await runToEnd(['sh', '-c', during ?? '']));
    return [[name, await runDuring(target, name, { rate, seconds }, command)]];
  }
  const results = await runTimetable(target, name, rate, seconds);
  return results.map((result) => [result.label, result]);
}

interface Call extends Settings {
  readonly target: Target;
  readonly names: readonly Scenario[];
}

const options = {
  url: { type: 'string' },
  key: { type: 'string' },
  scenario: { type: 'string', default: 'steady,ramp,spike' },
  rate: { type: 'string', default: '500' },
  seconds: { type: 'string', default: '20' },
  entities: { type: 'string', default: '100000' },
  seed: { type: 'string', default: '1' },
  paths: { type: 'string' },
  during: { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** Reads the command line; null with --help. @throws on wrong usage, before any request */
function readCall(args: readonly string[]): Call | null {
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) return null;
  const names = values.scenario.split(',').map((name) => {
    const known = scenarios.find((scenario) => scenario === name);
    if (known === undefined) throw new Error(`--scenario knows ${scenarios.join(', ')}, not ${name}.`);
    return known;
  });
  if (names.includes('swap') && values.during === undefined)
    throw new Error('The scenario swap needs --during with the command that swaps.');
  const whole = (name: 'rate' | 'seconds' | 'entities' | 'seed') => positive(name, values[name]);
  const [rate, seconds] = [whole('rate'), whole('seconds')];
  const [entities, seed] = [whole('entities'), whole('seed')];
  const asks = values.paths === undefined ? createQuestions(entities, seed).mix : asksFrom(values.paths);
  const headers = values.key === undefined ? {} : { Authorization: `Bearer ${values.key}` };
  return { target: { url: baseUrl(values.url), headers, asks }, names, rate, seconds, during: values.during };
}

function baseUrl(text: string | undefined): string {
  const url = URL.parse(text ?? '');
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new Error('--url must be the base URL of the service, as http://127.0.0.1:3000.');
  return url.href.replace(/\/+$/, '');
}

/** Where lines go. */
export interface Output {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** Runs the program. @returns its exit status */
export async function main(args: readonly string[], { out, err }: Output): Promise<0 | 1 | 2> {
  let call: Call | null;
  try {
    call = readCall(args);
  } catch (error) {
    err(`${reasonOf(error)}\n\n${usage}`);
    return 2;
  }
  if (call === null) {
    out(usage);
    return 0;
  }
  try {
    let right = true;
    for (const name of call.names) {
      for (const [label, result] of await runScenario(name, call.target, call)) {
        right &&= result.wrong + result.failed === 0;
        out(`${label}: ${JSON.stringify(result)}`);
      }
    }
    return right ? 0 : 1;
  } catch (error) {
    err(reasonOf(error));
    return 1;
  }
}

if (import.meta.main)
  process.exit(await main(process.argv.slice(2), { out: console.log, err: console.error }));
