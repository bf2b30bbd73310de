/** Tests both ends of a thread that answers its tasks in order. */
import { afterEach, describe, expect, test } from 'bun:test';
import { ExpectedFailure } from '../../src/errors.ts';
import {
  type AnsweringThread,
  Awaited,
  answeringThread,
  answersInOrder,
} from '../../src/threads/answering-thread.ts';
import type { Turn } from '../support/answering-worker.ts';

type Thread = AnsweringThread<Turn, Uint8Array>;

const threadUrl = new URL('../support/answering-worker.ts', import.meta.url).href;
const started: Thread[] = [];

function start(hear?: (news: number) => void): Thread {
  const thread: Thread = answeringThread(new Worker(threadUrl), 'A tested thread', hear);
  started.push(thread);
  return thread;
}

afterEach(() => {
  for (const thread of started.splice(0)) thread.terminate();
});

/** The error of a task. */
function failureOf(thread: Thread, task: Turn): Promise<unknown> {
  return thread.ask(task).then(
    () => null,
    (error: unknown) => error,
  );
}

describe('a thread that answers its tasks', () => {
  test('answers in order, also if a task takes longer than the next, and leaves out those without an answer', async () => {
    const thread = start();
    const later = thread.ask({ turn: 'answer-later', number: 1 });
    thread.tell({ turn: 'no-answer' });
    const soon = thread.ask({ turn: 'answer', number: 2 });
    expect(thread.waiting).toBe(2);
    expect((await Promise.all([later, soon])).map(([number]) => number)).toEqual([1, 2]);
    expect(thread.waiting).toBe(0);
  });

  test('tells news before the answer of their task', async () => {
    const heard: number[] = [];
    const thread = start((news) => void heard.push(news));
    await thread.ask({ turn: 'news', number: 7 });
    expect(heard).toEqual([7]);
  });

  test('fails if its news cannot be taken', async () => {
    const thread = start(() => {
      throw new Error('no room for news');
    });
    await expect(thread.ask({ turn: 'news', number: 7 })).rejects.toThrow('no room for news');
    await expect(thread.ask({ turn: 'answer', number: 1 })).rejects.toThrow('no room for news');
  });

  test('keeps what an expected failure says, and that it is one', async () => {
    const failure = await failureOf(start(), { turn: 'refuse' });
    expect(failure).toBeInstanceOf(ExpectedFailure);
    expect(failure).toMatchObject({ code: 'too-late', message: 'comes too late' });
  });

  test("keeps the message, the code and the call of the system's error, and the place of a bug", async () => {
    const failure = await failureOf(start(), { turn: 'read', path: '/no such file' });
    expect(failure).not.toBeInstanceOf(ExpectedFailure);
    expect(failure).toMatchObject({
      code: 'ENOENT',
      syscall: 'open',
      stack: expect.stringContaining('answering-worker.ts'),
    });
    expect(String(failure)).toContain('/no such file');
  });

  test('that has failed answers nothing more, with the first reason', async () => {
    const thread = start();
    const first = failureOf(thread, { turn: 'refuse' });
    const waiting = failureOf(thread, { turn: 'answer', number: 1 });
    const reason = await first;
    expect(await waiting).toBe(reason);
    expect(await failureOf(thread, { turn: 'answer', number: 2 })).toBe(reason);
  });

  test('that ends without an answer fails all who wait for one', async () => {
    const thread = start();
    const waiting = failureOf(thread, { turn: 'end' });
    expect(String(await waiting)).toBe('Error: A tested thread has ended.');
    await thread.ended;
    expect(String(await failureOf(thread, { turn: 'answer', number: 1 }))).toContain('has ended');
  });
});

describe('answers that are still to come', () => {
  test('are taken in the order of their questions, however many threads there are', async () => {
    const numbers = Array.from({ length: 20 }, (_, number) => number);
    const tasks = numbers.map((number): Turn => ({ turn: number % 3 ? 'answer' : 'answer-later', number }));
    const answers: unknown[] = [];
    for await (const [number] of answersInOrder([start(), start()], tasks)) answers.push(number);
    expect(answers).toEqual(numbers);
  });

  test('throw a failure when it is taken, after the answers before it', async () => {
    const asked = new Awaited<number>();
    asked.add(Promise.resolve(1));
    asked.add(Promise.reject(new Error('the second')));
    asked.add(Promise.resolve(3));
    const taken: number[] = [];
    const take = async () => {
      for await (const answer of asked.downTo(0)) taken.push(answer);
    };
    await expect(take()).rejects.toThrow('the second');
    expect(taken).toEqual([1]);
  });
});
