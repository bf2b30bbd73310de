import { afterEach, describe, expect, test } from 'bun:test';
import { limits } from '../../../src/config.ts';
import { PoolThread } from '../../../src/front/threads/pool-thread.ts';
import { createQueryPool, type QueryThreads } from '../../../src/front/threads/query-pool.ts';
import { type SpawnThread, type ThreadPort, workerThreads } from '../../../src/front/threads/thread-port.ts';
import type { Answer, Question } from '../../../src/protocol/questions.ts';
import { asking, jsonIn, keep } from '../../support/answers.ts';
import { memoryLog } from '../../support/log.ts';
import { searchForBank } from '../../support/questions.ts';
import { deadlyLeis, largeLei, longFilling, longLeis, plainLeis } from './query-worker-leis.ts';

const publication = '20261004T160000Z-00000001';
const later = '20261005T160000Z-00000002';
const workerUrl = new URL('./query-worker.ts', import.meta.url).href;

let pool: QueryThreads | null = null;
let ports: ThreadPort[] = [];
/** Batches that went to threads. */
let batches: string[] = [];
let clock = 0;
/** Not null: what threads send is kept here instead of being delivered. */
let heldBack: (() => void)[] | null = null;

afterEach(async () => {
  await pool?.end();
  pool = null;
  ports = [];
  batches = [];
  clock = 0;
  heldBack = null;
});

/** Real workers, watched; the first gets the argument `first`, those that replace it do not. */
const spawn: SpawnThread = (events) => {
  const port = workerThreads(
    ports.length === 0 ? 'first' : 'later',
    workerUrl,
  )({
    ended: events.ended,
    report: events.report,
    answer(batch, position, answer) {
      if (heldBack === null) events.answer(batch, position, answer);
      else {
        const kept = keep(answer);
        heldBack.push(() => events.answer(batch, position, kept));
      }
    },
  });
  const watched: ThreadPort = {
    ask(batch) {
      batches.push(batch);
      port.ask(batch);
    },
    post: (command) => port.post(command),
    terminate: () => port.terminate(),
  };
  ports.push(watched);
  return watched;
};

interface AskedThreads extends Omit<QueryThreads, 'ask' | 'started'> {
  readonly ask: ReturnType<typeof asking>;
}

async function startPool(threads: number, log = memoryLog()): Promise<AskedThreads> {
  const begun = createQueryPool({ threads, spawn, log, now: () => clock });
  pool = begun;
  await begun.started;
  expect(await begun.open(publication)).toBeNull();
  return {
    ask: asking(begun),
    open: (id) => begun.open(id),
    close: (id) => begun.close(id),
    available: () => begun.available(),
    end: () => begun.end(),
  };
}

const company = (lei: string): Question => ({ kind: 'company', lei });
const bodyOf = (answer: Answer) => (answer.outcome === 'found' ? jsonIn(answer.data) : answer);

test('what is opened while the threads start, each of them opens before it can be asked', async () => {
  const begun = createQueryPool({ threads: 2, spawn, log: memoryLog(), now: () => clock });
  pool = begun;
  const [failure] = await Promise.all([begun.open(publication), begun.started]);
  expect(failure).toBeNull();
  const answers = await Promise.all(
    plainLeis.slice(0, 8).map((lei) => asking(begun)(publication, company(lei))),
  );
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['found']));
  expect(begun.available()).toBe(2);
});

test('what can not be opened while the threads start is a failure of the opening, not of the threads', async () => {
  const begun = createQueryPool({ threads: 2, spawn, log: memoryLog(), now: () => clock });
  pool = begun;
  const [failure] = await Promise.all([begun.open(`${later}bad`), begun.started]);
  expect(failure).not.toBeNull();
  expect(begun.available()).toBe(2);
});

describe('asking', () => {
  test('every question of one tick gets its own answer, and they travel in as few messages as a batch allows', async () => {
    const { ask } = await startPool(1);
    const answers = await Promise.all(plainLeis.slice(0, 40).map((lei) => ask(publication, company(lei))));
    expect(answers.map((answer) => bodyOf(answer).lei)).toEqual(plainLeis.slice(0, 40));
    expect(batches).toHaveLength(Math.ceil(40 / limits.batchedQuestionsMax));
  });

  test('questions of different publications never share a message, and each is answered by its own', async () => {
    const threads = await startPool(1);
    await threads.open(later);
    const ids = [publication, later, publication, later];
    const answers = await Promise.all(ids.map((id) => threads.ask(id, company(plainLeis[0] ?? ''))));
    expect(answers.map((answer) => bodyOf(answer).publication)).toEqual(ids);
  });

  test('questions spread over the threads', async () => {
    const threads = await startPool(2);
    await Promise.all(plainLeis.slice(0, 10).map((lei) => threads.ask(publication, company(lei))));
    expect(batches).toHaveLength(2);
  });

  test('a large body and the small ones around it arrive whole and in place', async () => {
    const threads = await startPool(1);
    const leis = [plainLeis[0] ?? '', largeLei, plainLeis[1] ?? '', 'ABSENT00000000000000'];
    const answers = await Promise.all(leis.map((lei) => threads.ask(publication, company(lei))));
    expect(answers.map((answer) => bodyOf(answer).lei ?? answer.outcome)).toEqual([
      ...leis.slice(0, 3),
      'not-found',
    ]);
    expect(bodyOf(answers[1] ?? { outcome: 'not-found' }).filling).toHaveLength(200_000);
  });

  test('bodies of more bytes than the shared memory holds all arrive whole, each to its own question', async () => {
    const threads = await startPool(1);
    const leis = Array.from({ length: 120 }, (_, index) => longLeis[index % longLeis.length] ?? '');
    expect(120 * 40_000).toBeGreaterThan(4 * limits.answerRingBytes);
    const answers = await Promise.all(leis.map((lei) => threads.ask(publication, company(lei))));
    answers.forEach((answer, index) => {
      const lei = leis[index] ?? '';
      expect(bodyOf(answer)).toEqual({ lei, filling: longFilling(lei) });
    });
  });

  test('questions of more bytes than the shared memory holds are all answered', async () => {
    const threads = await startPool(1);
    const q = '😀'.repeat(500);
    const questions = Array.from({ length: 200 }, (): Question => {
      return { kind: 'search', q, country: null, status: null, after: null, limit: 20 };
    });
    expect(200 * 2_000).toBeGreaterThan(limits.questionRingBytes);
    const answers = await Promise.all(questions.map((question) => threads.ask(publication, question)));
    expect(new Set(answers.map((answer) => bodyOf(answer).query.q))).toEqual(new Set([q]));
  });

  test('a body is compressed so that the text comes back byte by byte', async () => {
    const threads = await startPool(1);
    const text = JSON.stringify({ name: 'Société Générale 株式会社'.repeat(500) });
    const unpack = {
      zstd: Bun.zstdDecompressSync,
      gzip: Bun.gunzipSync,
      br: (await import('node:zlib')).brotliDecompressSync,
    };
    for (const coding of ['zstd', 'gzip', 'br'] as const) {
      const answer = await threads.ask(publication, {
        kind: 'compress',
        coding,
        body: new Uint8Array(Buffer.from(text)),
      });
      if (answer.outcome !== 'compressed') throw new Error(answer.outcome);
      expect(answer.bytes.length).toBeLessThan(1000);
      expect(Buffer.from(unpack[coding](answer.bytes)).toString()).toBe(text);
    }
  });

  test('a publication that no thread holds is reported gone', async () => {
    const threads = await startPool(1);
    expect(await threads.ask(later, company(largeLei))).toEqual({
      outcome: 'unavailable',
      reason: 'publication-gone',
    });
  });

  test('a bug in one answer is logged and costs the others of its batch nothing', async () => {
    const log = memoryLog();
    const threads = await startPool(1, log);
    const leis = [plainLeis[0] ?? '', deadlyLeis.throws, plainLeis[1] ?? ''];
    const answers = await Promise.all(leis.map((lei) => threads.ask(publication, company(lei))));
    expect(answers.map(({ outcome }) => outcome)).toEqual(['found', 'unavailable', 'found']);
    expect(answers[1]).toEqual({ outcome: 'unavailable', reason: 'failed' });
    expect(log.lines[0]).toMatchObject({ level: 'error', message: 'A question failed: a bug' });
  });
});

describe('a thread that always has searches waiting', () => {
  test('opens and closes publications, packs bodies and answers look-ups all the same', async () => {
    const threads = await startPool(1);
    let isOver = false;
    const searching = Array.from({ length: 32 }, async () => {
      while (!isOver) expect((await threads.ask(publication, searchForBank)).outcome).toBe('found');
    });
    expect(await threads.open(later)).toBeNull();
    const body = new Uint8Array(10_000);
    const packed = await threads.ask(publication, { kind: 'compress', coding: 'gzip', body });
    expect(packed.outcome).toBe('compressed');
    expect((await threads.ask(later, company(largeLei))).outcome).toBe('found');
    await threads.close(later);
    isOver = true;
    await Promise.all(searching);
    expect(ports).toHaveLength(1);
  });
});

test('a thread that nobody asks practises; what fails in it is logged, and callers are answered', async () => {
  const failed = Promise.withResolvers<string>();
  const log = { error: failed.resolve };
  const begun = createQueryPool({ threads: 1, spawn, log, now: () => clock });
  pool = begun;
  await begun.started;
  expect(await begun.open(`${later}large`)).toBeNull();
  expect(await failed.promise).toBe('A question failed: It was asked for Practised 0.');
  const answered = await asking(begun)(`${later}large`, company('MANY0000000000000007'));
  expect(bodyOf(answered).name).toBe('Practised 7');
});

describe('the bounds of a question', () => {
  test('past the queue bound a question is refused at once, without a message', async () => {
    const threads = await startPool(1);
    const question = company(plainLeis[0] ?? '');
    const asked = Array.from({ length: limits.queuedQuickQuestionsPerThreadMax }, () =>
      threads.ask(publication, question),
    );
    const sent = batches.length;
    const refused = threads.ask(publication, question);
    expect(batches).toHaveLength(sent);
    expect(await refused).toEqual({ outcome: 'unavailable', reason: 'queue-full' });
    const outcomes = await Promise.all(asked);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['found']));
  });

  test('slow questions past their bound are refused, and look-ups find room beside them', async () => {
    const threads = await startPool(1);
    const slow: Question = { kind: 'relationships', lei: plainLeis[0] ?? '' };
    const asked = Array.from({ length: limits.queuedSlowQuestionsPerThreadMax }, () =>
      threads.ask(publication, slow),
    );
    const refused: Answer = { outcome: 'unavailable', reason: 'queue-full' };
    expect(await threads.ask(publication, slow)).toEqual(refused);
    expect((await threads.ask(publication, company(plainLeis[0] ?? ''))).outcome).toBe('found');
    const outcomes = await Promise.all(asked);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['found']));
    expect((await threads.ask(publication, slow)).outcome).toBe('found');
  });

  test('a question is refused only where no thread has room for its kind', async () => {
    const threads = await startPool(2);
    const slow: Question = { kind: 'changes', lei: plainLeis[0] ?? '', after: null, limit: 1 };
    const quick = company(plainLeis[0] ?? '');
    const asked: Promise<Answer>[] = [];
    const ask = (question: Question, times: number) => {
      for (let count = 0; count < times; count++) asked.push(threads.ask(publication, question));
    };
    // One thread gets slow ones and the other as much to do in look-ups, until that has no room for more of them.
    const pairs = limits.queuedQuickQuestionsPerThreadMax / limits.slowQuestionWork;
    for (let pair = 0; pair < pairs; pair++) {
      ask(slow, 1);
      ask(quick, limits.slowQuestionWork);
    }
    ask(slow, 2 * limits.queuedSlowQuestionsPerThreadMax - pairs);
    ask(quick, limits.queuedQuickQuestionsPerThreadMax);
    const refused: Answer = { outcome: 'unavailable', reason: 'queue-full' };
    expect(await Promise.all([threads.ask(publication, slow), threads.ask(publication, quick)])).toEqual([
      refused,
      refused,
    ]);
    const outcomes = await Promise.all(asked);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['found']));
  });

  test('a question past its deadline is answered timeout, and its thread, stuck, is replaced', async () => {
    const log = memoryLog();
    const threads = await startPool(1, log);
    const hanging = threads.ask(publication, company(deadlyLeis.hangs));
    await Bun.sleep(0);
    clock += limits.questionTimeoutMs + 1;
    expect(await hanging).toEqual({ outcome: 'unavailable', reason: 'timeout' });
    const behind = threads.ask(publication, company(plainLeis[0] ?? ''));
    await Bun.sleep(0);
    clock += limits.threadSilentMsMax;
    // The stuck thread can only be ended; what waited behind was past its deadline as well.
    expect(await behind).toEqual({ outcome: 'unavailable', reason: 'timeout' });
    expect(bodyOf(await threads.ask(publication, company(plainLeis[0] ?? ''))).lei).toBe(plainLeis[0]);
    expect(ports).toHaveLength(2);
  });

  test('a late answer is dropped and the questions after it get their own', async () => {
    const threads = await startPool(1);
    heldBack = [];
    const late = threads.ask(publication, company(plainLeis[0] ?? ''));
    await Bun.sleep(0);
    clock += limits.questionTimeoutMs + 1;
    expect(await late).toEqual({ outcome: 'unavailable', reason: 'timeout' });
    const next = threads.ask(publication, company(plainLeis[1] ?? ''));
    for (const deliver of heldBack) deliver();
    heldBack = null;
    expect(bodyOf(await next).lei).toBe(plainLeis[1]);
  });
});

describe('a thread that ends', () => {
  test('takes no question with it: they are asked again, of the one that takes its place', async () => {
    const threads = await startPool(1);
    const questions = plainLeis.map((lei) => threads.ask(publication, company(lei)));
    ports[0]?.terminate();
    const answers = await Promise.all(questions);
    expect(answers.map((answer) => bodyOf(answer).lei)).toEqual([...plainLeis]);
  });

  test('leaves its work to the other threads under load, again and again', async () => {
    const threads = await startPool(2);
    let answered = 0;
    for (let round = 0; round < 10; round++) {
      const questions = Array.from({ length: 200 }, (_, index) =>
        threads.ask(publication, company(plainLeis[index % 50] ?? '')),
      );
      await Bun.sleep(0);
      ports.at(-1)?.terminate();
      const answers = await Promise.all(questions);
      answered += answers.filter(({ outcome }) => outcome === 'found').length;
    }
    expect(answered).toBe(2000);
  });

  test('and was ended by a question fails only that question, and only at the second death', async () => {
    const threads = await startPool(2);
    const deadly = threads.ask(publication, company(deadlyLeis.exits));
    expect(await deadly).toEqual({ outcome: 'unavailable', reason: 'failed' });
    expect(bodyOf(await threads.ask(publication, company(largeLei))).lei).toBe(largeLei);
    expect(ports.length).toBeGreaterThanOrEqual(3);
  });

  test('is asked no more by whoever takes its last answers', async () => {
    const threads = await startPool(1);
    const available = new Promise<number>((resolve) => {
      pool?.ask(publication, company(plainLeis[0] ?? ''), ({ outcome }) => {
        resolve(outcome === 'found' ? threads.available() : Number.NaN);
      });
    });
    // Asked together with it, so that the thread ends before it tells of the answer.
    const deadly = threads.ask(publication, company(deadlyLeis.exits));
    expect(await available).toBe(0);
    expect((await deadly).outcome).toBe('unavailable');
  });

  test('is replaced by one that holds everything the others hold', async () => {
    const threads = await startPool(1);
    await threads.open(later);
    ports[0]?.terminate();
    for (const id of [publication, later]) {
      expect(bodyOf(await threads.ask(id, company(plainLeis[0] ?? ''))).publication).toBe(id);
    }
  });
});

describe('opening and closing publications', () => {
  test('one that can not be opened is held by no thread, with the reason', async () => {
    const threads = await startPool(2);
    expect(await threads.open(`${later}bad`)).toBe('The environment is damaged.');
    const answer = await threads.ask(`${later}bad`, company(largeLei));
    expect(answer).toEqual({ outcome: 'unavailable', reason: 'publication-gone' });
    expect((await threads.ask(publication, company(largeLei))).outcome).toBe('found');
  });

  test('a thread that dies while opening is replaced, and the opening goes on', async () => {
    const threads = await startPool(2);
    expect(await threads.open(`${later}deadly`)).toBeNull();
    expect(ports).toHaveLength(3);
    const answer = await threads.ask(`${later}deadly`, company(largeLei));
    expect(answer.outcome).toBe('found');
  });

  test('closing waits for a thread that is catching up, which may have the publication open', async () => {
    const ended = Promise.withResolvers<unknown>();
    const begun = createQueryPool({ threads: 1, spawn, log: { error: ended.resolve }, now: () => clock });
    pool = begun;
    await begun.started;
    await begun.open(publication);
    ports[0]?.terminate();
    await ended.promise;
    expect(begun.available()).toBe(0);
    await begun.close(publication);
    expect(begun.available()).toBe(1);
    expect(await asking(begun)(publication, company(plainLeis[0] ?? ''))).toMatchObject({
      reason: 'publication-gone',
    });
  });

  test('one that is opened twice stays open, however late the first report comes', async () => {
    const posted: string[] = [];
    const opened: { report(): void }[] = [];
    const thread = new PoolThread(
      (events) => {
        opened.push({ report: () => events.report({ report: 'opened', id: publication }) });
        return {
          ask: () => undefined,
          post: ({ op }) => void posted.push(op),
          terminate: () => undefined,
        };
      },
      { ended: () => undefined, fault: () => undefined },
    );
    void thread.open(publication);
    void thread.open(publication);
    for (const { report } of [...opened, ...opened]) report();
    expect([...thread.holds]).toEqual([publication]);
    expect(posted).toEqual(['open', 'open']);
  });

  test('closing waits for the questions that were asked before', async () => {
    const threads = await startPool(1);
    const question = threads.ask(publication, company(plainLeis[0] ?? ''));
    await threads.close(publication);
    expect((await question).outcome).toBe('found');
    expect(await threads.ask(publication, company(plainLeis[0] ?? ''))).toEqual({
      outcome: 'unavailable',
      reason: 'publication-gone',
    });
  });
});

describe('ending the pool', () => {
  test('finishes what was asked and refuses what comes after', async () => {
    const threads = await startPool(2);
    const before = plainLeis.map((lei) => threads.ask(publication, company(lei)));
    const ended = threads.end();
    expect(await threads.ask(publication, company(largeLei))).toEqual({
      outcome: 'unavailable',
      reason: 'shutting-down',
    });
    await ended;
    const outcomes = (await Promise.all(before)).map(({ outcome }) => outcome);
    expect(new Set(outcomes)).toEqual(new Set(['found']));
  });

  test('a thread that does not start fails the start, with the reason', async () => {
    const begun = createQueryPool({
      threads: 1,
      spawn: workerThreads('', new URL('./no-such-worker.ts', import.meta.url).href),
      log: memoryLog(),
    });
    await expect(begun.started).rejects.toThrow('could not be started');
  });
});
