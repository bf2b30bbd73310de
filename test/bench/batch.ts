/**
 * Compares a batch of look-ups with as many look-ups one after the other over one connection, in turn.
 *
 *     bun test/bench/batch.ts [--entities 20000] [--rounds 200] [--batch 100]
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { wholeNumbers } from './harness/arguments.ts';
import { prepareData, startService } from './harness/data.ts';
import { median } from './harness/median.ts';
import { createQuestions } from './harness/questions.ts';

const option = wholeNumbers({ entities: 20_000, rounds: 200, batch: 100 });
const data = await prepareData(option('entities'), 1);
const service = await startService(data);
const { hostname, port } = new URL(service.url);
const client = connect(Number(port), hostname).setNoDelay();
await once(client, 'connect');

const warmingRounds = 20;
const headEnd = '\r\n\r\n';
/** Ends a chunked answer, and occurs nowhere else in it: JSON has no bare line ends. */
const lastChunk = '0\r\n\r\n';

/** Asks once more over the connection and waits for the whole answer. @returns its bytes */
async function ask(path: string): Promise<number> {
  client.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${data.key}\r\n\r\n`);
  const answer = new Receiving(path);
  for (;;) {
    const [chunk]: Buffer[] = await once(client, 'data');
    if (chunk !== undefined && answer.isWholeWith(chunk)) return answer.bytes;
  }
}

/** Follows an answer to its end without joining the pieces of its body. */
class Receiving {
  bytes = 0;
  readonly #path: string;
  #head = '';
  #tail = '';
  /** Bytes of the whole answer; infinite if it is chunked; null before its head has arrived. */
  #awaited: number | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  isWholeWith(piece: Buffer): boolean {
    this.bytes += piece.length;
    this.#awaited ??= this.#lengthIn(piece);
    const last = piece.toString('latin1', Math.max(0, piece.length - lastChunk.length));
    this.#tail = (this.#tail + last).slice(-lastChunk.length);
    if (this.#awaited === Number.POSITIVE_INFINITY) return this.#tail === lastChunk;
    return this.#awaited !== null && this.bytes >= this.#awaited;
  }

  #lengthIn(piece: Buffer): number | null {
    this.#head += piece.toString('latin1').toLowerCase();
    const end = this.#head.indexOf(headEnd);
    if (end < 0) return null;
    const head = this.#head.slice(0, end);
    if (!head.startsWith('http/1.1 200'))
      throw new Error(`${this.#path.slice(0, 60)}: ${head.slice(0, 200)}`);
    if (head.includes('chunked')) return Number.POSITIVE_INFINITY;
    return end + headEnd.length + Number(/content-length: (\d+)/.exec(head)?.[1]);
  }
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
