import { afterEach, beforeEach, expect, jest, test } from 'bun:test';
import { threadLimits } from '../../../src/dispatch/limits.ts';
import type { QueryCalls } from '../../../src/dispatch/query-threads.ts';
import { PoolThread, type SpawnThread, type ThreadEvents } from '../../../src/serve/threads/pool-thread.ts';
import { QueryThreads } from '../../../src/serve/threads/query-pool.ts';
import { CallingEnd, type ThreadCall } from '../../../src/threads/calls.ts';
import { memoryLog } from '../../support/log.ts';

const publication = '20261004T160000Z-00000001';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A thread that replies only what the test says, and a list of the calls it received. */
function silentPort() {
  const did: string[] = [];
  const open: ThreadCall<QueryCalls>[] = [];
  const calls = new CallingEnd<QueryCalls>((call) => {
    did.push(call.op);
    open.push(call);
  });
  const ready = Promise.withResolvers<void>();
  let events: ThreadEvents | null = null;
  const spawn: SpawnThread = (given) => {
    events = given;
    return {
      line: { busy: 0, sendBatch: () => undefined, compress: () => undefined },
      calls,
      ready: ready.promise,
      join: () => {
        throw new Error('No front thread joins here.');
      },
      terminate: () => void did.push('terminate'),
    };
  };
  return {
    spawn,
    did,
    begin: ready.resolve,
    /** Ends the oldest open call well. */
    reply: () => calls.receive({ call: open.shift()?.call ?? 0, result: null }),
    end(reason: string) {
      calls.endAll(new Error(reason));
      events?.ended(reason, () => undefined);
    },
  };
}

const silentEvents = {
  ended: () => undefined,
  news: { fault: () => undefined, damaged: () => undefined },
  answered: null,
  slowAnswered: () => undefined,
};

function silentThread() {
  const port = silentPort();
  return { ...port, thread: new PoolThread(port.spawn, silentEvents) };
}

/** Lets replies take effect. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test('a publication that is opened twice stays open, however late the first reply comes', async () => {
  const { thread, did, reply } = silentThread();
  const openings = [thread.open(publication), thread.open(publication)];
  reply();
  reply();
  await Promise.all(openings);
  expect([...thread.holds]).toEqual([publication]);
  expect(did).toEqual(['open', 'open']);
});

test('a publication that a thread opens after the time limit is closed there again', async () => {
  const { thread, did, reply } = silentThread();
  const outcome = thread.open(publication);
  jest.advanceTimersByTime(threadLimits.openTimeoutMs);
  expect(await outcome).toBe(`it took longer than ${threadLimits.openTimeoutMs} ms`);
  reply();
  await settled();
  expect([...thread.holds]).toEqual([]);
  expect(did).toEqual(['open', 'close']);
});

test('a thread that does not end by itself is terminated, and one that does is left alone', async () => {
  const [stuck, willing] = [silentThread(), silentThread()];
  const ending = [stuck.thread.end(), willing.thread.end()];
  willing.end('it ended');
  await ending[1];
  jest.advanceTimersByTime(threadLimits.threadEndTimeoutMs);
  expect([stuck.did, willing.did]).toEqual([['end', 'terminate'], ['end']]);
  stuck.end('it was ended');
  await ending[0];
});

test('a thread that does not close a publication in time is terminated, since it may hold its files for ever', async () => {
  const { spawn, did, begin, reply, end } = silentPort();
  const pool = new QueryThreads({ threads: 1, spawn, log: memoryLog() });
  begin();
  await pool.started;
  const opening = pool.open(publication);
  reply();
  expect(await opening).toBeNull();
  const closing = pool.close(publication);
  jest.advanceTimersByTime(threadLimits.openTimeoutMs);
  await closing;
  expect(did).toEqual(['open', 'close', 'terminate']);
  const ending = pool.end();
  end('it was ended');
  await ending;
});

test('a thread that ends as soon as it is ready counts as not started', async () => {
  const { spawn, begin, end } = silentPort();
  const pool = new QueryThreads({ threads: 1, spawn, log: memoryLog() });
  begin();
  await Promise.resolve();
  end('it ended');
  await expect(pool.started).rejects.toThrow('it ended while it was starting');
  expect(pool.available()).toBe(0);
});

test('a publication that is closed while a thread catches up is closed there before the thread can be asked', async () => {
  const { spawn, did, begin, reply, end } = silentPort();
  const pool = new QueryThreads({ threads: 1, spawn, log: memoryLog() });
  const opening = [pool.open('a'), pool.open('b')];
  begin();
  await settled();
  reply();
  await settled();
  const closing = pool.close('a');
  reply();
  await settled();
  expect([pool.available(), did]).toEqual([0, ['open', 'open', 'close']]);
  reply();
  await Promise.all([pool.started, closing]);
  expect(pool.available()).toBe(1);
  const ending = pool.end();
  end('it was ended');
  await Promise.all([ending, ...opening]);
});
