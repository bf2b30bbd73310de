/**
 * Measures a question's round trip to a thread: the pool's line against one bare `postMessage` of the same body for
 * every question. Checks that the answers are equal, then prints microseconds of CPU and ratios.
 *
 *     bun test/bench/dispatch/run.ts [--questions 200000]
 */

import { workerThreads } from '../../../src/serve/threads/pool-thread.ts';
import { QueryThreads } from '../../../src/serve/threads/query-pool.ts';
import { wholeNumbers } from '../harness/arguments.ts';

const questions = wholeNumbers({ questions: 200_000 })('questions');
/** Questions in flight at once, like the connections of a load generator. */
const widths = [1, 8, 64, 256];
const url = new URL('./echo-worker.ts', import.meta.url).href;
const lei = '5493001KJTIIGC8Y1R12';

type Ask = () => Promise<string>;

/** One message for each question, answered in order. */
async function barePort(): Promise<{ ask: Ask; end: () => void }> {
  const options: WorkerOptions & { argv: string[] } = { argv: ['bare'] };
  const worker = new Worker(url, options);
  await new Promise((resolve) => worker.addEventListener('message', resolve, { once: true }));
  const waiting: ((body: string) => void)[] = [];
  worker.onmessage = (event: MessageEvent<string>) => waiting.shift()?.(event.data);
  return {
    ask: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        worker.postMessage(lei);
      }),
    end: () => worker.terminate(),
  };
}

async function pooled(): Promise<{ ask: Ask; end: () => Promise<void> }> {
  const pool = new QueryThreads({
    threads: 1,
    spawn: workerThreads({ dataDir: 'line', basePath: '' }, url),
    log: { error: (message) => process.stderr.write(`${message}\n`) },
  });
  await pool.started;
  return {
    ask: () =>
      new Promise((resolve, reject) => {
        pool.ask({
          publicationId: '20261004T160000Z-00000001',
          question: { kind: 'company', lei },
          take(answer) {
            if (answer.outcome === 'found') resolve(Buffer.from(answer.data).toString('latin1'));
            else reject(new Error(answer.outcome));
          },
        });
      }),
    // The echo knows no commands, so it is terminated.
    end: async () => process.exit(),
  };
}

/** Microseconds of CPU time of both threads for each question. */
async function measure(ask: Ask, width: number): Promise<number> {
  const before = process.cpuUsage();
  let left = questions;
  const asking = async () => {
    while (left-- > 0) await ask();
  };
  await Promise.all(Array.from({ length: width }, asking));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / questions;
}

const bare = await barePort();
const pool = await pooled();
if ((await bare.ask()) !== (await pool.ask())) throw new Error('The two ways gave different answers.');
for (const warmUp of [bare.ask, pool.ask]) await measure(warmUp, 64);
process.stdout.write('under way | bare µs | line µs | line / bare\n');
for (const width of widths) {
  const [one, other] = [await measure(bare.ask, width), await measure(pool.ask, width)];
  process.stdout.write(
    `${String(width).padStart(9)} | ${one.toFixed(2).padStart(7)} | ${other.toFixed(2).padStart(10)} | ${(other / one).toFixed(2)}\n`,
  );
}
bare.end();
await pool.end();
