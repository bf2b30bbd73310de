/** Runs several load generators at once, each a process, and adds up their results. */
import { join } from 'node:path';
import type { GeneratorOrder, GeneratorResult } from './closed-generator.ts';
import { onCores } from './cores.ts';
import { addedUp, type LatencyBuckets } from './latency-buckets.ts';
import { type OpenLoopOrder, type OpenLoopResult, openLoop } from './open-loop.ts';
import { endsWithUs } from './processes.ts';

/** The processes that send requests, and their cores; no cores if the kernel chooses. */
export interface Generators {
  readonly processes: number;
  readonly cores: readonly number[];
}

/** One process, on any core. */
export const oneGenerator: Generators = { processes: 1, cores: [] };

const program = join(import.meta.dir, 'closed-generator.ts');

/** A closed loop by several processes, which start together once all connections are open. */
export async function closedLoopBy(
  { processes, cores }: Generators,
  order: Omit<GeneratorOrder, 'first'>,
): Promise<GeneratorResult> {
  const started = await Promise.all(
    shares(order.connections, processes).map((connections, place) => {
      const first = Math.floor((place * order.paths.length) / processes);
      return startGenerator({ ...order, connections, first }, cores);
    }),
  );
  const results = await Promise.all(started.map((begin) => begin()));
  const sum = (pick: (result: GeneratorResult) => number) =>
    results.reduce((total, each) => total + pick(each), 0);
  return {
    requests: sum(({ requests }) => requests),
    seconds: sum(({ seconds }) => seconds) / results.length,
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    failures: sum(({ failures }) => failures),
    latencies: addedUp(results.map(({ latencies }) => latencies)),
  };
}

/** @returns the function that starts it, once the generator is connected. @throws if it ends before */
async function startGenerator(
  order: GeneratorOrder,
  cores: readonly number[],
): Promise<() => Promise<GeneratorResult>> {
  const child = endsWithUs(
    Bun.spawn([...onCores(cores), process.execPath, program], {
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    }),
  );
  const said = linesOf(child.stdout);
  const told = (text: string) => {
    child.stdin.write(`${text}\n`);
    void child.stdin.flush();
  };
  const heard = async () => {
    const { value } = await said.next();
    if (value === undefined) throw new Error('The closed-loop generator failed.');
    return value;
  };
  told(JSON.stringify(order));
  await heard();
  return async () => {
    told('go');
    const result: GeneratorResult = JSON.parse(await heard());
    await child.exited;
    return result;
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    yield* lines;
  }
}

/** Splits a whole number into whole shares that are as equal as possible and at least 1. */
function shares(whole: number, parts: number): number[] {
  return Array.from({ length: parts }, (_, place) =>
    Math.max(1, Math.floor(((place + 1) * whole) / parts) - Math.floor((place * whole) / parts)),
  );
}

/** The combined result of several open loops. */
export interface OpenLoopSum extends Pick<OpenLoopResult, 'perSecond' | 'wrong' | 'failed'> {
  readonly latencies: LatencyBuckets;
  readonly slips: LatencyBuckets;
}

/** Runs an open loop in several processes, each with its share of the rate, the connections and the questions. */
export async function openLoopBy(
  { processes, cores }: Generators,
  order: OpenLoopOrder & { readonly connectionsMost: number },
): Promise<OpenLoopSum> {
  const results = await Promise.all(
    shares(order.connectionsMost, processes).map((connectionsMost, place) =>
      openLoop(
        {
          ...order,
          connectionsMost,
          asks: turned(order.asks, Math.floor((place * order.asks.length) / processes)),
          stretches: order.stretches.map(({ seconds, from, to }) => ({
            seconds,
            from: from / processes,
            to: to / processes,
          })),
        },
        onCores(cores),
      ),
    ),
  );
  const sum = (pick: (result: OpenLoopResult) => number) =>
    results.reduce((total, each) => total + pick(each), 0);
  return {
    perSecond: sum(({ perSecond }) => perSecond),
    wrong: sum(({ wrong }) => wrong),
    failed: sum(({ failed }) => failed),
    latencies: addedUp(results.map(({ latencyBuckets }) => latencyBuckets)),
    slips: addedUp(results.map(({ slipBuckets }) => slipBuckets)),
  };
}

function turned<Item>(items: readonly Item[], by: number): Item[] {
  return [...items.slice(by), ...items.slice(0, by)];
}
