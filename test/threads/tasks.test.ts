/** Tests both ends of a thread that does its tasks in order. */
import { afterEach, describe, expect, test } from 'bun:test';
import { ExpectedFailure } from '../../src/errors.ts';
import {
  ResultQueue,
  resultsInOrder,
  type TaskPlace,
  TaskThread,
  tasksHere,
} from '../../src/threads/tasks.ts';
import { type TestedNews, type TestedTasks, workingTasks } from '../support/working-tasks.ts';

type Thread = TaskThread<TestedTasks, TestedNews>;

const threadUrl = new URL('../support/working-thread.ts', import.meta.url).href;
const started: Thread[] = [];

function start(number: (value: number) => void = () => {}): Thread {
  const thread: Thread = new TaskThread(new Worker(threadUrl), 'A tested thread', { number });
  started.push(thread);
  return thread;
}

function startHere(number: (value: number) => void = () => {}): TaskPlace<TestedTasks> {
  return tasksHere<TestedTasks, TestedNews>(workingTasks, 'A tested thread', { number });
}

afterEach(() => {
  for (const thread of started.splice(0)) thread.terminate();
});

/** The error of a task. */
function failureOf(task: Promise<unknown>): Promise<unknown> {
  return task.then(
    () => null,
    (error: unknown) => error,
  );
}

test('a thread tells how many tasks wait, of which none is only told', async () => {
  const thread = start();
  const later = thread.do('giveLater', [1]);
  thread.tell('give', [3]);
  const soon = thread.do('give', [2]);
  expect(thread.waiting).toBe(2);
  await Promise.all([later, soon]);
  expect(thread.waiting).toBe(0);
});

describe.each([
  ['another', start],
  ['the calling', startHere],
] as const)('%s thread that does its tasks', (_, start) => {
  test('does them in order, also if one takes longer than the next, and answers none that is only told', async () => {
    const thread = start();
    const ends: number[] = [];
    const later = thread.do('giveLater', [1]).then((number) => ends.push(number));
    thread.tell('give', [3]);
    const soon = thread.do('give', [2]).then((number) => ends.push(number));
    await Promise.all([later, soon]);
    expect(ends).toEqual([1, 2]);
  });

  test('tells news before the answer of their task', async () => {
    const heard: number[] = [];
    const thread = start((news) => void heard.push(news));
    await thread.do('tellAndGive', [7]);
    expect(heard).toEqual([7]);
  });

  test('fails if its news cannot be taken', async () => {
    const thread = start(() => {
      throw new Error('no room for news');
    });
    await expect(thread.do('tellAndGive', [7])).rejects.toThrow('no room for news');
    await expect(thread.do('give', [1])).rejects.toThrow('no room for news');
  });

  test('keeps what an expected failure says, and that it is one', async () => {
    const failure = await failureOf(start().do('refuse', []));
    expect(failure).toBeInstanceOf(ExpectedFailure);
    expect(failure).toMatchObject({ code: 'too-late', message: 'comes too late' });
  });

  test("keeps the message, the code and the call of the system's error, and the place of a bug", async () => {
    const failure = await failureOf(start().do('read', ['/no such file']));
    expect(failure).not.toBeInstanceOf(ExpectedFailure);
    expect(failure).toMatchObject({
      code: 'ENOENT',
      syscall: 'open',
      stack: expect.stringContaining('working-tasks.ts'),
    });
    expect(String(failure)).toContain('/no such file');
  });

  test('that has failed answers nothing more, with the first reason', async () => {
    const thread = start();
    const first = failureOf(thread.do('refuse', []));
    const waiting = failureOf(thread.do('give', [1]));
    const reason = await first;
    expect(await waiting).toBe(reason);
    expect(await failureOf(thread.do('give', [2]))).toBe(reason);
  });

  test('that is terminated fails all who wait for a result, and does no further task', async () => {
    const heard: number[] = [];
    const thread = start((news) => void heard.push(news));
    const waiting = failureOf(thread.do('tellAndGive', [1]));
    thread.terminate();
    expect(String(await waiting)).toBe('Error: A tested thread has ended.');
    expect(String(await failureOf(thread.do('give', [1])))).toContain('has ended');
    expect(heard).toEqual([]);
  });
});

test('a thread that ends without a result fails all who wait for one', async () => {
  const thread = start();
  const waiting = failureOf(thread.do('end', []));
  expect(String(await waiting)).toBe('Error: A tested thread has ended.');
  await thread.ended;
  expect(String(await failureOf(thread.do('give', [1])))).toContain('has ended');
});

describe('results that are still to come', () => {
  test('are taken in the order of their tasks, however many threads there are', async () => {
    const numbers = Array.from({ length: 20 }, (_, number) => number);
    const give = (thread: Thread, number: number) =>
      thread.do(number % 3 === 0 ? 'giveLater' : 'give', [number]);
    const taken: number[] = [];
    for await (const number of resultsInOrder([start(), start()], numbers, give)) taken.push(number);
    expect(taken).toEqual(numbers);
  });

  test('throw a failure when it is taken, after the results before it', async () => {
    const asked = new ResultQueue<number>();
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
