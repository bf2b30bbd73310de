/** Tests answers that real query threads send in parts, including a thread that ends in the middle. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { lineLimits } from '../../../src/dispatch/limits.ts';
import { valueMark } from '../../../src/protocol/ext-questions.ts';
import type { Answer, Question } from '../../../src/protocol/questions.ts';
import type { QueryThreads } from '../../../src/serve/threads/query-pool.ts';
import { deadlyLeis, longLeis } from './query-worker-leis.ts';
import { publication, unavailable, WatchedPool } from './watched-pool.ts';

let watched: WatchedPool;
beforeEach(() => {
  watched = new WatchedPool();
});
afterEach(() => watched.end());

async function start(): Promise<QueryThreads> {
  const pool = watched.begin(1);
  await pool.started;
  expect(await pool.open(publication)).toBeNull();
  return pool;
}

const batch = (items: readonly string[], inParts = true): Question => ({
  kind: 'batch',
  of: 'lei',
  items,
  notFound: `{"detail":"no ${valueMark}"}`,
  inParts,
});

interface Received {
  /** The bytes of each part, and then of the answer where the test finds it. */
  readonly sizes: readonly number[];
  readonly text: string;
  readonly answer: Answer;
}

/** @param seePart is called after each part with the number of parts so far */
function receive(
  pool: QueryThreads,
  question: Question,
  seePart: (parts: number) => void = () => {},
): Promise<Received> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const end = (answer: Answer) => {
      if (answer.outcome === 'found') pieces.push(Buffer.from(answer.data));
      resolve({ sizes: pieces.map(({ length }) => length), text: Buffer.concat(pieces).toString(), answer });
    };
    const takePart = (data: Uint8Array) => {
      pieces.push(Buffer.from(data));
      seePart(pieces.length);
    };
    pool.ask({ publicationId: publication, question, take: end, takePart });
  });
}

/** 40 kB each: together more than the ring of answers holds. */
const many = [...longLeis, ...longLeis];

test('joined parts equal the whole answer, even if the front falls behind and the ring is full', async () => {
  const pool = await start();
  const whole = await receive(pool, batch(many, false));
  expect(whole.sizes).toHaveLength(1);
  expect(whole.text.length).toBeGreaterThan(lineLimits.answerRingBytes);
  const parted = await receive(pool, batch(many));
  expect(parted.sizes.length).toBeGreaterThan(1);
  expect(parted.text).toBe(whole.text);
});

test('a short answer comes in one piece', async () => {
  const pool = await start();
  expect((await receive(pool, batch(longLeis.slice(0, 3)))).sizes).toHaveLength(1);
});

test('a thread that ends in the middle of an answer loses no part of it, and no part comes twice', async () => {
  const pool = await start();
  const whole = await receive(pool, batch(many, false));
  const parted = await receive(pool, batch(many), (parts) => {
    if (parts === 1) watched.ports[0]?.terminate();
  });
  expect(parted.text).toBe(whole.text);
});

test('a question that ends two threads in the middle of its answer fails, and its beginning came once', async () => {
  const pool = await start();
  const before = longLeis.slice(0, 6);
  const whole = await receive(pool, batch(before, false));
  const { text, answer } = await receive(pool, batch([...before, deadlyLeis.exits, ...before]));
  expect(answer).toEqual(unavailable('failed'));
  expect(text.length).toBeGreaterThan(lineLimits.partBytes);
  expect(whole.text.startsWith(text.slice(0, -1))).toBe(true);
  expect(watched.ports.length).toBeGreaterThanOrEqual(2);
});
