/** A worker thread that does tasks one after the other: both ends of it. It has failed once a task has failed. */
import {
  answer,
  type CallHandlers,
  CallingEnd,
  type CallMap,
  type CallReply,
  type ThreadCall,
} from './calls.ts';

/** A thread that tells no news. */
type NoNews = Readonly<Record<never, never>>;

/**
 * Runs in the thread: does the tasks that come, in order.
 * @param port its own side; call this before any await, because messages without a handler are dropped
 * @param handlersOf receives what tells news to the starting thread
 */
export function doTasks<Tasks extends CallMap<Tasks>, News extends CallMap<News> = NoNews>(
  port: Worker,
  handlersOf: (news: Pick<CallingEnd<News>, 'tell'>) => CallHandlers<Tasks>,
): void {
  const handlers = handlersOf(new CallingEnd<News>((news, memory) => port.postMessage(news, memory)));
  const post = (reply: CallReply<Tasks>, memory: Bun.Transferable[]) => port.postMessage(reply, memory);
  let done = Promise.resolve();
  port.onmessage = ({ data: task }: MessageEvent<ThreadCall<Tasks>>) => {
    done = done.then(() => answer(handlers, task, post));
  };
}

/** The thread as the one that started it sees it. */
export class TaskThread<Tasks extends CallMap<Tasks>, News extends CallMap<News> = NoNews> {
  readonly #worker: Worker;
  readonly #caller: CallingEnd<Tasks>;
  /** Resolves once the thread has ended. */
  readonly ended: Promise<void>;

  /**
   * @param worker whose entry point calls {@link doTasks}
   * @param name begins the message of an error, such as "A thread that digests files"
   * @param news receives news; if one throws, the thread has failed
   */
  constructor(worker: Worker, name: string, news: CallHandlers<News>) {
    this.#worker = worker;
    this.#caller = new CallingEnd<Tasks>((task, memory) => worker.postMessage(task, memory));
    worker.onmessage = ({ data }: MessageEvent<CallReply<Tasks> | ThreadCall<News>>) => {
      if ('op' in data) answer(news, data, () => {}).catch(this.#fail);
      else this.#caller.receive(data);
    };
    const ended = Promise.withResolvers<void>();
    this.ended = ended.promise;
    whenEnded(worker, (reason) => {
      this.#fail(new Error(reason === undefined ? `${name} has ended.` : `${name} ended: ${reason}`));
      ended.resolve();
    });
  }

  readonly #fail = (reason: Error) => {
    this.#worker.onmessage = null;
    this.#caller.endAll(reason);
  };

  /** How many tasks are not done yet. */
  get waiting(): number {
    return this.#caller.open;
  }

  /**
   * Sends a task.
   * @param memory that moves to the thread
   * @returns the result. Rejects if the thread has failed or ended, with the first reason
   */
  readonly do: CallingEnd<Tasks>['call'] = (task, values, memory) => {
    const result = this.#caller.call(task, values, memory);
    // The caller learns the reason when it takes the result; until then nobody waits for it.
    result.catch(this.#fail);
    return result;
  };

  /** Sends a task that gets no answer. */
  readonly tell: CallingEnd<Tasks>['tell'] = (task, values, memory) =>
    this.#caller.tell(task, values, memory);

  /** Ends the thread at once. */
  readonly terminate = () => {
    this.#worker.onmessage = null;
    this.#worker.terminate();
  };
}

/** Where tasks are done: a thread, or the calling one. */
export type TaskPlace<Tasks extends CallMap<Tasks>> = Pick<TaskThread<Tasks>, 'do' | 'tell' | 'terminate'>;

/**
 * Does tasks in the calling thread, with the same outcome as a {@link TaskThread}: for work that takes less time than a
 * thread needs to start. Memory stays where it is. The parameters are those of both ends of a thread.
 */
export function tasksHere<Tasks extends CallMap<Tasks>, News extends CallMap<News> = NoNews>(
  handlersOf: (news: Pick<CallingEnd<News>, 'tell'>) => CallHandlers<Tasks>,
  name: string,
  news: CallHandlers<News>,
): TaskPlace<Tasks> {
  let hasEnded = false;
  const end = (reason: Error) => {
    hasEnded = true;
    caller.endAll(reason);
  };
  const handlers = handlersOf(new CallingEnd<News>((told) => void answer(news, told, () => {}).catch(end)));
  let done = Promise.resolve();
  const caller = new CallingEnd<Tasks>((task) => {
    done = done.then(async () => {
      if (!hasEnded) await answer(handlers, task, (reply) => caller.receive(reply)).catch(end);
    });
  });
  return {
    do(task, values) {
      const result = caller.call(task, values);
      result.catch(end);
      return result;
    },
    tell: (task, values) => caller.tell(task, values),
    terminate: () => end(new Error(`${name} has ended.`)),
  };
}

/** Calls back once, for any end of a worker. There is no reason if it ended by itself. */
export function whenEnded(worker: Worker, ended: (reason?: string) => void): void {
  let reason: string | undefined;
  worker.onerror = ({ message }) => {
    reason = message;
  };
  worker.addEventListener('close', () => ended(reason));
}

/** The thread with the fewest tasks; the first of several. @param threads at least one */
export function idlest<Thread extends { readonly waiting: number }>(threads: readonly Thread[]): Thread {
  return threads.reduce((best, thread) => (thread.waiting < best.waiting ? thread : best));
}

/** Results that are still to come, in the order of their tasks. A failure is thrown when its result is taken. */
export class ResultQueue<Result> {
  readonly #coming: Promise<Result>[] = [];

  add(result: Promise<Result>): void {
    result.catch(() => {});
    this.#coming.push(result);
  }

  /** Takes the oldest until at most `left` remain. */
  async *downTo(left: number): AsyncGenerator<Result> {
    while (this.#coming.length > left) {
      const next = this.#coming.shift();
      if (next !== undefined) yield await next;
    }
  }
}

/** Tasks per thread that wait or are done: enough that none is idle while a result is taken. */
const tasksPerThread = 2;

/**
 * Lets threads do all tasks, some ahead of the results that are taken, and returns the results in order.
 * @param threads at least one
 */
export async function* resultsInOrder<Thread extends { readonly waiting: number }, Task, Result>(
  threads: readonly Thread[],
  tasks: Iterable<Task>,
  start: (thread: Thread, task: Task) => Promise<Result>,
): AsyncGenerator<Result> {
  const results = new ResultQueue<Result>();
  for (const task of tasks) {
    results.add(start(idlest(threads), task));
    yield* results.downTo(threads.length * tasksPerThread - 1);
  }
  yield* results.downTo(0);
}
