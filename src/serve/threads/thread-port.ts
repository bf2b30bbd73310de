/** The Bun worker of a query thread, and the main thread's line to it. No other file knows about that worker. */
import type { Config } from '../../config.ts';
import type { TakeAnswer } from '../../dispatch/answer-record.ts';
import type { QuestionLine } from '../../dispatch/inbox.ts';
import { lineLimits } from '../../dispatch/limits.ts';
import { AskingEnd, type LineEnds, lineMemory } from '../../dispatch/line.ts';
import type { FromQueryThread, QueryCalls, QueryNews } from '../../dispatch/query-threads.ts';
import { answer, type CallHandlers, CallingEnd } from '../../threads/calls.ts';
import { whenEnded } from '../../threads/tasks.ts';

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
