/**
 * One query thread under the pool's supervision: its life cycle, its commands, the publications it holds, and the main
 * thread's line to its Bun worker. No other file knows about that worker.
 */
import type { Config } from '../../config.ts';
import type { TakeAnswer } from '../../dispatch/answer-record.ts';
import { Inbox, type InboxEvents, type PendingQuestion, type QuestionLine } from '../../dispatch/inbox.ts';
import { lineLimits, threadLimits } from '../../dispatch/limits.ts';
import { AskingEnd, type LineEnds, lineMemory } from '../../dispatch/line.ts';
import type { FromQueryThread, QueryCalls, QueryNews } from '../../dispatch/query-threads.ts';
import { answer, type CallFailure, type CallHandlers, CallingEnd, failureOf } from '../../threads/calls.ts';
import { whenEnded } from '../../threads/tasks.ts';

/** The events of a thread, for its pool. */
interface PoolThreadEvents extends InboxEvents {
  readonly news: CallHandlers<QueryNews>;
  /** @param abandon takes the answers that the thread gave before it ended, and returns the unanswered questions */
  ended(thread: PoolThread, reason: string, abandon: () => readonly PendingQuestion[]): void;
}

/** Threads have numbers that are never used again. */
let lastNumber = 0;

export class PoolThread {
  readonly number = ++lastNumber;
  readonly #events: PoolThreadEvents;
  readonly #port: ThreadPort;
  readonly #holds = new Set<string>();
  readonly #ended = Promise.withResolvers<void>();
  #hasEnded = false;
  /** The dispatcher's entry for questions. */
  readonly inbox: Inbox;
  /** Null when it has started, otherwise why it did not. */
  readonly ready: Promise<CallFailure>;

  constructor(spawn: SpawnThread, events: PoolThreadEvents) {
    this.#events = events;
    this.#port = spawn({
      timed: events.answered !== null,
      answer: (...answer) => this.inbox.receive(...answer),
      news: events.news,
      ended: (reason, takeLast) => this.#end(reason, takeLast),
    });
    this.inbox = new Inbox(this.#port.line, events);
    this.ready = failureOf(this.#port.ready, threadLimits.threadStartTimeoutMs);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Publications that it has opened. */
  get holds(): ReadonlySet<string> {
    return this.#holds;
  }

  async open(id: string): Promise<CallFailure> {
    let isLate = false;
    const opened = this.#port.calls.call('open', [id]).then((failure) => {
      if (failure !== null) return failure;
      if (!isLate) this.#holds.add(id);
      // Close it again: after its time limit nobody needs it open.
      else if (!this.#holds.has(id)) this.#port.calls.tell('close', [id]);
      return null;
    });
    const failure = await failureOf(opened, threadLimits.openTimeoutMs);
    isLate = true;
    return failure;
  }

  close(id: string): Promise<CallFailure> {
    this.#holds.delete(id);
    return failureOf(this.#port.calls.call('close', [id]), threadLimits.openTimeoutMs);
  }

  /** Ends the questions past their deadline, and a thread that has been silent for much longer: it is stuck. */
  checkDeadlines(now: number): void {
    if (this.inbox.expire(now) > threadLimits.threadSilentMsMax) this.#port.terminate();
  }

  /** Lets it close everything and end by itself. Beyond the time limit it is terminated. */
  async end(): Promise<void> {
    this.#port.calls.tell('end', []);
    const timer = setTimeout(() => this.#port.terminate(), threadLimits.threadEndTimeoutMs);
    await this.#ended.promise;
    clearTimeout(timer);
  }

  /** Lets a front thread ask it. @returns the front's end of the line */
  join(front: number): LineEnds {
    return this.#port.join(front);
  }

  /** A front thread has ended. */
  leave(front: number): void {
    this.#port.calls.tell('leave', [front]);
  }

  terminate(): void {
    this.#port.terminate();
  }

  #end(reason: string, takeLast: () => void): void {
    this.#hasEnded = true;
    this.#ended.resolve();
    this.#events.ended(this, reason, () => {
      takeLast();
      return this.inbox.unanswered();
    });
  }
}

/** The main thread's end of the connection to one query thread. */
export interface ThreadPort {
  readonly line: QuestionLine;
  readonly calls: Pick<CallingEnd<QueryCalls>, 'call' | 'tell'>;
  /** Resolves once the thread can be asked. Rejects if it ends before. */
  readonly ready: Promise<void>;
  /** Lets a front thread ask it. @returns the front's end */
  join(front: number): LineEnds;
  /** Terminates the thread. `ended` follows. */
  terminate(): void;
}

export interface ThreadEvents {
  /** Whether the thread should measure how long each answer takes. */
  readonly timed: boolean;
  answer: TakeAnswer;
  readonly news: CallHandlers<QueryNews>;
  /**
   * Called once, for any end of the thread, after all open calls have ended.
   * @param takeLast takes the answers that the thread gave before it ended
   */
  ended(reason: string, takeLast: () => void): void;
}

export type SpawnThread = (events: ThreadEvents) => ThreadPort;

const workerUrl = new URL('../../../workers/query.ts', import.meta.url).href;

/** Starts query threads that read the publications of one data folder. */
export function workerThreads(
  { dataDir, basePath }: Pick<Config, 'dataDir' | 'basePath'>,
  url: string = workerUrl,
): SpawnThread {
  return (events) => {
    // `argv` is Bun's own option, which the DOM type of a worker lacks.
    const options: WorkerOptions & { argv: string[] } = { argv: [dataDir, basePath], name: 'query' };
    const worker = new Worker(url, options);
    const memory = lineMemory(lineLimits.questionRingBytes, lineLimits.answerRingBytes);
    const line = new AskingEnd(memory, (command) => worker.postMessage(command), events.answer);
    const calls = new CallingEnd<QueryCalls>((call, transfer) => {
      worker.postMessage(call, transfer);
      line.commandPosted();
    });
    worker.onmessage = ({ data }: MessageEvent<FromQueryThread>) => {
      if ('news' in data) line.receive(data);
      else if ('op' in data) void answer(events.news, data, () => {});
      else calls.receive(data);
    };
    whenEnded(worker, (reason = 'it ended') => {
      calls.endAll(new Error(`the thread ended: ${reason}`));
      events.ended(reason, () => line.takeAnswers());
    });
    return {
      line,
      calls,
      ready: calls.call('listen', [memory, events.timed]),
      join(front) {
        const own = lineMemory(lineLimits.questionRingBytes, lineLimits.answerRingBytes, memory.bell);
        const { port1, port2 } = new MessageChannel();
        calls.tell('join', [front, { memory: own, port: port1 }], [port1]);
        return { memory: own, port: port2 };
      },
      terminate: () => worker.terminate(),
    };
  };
}
