/** Runs a worker thread that answers its tasks in order, as seen by the asking thread. */

export interface AnsweringThread<Task, Answer> {
  /** How many tasks have no answer yet. */
  readonly waiting: number;
  /** Resolves once the thread has ended. */
  readonly ended: Promise<void>;
  /** Rejects if the thread has failed or ended, with the first reason. */
  ask(task: Task, transfer?: ArrayBuffer[]): Promise<Answer>;
  /** Sends a task that gets no answer. */
  tell(task: Task): void;
  /** Ends the thread at once. */
  terminate(): void;
}

/** The answer to the oldest task, a failure of the thread, or neither. */
type Meaning<Answer> = { readonly answer: Answer } | { readonly failure: Error } | null;

/** @param name begins the message of an error, such as "A thread that digests files" */
export function answeringThread<Task, News, Answer>(
  worker: Worker,
  name: string,
  meaningOf: (news: News) => Meaning<Answer>,
): AnsweringThread<Task, Answer> {
  const asked: PromiseWithResolvers<Answer>[] = [];
  const end = Promise.withResolvers<void>();
  let failure: Error | null = null;
  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of asked.splice(0)) reject(failure);
  };
  worker.onmessage = ({ data: news }: MessageEvent<News>) => {
    const meaning = meaningOf(news);
    if (meaning === null) return;
    if ('failure' in meaning) fail(meaning.failure);
    else asked.shift()?.resolve(meaning.answer);
  };
  worker.onerror = ({ message }) => fail(new Error(`${name} ended: ${message}`));
  worker.addEventListener('close', () => {
    fail(new Error(`${name} has ended.`));
    end.resolve();
  });
  return {
    get waiting() {
      return asked.length;
    },
    ended: end.promise,
    ask(task, transfer = []) {
      if (failure !== null) return Promise.reject(failure);
      const answer = Promise.withResolvers<Answer>();
      asked.push(answer);
      worker.postMessage(task, transfer);
      return answer.promise;
    },
    tell: (task) => worker.postMessage(task),
    terminate() {
      worker.onmessage = null;
      worker.terminate();
    },
  };
}

/** The thread with the fewest tasks; the first of several. @param threads at least one */
export function idlest<Thread extends { readonly waiting: number }>(threads: readonly Thread[]): Thread {
  return threads.reduce((best, thread) => (thread.waiting < best.waiting ? thread : best));
}

/** Tasks per thread that wait or are done: enough that none is idle while an answer is taken. */
const tasksPerThread = 2;

/**
 * Lets threads answer all tasks, some ahead of those taken, and returns the answers in order. @param threads at least
 * one
 */
export async function* answersInOrder<Task, Answer>(
  threads: readonly AnsweringThread<Task, Answer>[],
  tasks: Iterable<Task>,
): AsyncGenerator<Answer> {
  const asked: Promise<Answer>[] = [];
  for (const task of tasks) {
    const answer = idlest(threads).ask(task);
    // A failure is thrown when the answer is taken; until then nobody waits for it.
    answer.catch(() => {});
    asked.push(answer);
    if (asked.length < threads.length * tasksPerThread) continue;
    const next = asked.shift();
    if (next !== undefined) yield await next;
  }
  for (const answer of asked) yield await answer;
}
