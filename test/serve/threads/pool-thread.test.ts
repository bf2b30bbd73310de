import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { threadLimits } from '../../../src/dispatch/limits.ts';
import { PoolThread } from '../../../src/serve/threads/pool-thread.ts';
import { createQueryPool } from '../../../src/serve/threads/query-pool.ts';
import type { SpawnThread, ThreadEvents } from '../../../src/serve/threads/thread-port.ts';
import { memoryLog } from '../../support/log.ts';

const publication = '20261004T160000Z-00000001';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A line whose thread reports only what the test says, and a list of the commands it received. */
function silentLine() {
  const did: string[] = [];
  const line = Promise.withResolvers<ThreadEvents>();
  const spawn: SpawnThread = (events) => {
    line.resolve(events);
    return {
      busy: 0,
      ask: () => undefined,
      join: () => {
        throw new Error('No front thread joins here.');
      },
      compress: () => undefined,
      post: ({ op }) => void did.push(op),
      terminate: () => void did.push('terminate'),
    };
  };
  return { spawn, did, events: line.promise };
}

const silentEvents = {
  ended: () => undefined,
  fault: () => undefined,
  damaged: () => undefined,
  answered: null,
  slowAnswered: () => undefined,
};

function silentThread() {
  const line = silentLine();
  return { ...line, thread: new PoolThread(line.spawn, silentEvents) };
}

/** Lets reports take effect. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test('a publication that is opened twice stays open, however late the first report comes', async () => {
  const { thread, did, events } = silentThread();
  void thread.open(publication);
  void thread.open(publication);
  for (let count = 0; count < 2; count++) (await events).report({ report: 'opened', id: publication });
  expect([...thread.holds]).toEqual([publication]);
  expect(did).toEqual(['open', 'open']);
});

test('a publication that a thread opens after the time limit is closed there again', async () => {
  const { thread, did, events } = silentThread();
  const outcome = thread.open(publication);
  jest.advanceTimersByTime(threadLimits.openTimeoutMs);
  expect(await outcome).toBe(`it took longer than ${threadLimits.openTimeoutMs} ms`);
  (await events).report({ report: 'opened', id: publication });
  expect([...thread.holds]).toEqual([]);
  expect(did).toEqual(['open', 'close']);
});

test('a thread that does not end by itself is terminated, and one that does is left alone', async () => {
  const [stuck, willing] = [silentThread(), silentThread()];
  const ending = [stuck.thread.end(), willing.thread.end()];
  (await willing.events).ended('it ended', () => undefined);
  await ending[1];
  jest.advanceTimersByTime(threadLimits.threadEndTimeoutMs);
  expect([stuck.did, willing.did]).toEqual([['end', 'terminate'], ['end']]);
  (await stuck.events).ended('it was ended', () => undefined);
  await ending[0];
});

test('a thread that does not close a publication in time is terminated, since it may hold its files for ever', async () => {
  const { spawn, did, events } = silentLine();
  const pool = createQueryPool({ threads: 1, spawn, log: memoryLog() });
  const line = await events;
  line.report({ report: 'ready' });
  await pool.started;
  const opening = pool.open(publication);
  line.report({ report: 'opened', id: publication });
  expect(await opening).toBeNull();
  const closing = pool.close(publication);
  jest.advanceTimersByTime(threadLimits.openTimeoutMs);
  await closing;
  expect(did).toEqual(['open', 'close', 'terminate']);
  const ending = pool.end();
  line.ended('it was ended', () => undefined);
  await ending;
});

test('a thread that ends as soon as it is ready counts as not started', async () => {
  const { spawn, events } = silentLine();
  const pool = createQueryPool({ threads: 1, spawn, log: memoryLog() });
  const line = await events;
  line.report({ report: 'ready' });
  line.ended('it ended', () => undefined);
  await expect(pool.started).rejects.toThrow('it ended while it was starting');
  expect(pool.available()).toBe(0);
});

test('a publication that is closed while a thread catches up is closed there before the thread can be asked', async () => {
  const { spawn, did, events } = silentLine();
  const pool = createQueryPool({ threads: 1, spawn, log: memoryLog() });
  const opening = [pool.open('a'), pool.open('b')];
  const line = await events;
  line.report({ report: 'ready' });
  await settled();
  line.report({ report: 'opened', id: 'a' });
  await settled();
  const closing = pool.close('a');
  line.report({ report: 'opened', id: 'b' });
  await settled();
  expect([pool.available(), did]).toEqual([0, ['open', 'open', 'close']]);
  line.report({ report: 'closed', id: 'a' });
  await Promise.all([pool.started, closing]);
  expect(pool.available()).toBe(1);
  const ending = pool.end();
  line.ended('it was ended', () => undefined);
  await Promise.all([ending, ...opening]);
});
