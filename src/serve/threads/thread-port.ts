/** The Bun worker of a query thread, and the main thread's line to it. No other file knows about that worker. */
import type { Config } from '../../config.ts';
import type { TakeAnswer } from '../../dispatch/answer-record.ts';
import type { Outlet } from '../../dispatch/inbox.ts';
import { lineLimits } from '../../dispatch/limits.ts';
import { lineMemory } from '../../dispatch/line.ts';
import type { AnswerNews, LineEnds, ThreadCommand, ThreadReport } from '../../dispatch/messages.ts';
import { lineOutlet } from '../../dispatch/outlet.ts';

/** The main thread's end of the line to one query thread. */
export interface ThreadPort extends Outlet {
  post(command: ThreadCommand): void;
  /** Lets a front thread ask it. @returns the front's end */
  join(front: number): LineEnds;
  /** Terminates the thread. `ended` follows. */
  terminate(): void;
}

export interface ThreadEvents {
  /** Whether the thread should measure how long each answer takes. */
  readonly timed: boolean;
  /** The answer is valid only during the call. */
  answer: TakeAnswer;
  report(report: ThreadReport): void;
  /**
   * Called once, for any end of the thread.
   * @param takeLast takes the answers that the thread gave before it ended
   */
  ended(reason: string, takeLast: () => void): void;
}

/** Starts a thread. The thread reports `ready` when it can be asked. */
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
    const line = lineOutlet(memory, (command) => worker.postMessage(command), events.answer);
    let reason = 'it ended';
    worker.onmessage = ({ data }: MessageEvent<ThreadReport | AnswerNews>) => {
      if (data.report === 'answers' || data.report === 'answer') line.receive(data);
      else events.report(data);
    };
    worker.onerror = (event) => {
      reason = event.message;
    };
    worker.addEventListener('close', () => events.ended(reason, line.takeAnswers));
    const post = (command: ThreadCommand, transfer: MessagePort[] = []) => {
      worker.postMessage(command, transfer);
      line.commandPosted();
    };
    post({ op: 'listen', memory, timed: events.timed });
    return {
      get busy() {
        return line.busy;
      },
      ask: line.ask,
      compress: line.compress,
      post: (command) => post(command),
      join(front) {
        const own = lineMemory(lineLimits.questionRingBytes, lineLimits.answerRingBytes, memory.bell);
        const { port1, port2 } = new MessageChannel();
        post({ op: 'join', front, memory: own, port: port1 }, [port1]);
        return { memory: own, port: port2 };
      },
      terminate: () => worker.terminate(),
    };
  };
}
