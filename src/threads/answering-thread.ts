/** Runs a worker thread that answers its tasks in order: both ends of it, and the form of what crosses between them. */
import { ExpectedFailure, errorCode, placeOf, reasonOf } from '../errors.ts';

/** From the thread: the answer to the oldest task, why a task failed, or news on the way. */
type Message<Answer, News> =
  | { readonly answer: Answer }
  | { readonly failure: Failure }
  | { readonly news: News };

/** The parts of an error, which would lose some of them on its way to another thread. */
interface Failure extends Pick<ExpectedFailure, 'message' | 'code'> {
  readonly stack: string;
  readonly isExpected: boolean;
  /** Of the system's error; null for any other. */
  readonly syscall: string | null;
}

/**
 * Runs in the thread: carries out the tasks that come, one after the other.
 * @param run returns the answer; undefined for a task that gets none
 * @param memoryOf the memory of an answer that goes over to the asking thread
 */
export function answerTasks<Task, Answer, News = never>(
  port: Worker,
  run: (task: Task, tell: (news: News) => void) => Answer | undefined | Promise<Answer | undefined>,
  memoryOf: (answer: Answer) => ArrayBuffer[] = () => [],
): void {
  const send = (message: Message<Answer, News>, memory: ArrayBuffer[] = []) =>
    port.postMessage(message, memory);
  const carryOut = async (task: Task) => {
    try {
      const answer = await run(task, (news) => send({ news }));
      if (answer !== undefined) send({ answer }, memoryOf(answer));
    } catch (error) {
      send({ failure: partsOf(error) });
    }
  };
  let done = Promise.resolve();
  port.onmessage = ({ data: task }: MessageEvent<Task>) => {
    done = done.then(() => carryOut(task));
  };
}

function partsOf(error: unknown): Failure {
  const isExpected = error instanceof ExpectedFailure;
  const syscall = error instanceof Error && 'syscall' in error ? String(error.syscall) : null;
  return { message: reasonOf(error), code: errorCode(error), stack: placeOf(error), isExpected, syscall };
}

function errorOf({ message, code, stack, isExpected, syscall }: Failure): Error {
  if (isExpected) return new ExpectedFailure(code, message);
  return Object.assign(new Error(message), { code, stack }, syscall === null ? {} : { syscall });
}

/** A thread as the asking thread sees it. */
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

/**
 * @param worker whose entry point calls {@link answerTasks}
 * @param name begins the message of an error, such as "A thread that digests files"
 * @param hear receives news; if it throws, the thread has failed
 */
export function answeringThread<Task, Answer, News = never>(
  worker: Worker,
  name: string,
  hear: (news: News) => void = () => {},
): AnsweringThread<Task, Answer> {
  const asked: PromiseWithResolvers<Answer>[] = [];
  const end = Promise.withResolvers<void>();
  let failure: unknown = null;
  const fail = (error: unknown) => {
    failure ??= error;
    for (const { reject } of asked.splice(0)) reject(failure);
  };
  const receive = (message: Message<Answer, News>) => {
    if ('failure' in message) fail(errorOf(message.failure));
    else if ('news' in message) hear(message.news);
    else asked.shift()?.resolve(message.answer);
  };
  worker.onmessage = ({ data }: MessageEvent<Message<Answer, News>>) => {
    if (failure !== null) return;
    try {
      receive(data);
    } catch (error) {
      fail(error);
    }
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

/**
 * Answers that are still to come, in the order of their questions. A failure is thrown when its answer is taken; until
 * then nobody waits for it.
 */
export class Awaited<Answer> {
  readonly #asked: Promise<Answer>[] = [];

  add(answer: Promise<Answer>): void {
    answer.catch(() => {});
    this.#asked.push(answer);
  }

  /** Takes the oldest until at most `left` remain. */
  async *downTo(left: number): AsyncGenerator<Answer> {
    while (this.#asked.length > left) {
      const next = this.#asked.shift();
      if (next !== undefined) yield await next;
    }
  }
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
  const asked = new Awaited<Answer>();
  for (const task of tasks) {
    asked.add(idlest(threads).ask(task));
    yield* asked.downTo(threads.length * tasksPerThread - 1);
  }
  yield* asked.downTo(0);
}
