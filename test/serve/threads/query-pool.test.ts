import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { lineLimits, threadLimits } from '../../../src/dispatch/limits.ts';
import { nobody, type Observer } from '../../../src/ports/observer.ts';
import type { Answer, Question } from '../../../src/protocol/questions.ts';
import { asking } from '../../support/answers.ts';
import { decoders } from '../../support/decoders.ts';
import { memoryLog } from '../../support/log.ts';
import { searchForBank } from '../../support/questions.ts';
import { deadlyLeis, largeLei, longFilling, longLeis, plainLeis } from './query-worker-leis.ts';
import { bodyOf, company, later, publication, unavailable, WatchedPool } from './watched-pool.ts';

let watched: WatchedPool;
beforeEach(() => {
  watched = new WatchedPool();
});
afterEach(() => watched.end());

test('a publication that is opened while the threads start is open in each of them before it can be asked', async () => {
  const begun = watched.begin(2);
  const [failure] = await Promise.all([begun.open(publication), begun.started]);
  expect(failure).toBeNull();
  const answers = await Promise.all(
    plainLeis.slice(0, 8).map((lei) => asking(begun)(publication, company(lei))),
  );
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['found']));
  expect(begun.available()).toBe(2);
});

test('a publication that cannot be opened while the threads start fails its opening, not the threads', async () => {
  const begun = watched.begin(2);
  const [failure] = await Promise.all([begun.open(`${later}bad`), begun.started]);
  expect(failure).not.toBeNull();
  expect(begun.available()).toBe(2);
});

describe('asking', () => {
  test('returns each question of one tick its own answer, in as few batches as possible', async () => {
    const { ask } = await watched.start(1);
    const answers = await Promise.all(plainLeis.slice(0, 40).map((lei) => ask(publication, company(lei))));
    expect(answers.map((answer) => bodyOf(answer).lei)).toEqual(plainLeis.slice(0, 40));
    expect(watched.batches).toHaveLength(Math.ceil(40 / threadLimits.batchedQuestionsMax));
  });

  test('never mixes questions of different publications in a message', async () => {
    const threads = await watched.start(1);
    await threads.open(later);
    const ids = [publication, later, publication, later];
    const answers = await Promise.all(ids.map((id) => threads.ask(id, company(plainLeis[0] ?? ''))));
    expect(answers.map((answer) => bodyOf(answer).publication)).toEqual(ids);
  });

  test('sends the look-ups of one tick to one thread, in one batch', async () => {
    const threads = await watched.start(2);
    await Promise.all(plainLeis.slice(0, 10).map((lei) => threads.ask(publication, company(lei))));
    expect(watched.batches).toHaveLength(1);
  });

  test('spreads searches over the threads, and keeps look-ups on a thread without searches', async () => {
    const threads = await watched.start(3);
    watched.heldBack = [];
    const asked = [searchForBank, searchForBank, ...plainLeis.slice(0, 10).map(company)].map((each) =>
      threads.ask(publication, each),
    );
    const queued = threads.queued().toSorted((one, other) => one.quick - other.quick);
    expect(queued).toEqual([
      { quick: 0, slow: 1 },
      { quick: 0, slow: 1 },
      { quick: 10, slow: 0 },
    ]);
    watched.deliver();
    await Promise.all(asked);
  });

  test('sends look-ups to another thread if the first does not keep up', async () => {
    const threads = await watched.start(2);
    watched.heldBack = [];
    const many = Array.from({ length: threadLimits.quickQuestionsKeptUpMax + 10 }, () =>
      threads.ask(publication, company(plainLeis[0] ?? '')),
    );
    expect(threads.queued().map(({ quick }) => quick)).toEqual([threadLimits.quickQuestionsKeptUpMax, 10]);
    watched.deliver();
    await Promise.all(many);
  });

  test('returns a large body and the small ones around it complete and in order', async () => {
    const threads = await watched.start(1);
    const leis = [plainLeis[0] ?? '', largeLei, plainLeis[1] ?? '', 'ABSENT00000000000000'];
    const answers = await Promise.all(leis.map((lei) => threads.ask(publication, company(lei))));
    expect(answers.map((answer) => bodyOf(answer).lei ?? answer.outcome)).toEqual([
      ...leis.slice(0, 3),
      'not-found',
    ]);
    expect(bodyOf(answers[1] ?? { outcome: 'not-found' }).filling).toHaveLength(200_000);
  });

  test('returns bodies of more bytes than the shared memory has, complete and each to its own question', async () => {
    const threads = await watched.start(1);
    const leis = Array.from({ length: 120 }, (_, index) => longLeis[index % longLeis.length] ?? '');
    expect(120 * 40_000).toBeGreaterThan(4 * lineLimits.answerRingBytes);
    const answers = await Promise.all(leis.map((lei) => threads.ask(publication, company(lei))));
    answers.forEach((answer, index) => {
      const lei = leis[index] ?? '';
      expect(bodyOf(answer)).toEqual({ lei, filling: longFilling(lei) });
    });
  });

  test('answers questions of more bytes than the shared memory has', async () => {
    const threads = await watched.start(1);
    const q = '😀'.repeat(500);
    const longest = '😀'.repeat(lineLimits.questionRingBytes / 4);
    const questions = Array.from({ length: 200 }, (_, index): Question => {
      const text = index === 100 ? longest : q;
      return { kind: 'search', q: text, country: null, status: null, after: null, limit: 20 };
    });
    expect(200 * 2_000).toBeGreaterThan(lineLimits.questionRingBytes);
    const answers = await Promise.all(questions.map((question) => threads.ask(publication, question)));
    expect(new Set(answers.map((answer) => bodyOf(answer).query.q))).toEqual(new Set([q, longest]));
  });

  test('compresses a body so that the text can be restored byte by byte', async () => {
    const threads = await watched.start(1);
    const text = JSON.stringify({ name: 'Société Générale 株式会社'.repeat(500) });
    for (const coding of ['zstd', 'gzip', 'br'] as const) {
      const answer = await threads.ask(publication, {
        kind: 'compress',
        coding,
        body: new Uint8Array(Buffer.from(text)),
      });
      if (answer.outcome !== 'compressed') throw new Error(answer.outcome);
      expect(answer.bytes.length).toBeLessThan(1000);
      expect(decoders[coding](answer.bytes).toString()).toBe(text);
    }
  });

  test('reports a publication that no thread holds as gone', async () => {
    const threads = await watched.start(1);
    expect(await threads.ask(later, company(largeLei))).toEqual(unavailable('publication-gone'));
  });

  test('logs a bug in one answer, and answers the rest of its batch', async () => {
    const log = memoryLog();
    const threads = await watched.start(1, log);
    const leis = [plainLeis[0] ?? '', deadlyLeis.throws, plainLeis[1] ?? ''];
    const answers = await Promise.all(leis.map((lei) => threads.ask(publication, company(lei))));
    expect(answers.map(({ outcome }) => outcome)).toEqual(['found', 'unavailable', 'found']);
    expect(answers[1]).toEqual(unavailable('failed'));
    expect(log.lines[0]).toMatchObject({ level: 'error', message: 'A question failed: a bug' });
  });
});

describe('an observer', () => {
  test('learns how long every question waited and how long its answer took', async () => {
    const seen: Parameters<Observer['question']>[] = [];
    const observer: Observer = { ...nobody, watchesQuestions: true, question: (...each) => seen.push(each) };
    const begun = watched.begin(1, { observer });
    await begun.started;
    await begun.open(publication);
    await Promise.all([
      asking(begun)(publication, company(largeLei)),
      asking(begun)(publication, searchForBank),
    ]);
    expect(seen.map(([kind]) => kind).sort()).toEqual(['company', 'search']);
    // The pool's clock stands still here, the thread's does not.
    for (const [, waitMs, answerMs] of seen) {
      expect(waitMs).toBe(0);
      expect(answerMs).toBeGreaterThan(0);
    }
  });

  test('learns of a thread that ended by itself, and of none that was told to end', async () => {
    const ended = Promise.withResolvers<string>();
    let heard = 0;
    const threadEnded = (role: string, reason: string) => {
      heard++;
      ended.resolve(`${role}: ${reason}`);
    };
    const begun = watched.begin(1, { observer: { ...nobody, threadEnded } });
    await begun.started;
    watched.ports[0]?.terminate();
    expect(await ended.promise).toStartWith('query: ');
    await begun.end();
    expect(heard).toBe(1);
  });

  test('can read how many questions each thread has not answered', async () => {
    const threads = await watched.start(2);
    watched.heldBack = [];
    const asked = [company(largeLei), searchForBank, searchForBank].map((each) =>
      threads.ask(publication, each),
    );
    const sum = (kind: 'quick' | 'slow') => threads.queued().reduce((total, each) => total + each[kind], 0);
    expect([threads.queued().length, sum('quick'), sum('slow')]).toEqual([2, 1, 2]);
    watched.deliver();
    await Promise.all(asked);
    expect([sum('quick'), sum('slow')]).toEqual([0, 0]);
  });
});

describe('a thread that always has searches waiting', () => {
  test('still opens and closes publications, compresses bodies and answers look-ups', async () => {
    const threads = await watched.start(1);
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
    expect(watched.ports).toHaveLength(1);
  });
});

test('an idle thread practises; a failure in practice is logged, and callers are still answered', async () => {
  const failed = Promise.withResolvers<string>();
  const log = { error: failed.resolve };
  const begun = watched.begin(1, { log });
  await begun.started;
  expect(await begun.open(`${later}large`)).toBeNull();
  expect(await failed.promise).toBe('A question failed: It was asked for Practised 0.');
  const answered = await asking(begun)(`${later}large`, company('MANY0000000000000007'));
  expect(bodyOf(answered).name).toBe('Practised 7');
});

describe('the bounds of a question', () => {
  test('refuse a question past the limit of the queue at once, without a message', async () => {
    const threads = await watched.start(1);
    const question = company(plainLeis[0] ?? '');
    const asked = Array.from({ length: threadLimits.queuedQuickQuestionsPerThreadMax }, () =>
      threads.ask(publication, question),
    );
    const sent = watched.batches.length;
    const refused = threads.ask(publication, question);
    expect(watched.batches).toHaveLength(sent);
    expect(await refused).toEqual(unavailable('queue-full'));
    const outcomes = await Promise.all(asked);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['found']));
  });

  const slow: Question = { kind: 'relationships', lei: plainLeis[0] ?? '' };
  const { waitingQuestionsPerClientMax: perClient, slowQuestionsInThreadMax: inThread } = threadLimits;
  const refused = unavailable('queue-full');

  test('refuse slow questions of a client past its limit; look-ups and other clients still find room', async () => {
    const threads = await watched.start(1);
    const asked = Array.from({ length: inThread + perClient }, () => threads.ask(publication, slow, 'one'));
    expect(threads.waitingForTurn()).toBe(perClient);
    expect(await threads.ask(publication, slow, 'one')).toEqual(refused);
    expect((await threads.ask(publication, slow, 'another')).outcome).toBe('found');
    expect((await threads.ask(publication, company(plainLeis[0] ?? ''), 'one')).outcome).toBe('found');
    const outcomes = await Promise.all(asked);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['found']));
    expect((await threads.ask(publication, slow, 'one')).outcome).toBe('found');
  });

  test('refuse slow questions past the total limit, except a client’s first, up to twice the limit', async () => {
    const threads = await watched.start(2);
    const size = 2 * threadLimits.queuedSlowQuestionsPerThreadMax;
    const asked: Promise<Answer>[] = [];
    const ask = (times: number, client: (index: number) => string) => {
      for (let index = 0; index < times; index++) asked.push(threads.ask(publication, slow, client(index)));
    };
    ask(2 * inThread + size, (index) => `of two ${index >> 1}`);
    const second = threads.ask(publication, slow, `of two ${size >> 1}`);
    ask(size, (index) => `of one ${index}`);
    const first = threads.ask(publication, slow, 'too late');
    expect(await Promise.all([second, first])).toEqual([refused, refused]);
    const outcomes = await Promise.all(asked);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['found']));
  });

  test('refuse look-ups only if no thread has room for them', async () => {
    const threads = await watched.start(2);
    const quick = company(plainLeis[0] ?? '');
    const asked = Array.from({ length: 2 * threadLimits.queuedQuickQuestionsPerThreadMax }, () =>
      threads.ask(publication, quick),
    );
    expect(await threads.ask(publication, quick)).toEqual(refused);
    const outcomes = await Promise.all(asked);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['found']));
  });

  test('let the closing of a publication wait for slow questions about it that are still queued', async () => {
    const threads = await watched.start(1);
    const asked = Array.from({ length: 4 * inThread }, () => threads.ask(publication, slow));
    await threads.close(publication);
    const outcomes = await Promise.all(asked);
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['found']));
  });

  test('answer a question past its deadline with timeout, and replace a stuck thread', async () => {
    const log = memoryLog();
    const threads = await watched.start(1, log);
    const hanging = threads.ask(publication, company(deadlyLeis.hangs));
    await Bun.sleep(0);
    watched.clock += lineLimits.questionTimeoutMs + 1;
    expect(await hanging).toEqual(unavailable('timeout'));
    const behind = threads.ask(publication, company(plainLeis[0] ?? ''));
    await Bun.sleep(0);
    watched.clock += threadLimits.threadSilentMsMax;
    // The stuck thread can only be terminated; what waited behind it was past its deadline as well.
    expect(await behind).toEqual(unavailable('timeout'));
    expect(bodyOf(await threads.ask(publication, company(plainLeis[0] ?? ''))).lei).toBe(plainLeis[0]);
    expect(watched.ports).toHaveLength(2);
  });

  test('drop a late answer, and give later questions their own answers', async () => {
    const threads = await watched.start(1);
    watched.heldBack = [];
    const late = threads.ask(publication, company(plainLeis[0] ?? ''));
    await Bun.sleep(0);
    watched.clock += lineLimits.questionTimeoutMs + 1;
    expect(await late).toEqual(unavailable('timeout'));
    const next = threads.ask(publication, company(plainLeis[1] ?? ''));
    watched.deliver();
    expect(bodyOf(await next).lei).toBe(plainLeis[1]);
  });
});
