/**
 * Compares a batch of look-ups with as many look-ups one after the other over one connection, in turn.
 *
 *     bun test/bench/batch.ts [--entities 20000] [--rounds 200] [--batch 100]
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { wholeNumbers } from './harness/arguments.ts';
import { median } from './harness/closed-loop.ts';
import { prepareData, startService } from './harness/data.ts';
import { createQuestions } from './harness/questions.ts';

const option = wholeNumbers({ entities: 20_000, rounds: 200, batch: 100 });
const data = await prepareData(option('entities'), 1);
const service = await startService(data);
const { hostname, port } = new URL(service.url);
const client = connect(Number(port), hostname).setNoDelay();
await once(client, 'connect');

const warmingRounds = 20;
const headEnd = Buffer.from('\r\n\r\n');
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/** Asks once more over the connection and waits for the whole answer. @returns its bytes */
async function ask(path: string): Promise<number> {
  client.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${data.key}\r\n\r\n`);
  let received: Buffer = Buffer.alloc(0);
  for (;;) {
    const [chunk]: Buffer[] = await once(client, 'data');
    if (chunk !== undefined) received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    if (isWhole(received, path)) return received.length;
  }
}

function isWhole(received: Buffer, path: string): boolean {
  const end = received.indexOf(headEnd);
  if (end < 0) return false;
  const head = received.toString('latin1', 0, end).toLowerCase();
  if (!head.startsWith('http/1.1 200')) throw new Error(`${path.slice(0, 60)}: ${head.slice(0, 200)}`);
  if (head.includes('chunked')) return received.subarray(-lastChunk.length).equals(lastChunk);
  return received.length >= end + headEnd.length + Number(/content-length: (\d+)/.exec(head)?.[1]);
}

/** Milliseconds. */
async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

const leis = createQuestions(option('entities'), 1)['look-up'].map(
  ({ path }) => path.split('/').at(-1) ?? '',
);
const times = { alone: [] as number[], batch: [] as number[] };
let bytes = 0;
for (let round = -warmingRounds; round < option('rounds'); round++) {
  const from = ((round + warmingRounds) * option('batch')) % (leis.length - option('batch'));
  const some = leis.slice(from, from + option('batch'));
  const alone = await timed(async () => {
    for (const lei of some) await ask(`/api/v1/lei/${lei}`);
  });
  const batch = await timed(async () => {
    bytes = await ask(`/ext/v1/companies?lei=${some.join(',')}`);
  });
  if (round < 0) continue;
  times.alone.push(alone);
  times.batch.push(batch);
}
client.destroy();
await service.stop();
const ms = (values: readonly number[]) => median(values).toFixed(2);
const ratios = times.alone.map((alone, at) => alone / (times.batch[at] ?? 1));
console.log(
  `${option('batch')} look-ups one after the other ${ms(times.alone)} ms, in a batch (${bytes} bytes) ${ms(times.batch)} ms: ` +
    `${median(ratios).toFixed(1)} times as fast (medians of ${option('rounds')} rounds in turn)`,
);
