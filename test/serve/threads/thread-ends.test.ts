/** Tests what happens to questions and publications when query threads end, and when the pool does. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { lineLimits, threadLimits } from '../../../src/dispatch/limits.ts';
import { workerThreads } from '../../../src/serve/threads/pool-thread.ts';
import { QueryThreads } from '../../../src/serve/threads/query-pool.ts';
import { asking } from '../../support/answers.ts';
import { heardLog, memoryLog } from '../../support/log.ts';
import { deadlyLeis, largeLei, plainLeis } from './query-worker-leis.ts';
import { bodyOf, company, later, publication, unavailable, WatchedPool } from './watched-pool.ts';

let watched: WatchedPool;
beforeEach(() => {
  watched = new WatchedPool();
});
afterEach(() => watched.end());

/** Ends the first thread. @returns a function that delivers the reports of its replacement */
async function endFirst(log: ReturnType<typeof heardLog>): Promise<() => void> {
  const starts = Promise.withResolvers<void>();
  watched.starts = starts;
  const ended = log.next('A query thread ended');
  watched.ports[0]?.terminate();
  await ended;
  return starts.resolve;
}

describe('a thread that ends', () => {
  test('loses no question: its replacement is asked again', async () => {
    const threads = await watched.start(1);
    const questions = plainLeis.map((lei) => threads.ask(publication, company(lei)));
    watched.ports[0]?.terminate();
    const answers = await Promise.all(questions);
    expect(answers.map((answer) => bodyOf(answer).lei)).toEqual([...plainLeis]);
  });

  test('leaves its work to the other threads, repeatedly and under load', async () => {
    const threads = await watched.start(2);
    let answered = 0;
    for (let round = 0; round < 10; round++) {
      const questions = Array.from({ length: 200 }, (_, index) =>
        threads.ask(publication, company(plainLeis[index % 50] ?? '')),
      );
      await Bun.sleep(0);
      watched.ports.at(-1)?.terminate();
      const answers = await Promise.all(questions);
      answered += answers.filter(({ outcome }) => outcome === 'found').length;
    }
    expect(answered).toBe(2000);
  });

  test('because of a question fails only that question, and only at the second end', async () => {
    const log = memoryLog();
    const threads = await watched.start(2, log);
    const deadly = threads.ask(publication, company(deadlyLeis.exits));
    expect(await deadly).toEqual(unavailable('failed'));
    expect(log.lines.filter(({ message }) => message.startsWith('A query thread ended'))).toHaveLength(2);
    expect(bodyOf(await threads.ask(publication, company(largeLei))).lei).toBe(largeLei);
    expect(watched.ports.length).toBeGreaterThanOrEqual(3);
  });

  test('leaves its questions to the other threads at once, before it is replaced', async () => {
    const log = heardLog();
    const threads = await watched.start(2, log);
    watched.heldBack = [];
    const answer = threads.ask(publication, company(plainLeis[0] ?? ''));
    await Bun.sleep(0);
    await endFirst(log);
    watched.heldBack = null;
    expect(bodyOf(await answer).lei).toBe(plainLeis[0]);
    expect(threads.available()).toBe(1);
  });

  test('as the last one lets a bounded number of questions wait for the next, each until its deadline', async () => {
    const log = heardLog();
    const threads = await watched.start(1, log);
    await endFirst(log);
    const ask = () => threads.ask(publication, company(plainLeis[0] ?? ''));
    const waiting = Array.from({ length: threadLimits.queuedSlowQuestionsPerThreadMax }, ask);
    expect(await ask()).toEqual(unavailable('queue-full'));
    watched.clock += lineLimits.questionTimeoutMs;
    const outcomes = (await Promise.all(waiting)).map((answer) => bodyOf(answer).reason);
    expect(new Set(outcomes)).toEqual(new Set(['timeout']));
    const last = ask();
    void threads.end();
    expect(await last).toEqual(unavailable('shutting-down'));
  });

  test('while it replaces another counts as not started, and the other threads stay', async () => {
    const log = heardLog();
    const threads = await watched.start(2, log);
    await endFirst(log);
    await Bun.sleep(0);
    const failed = log.next('A query thread could not be started');
    watched.ports[2]?.terminate();
    await failed;
    expect(threads.available()).toBe(1);
    expect(log.lines.map(({ message }) => message.split(';')[0])).toEqual([
      'A query thread ended',
      'A query thread could not be started',
    ]);
  });

  test('is replaced again until a replacement starts, or until the publication that prevents it is given up', async () => {
    const log = heardLog();
    const asked: string[] = [];
    const giveUp = (id: string) => asked.push(id) === 2;
    const begun = watched.begin(1, { log, giveUp });
    await begun.started;
    for (const id of [publication, `${later}half`]) expect(await begun.open(id)).toBeNull();
    watched.ports[0]?.terminate();
    await log.next('A query thread could not be started');
    const answers = [publication, `${later}half`].map((id) => asking(begun)(id, company(largeLei)));
    expect((await Promise.all(answers)).map((answer) => bodyOf(answer).reason)).toEqual([
      undefined,
      'publication-gone',
    ]);
    expect(asked).toEqual([`${later}half`, `${later}half`]);
    expect([watched.ports.length, watched.alive]).toEqual([3, 1]);
  });

  test('is not asked again by callers that receive its last answers', async () => {
    const threads = watched.begin(1);
    await threads.started;
    await threads.open(publication);
    const available = new Promise<number>((resolve) => {
      threads.ask({
        publicationId: publication,
        question: company(plainLeis[0] ?? ''),
        take: ({ outcome }) => resolve(outcome === 'found' ? threads.available() : Number.NaN),
      });
    });
    // Asked together with it, so that the thread ends before it reports the answer.
    const deadly = asking(threads)(publication, company(deadlyLeis.exits));
    expect(await available).toBe(0);
    expect((await deadly).outcome).toBe('unavailable');
  });

  test('is replaced by one that holds all that the others hold', async () => {
    const threads = await watched.start(1);
    await threads.open(later);
    watched.ports[0]?.terminate();
    for (const id of [publication, later]) {
      expect(bodyOf(await threads.ask(id, company(plainLeis[0] ?? ''))).publication).toBe(id);
    }
  });
});

describe('opening and closing publications', () => {
  test('fails for a publication that cannot be opened: no thread holds it, and the reason is reported', async () => {
    const threads = await watched.start(2);
    expect(await threads.open(`${later}bad`)).toBe('The environment is damaged.');
    const answer = await threads.ask(`${later}bad`, company(largeLei));
    expect(answer).toEqual(unavailable('publication-gone'));
    expect((await threads.ask(publication, company(largeLei))).outcome).toBe('found');
  });

  test('does not ask a replacement to open a publication that could not be opened', async () => {
    const threads = await watched.start(1);
    await threads.open(`${later}bad`);
    watched.ports[0]?.terminate();
    expect((await threads.ask(publication, company(largeLei))).outcome).toBe('found');
  });

  test('closes a publication that only some threads can open', async () => {
    const threads = await watched.start(2);
    expect(await threads.open(`${later}half`)).toBe('Only the first thread can open it.');
    const asked = [0, 1].map(() => threads.ask(`${later}half`, company(largeLei)));
    expect(await Promise.all(asked)).toEqual([
      unavailable('publication-gone'),
      unavailable('publication-gone'),
    ]);
  });

  test('replaces a thread that ends while opening, and continues the opening', async () => {
    const threads = await watched.start(2);
    expect(await threads.open(`${later}dead`)).toBeNull();
    expect(watched.ports).toHaveLength(3);
    const answer = await threads.ask(`${later}dead`, company(largeLei));
    expect(answer.outcome).toBe('found');
  });

  test('waits with closing for a thread that is catching up, which may have the publication open', async () => {
    const ended = Promise.withResolvers<unknown>();
    const begun = watched.begin(1, { log: { error: ended.resolve } });
    await begun.started;
    await begun.open(publication);
    watched.ports[0]?.terminate();
    await ended.promise;
    expect(begun.available()).toBe(0);
    await begun.close(publication);
    expect(begun.available()).toBe(1);
    expect(await asking(begun)(publication, company(plainLeis[0] ?? ''))).toMatchObject({
      reason: 'publication-gone',
    });
  });

  test('allows a closed publication to be opened again', async () => {
    const threads = await watched.start(2);
    await threads.close(publication);
    expect(await threads.open(publication)).toBeNull();
    expect((await threads.ask(publication, company(plainLeis[0] ?? ''))).outcome).toBe('found');
  });

  test('waits with closing for the questions that were asked before', async () => {
    const threads = await watched.start(1);
    const question = threads.ask(publication, company(plainLeis[0] ?? ''));
    await threads.close(publication);
    expect((await question).outcome).toBe('found');
    expect(await threads.ask(publication, company(plainLeis[0] ?? ''))).toEqual(
      unavailable('publication-gone'),
    );
  });
});

describe('ending the pool', () => {
  test('finishes the questions asked before and refuses later ones', async () => {
    const threads = await watched.start(2);
    const before = plainLeis.map((lei) => threads.ask(publication, company(lei)));
    const ended = threads.end();
    expect(await threads.ask(publication, company(largeLei))).toEqual(unavailable('shutting-down'));
    await ended;
    const outcomes = (await Promise.all(before)).map(({ outcome }) => outcome);
    expect(new Set(outcomes)).toEqual(new Set(['found']));
  });

  test('ends a thread that is still starting too', async () => {
    const log = heardLog();
    const threads = await watched.start(1, log);
    const letStart = await endFirst(log);
    await Bun.sleep(0);
    const end = threads.end();
    letStart();
    await end;
    expect([watched.ports.length, watched.alive]).toEqual([2, 0]);
  });

  test('ends an opening that waits for a thread', async () => {
    watched.starts = Promise.withResolvers();
    const begun = watched.begin(1);
    const started = begun.started.catch((error: unknown) => error);
    const opening = begun.open(publication);
    const end = begun.end();
    watched.ports[0]?.terminate();
    expect(await opening).toBe('no query thread is available');
    await Promise.all([end, started]);
  });

  test('refuses the questions of a thread that ends meanwhile', async () => {
    const threads = await watched.start(1);
    const deadly = threads.ask(publication, company(deadlyLeis.exits));
    await threads.end();
    expect(await deadly).toEqual(unavailable('shutting-down'));
  });

  test('a thread that does not start fails the start, with the reason', async () => {
    const begun = new QueryThreads({
      threads: 1,
      spawn: workerThreads(
        { dataDir: '', basePath: '' },
        new URL('./no-such-worker.ts', import.meta.url).href,
      ),
      log: memoryLog(),
    });
    await expect(begun.started).rejects.toThrow('could not be started');
  });
});
