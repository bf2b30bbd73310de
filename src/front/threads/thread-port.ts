/** The one place where a query thread is a Bun worker. */
import type { Config } from '../../config.ts';
import { readAnswer, type TakeAnswer } from '../../protocol/answer-record.ts';
import { freeMemory } from '../../protocol/free-memory.ts';
import { lineLimits } from '../../protocol/limits.ts';
import { AskingEnd, lineMemory } from '../../protocol/line.ts';
import type { AnswerNews, ThreadCommand, ThreadReport } from '../../protocol/thread-messages.ts';
import type { Outlet } from './inbox.ts';

/** The front's end of the line to one thread. */
export interface ThreadPort extends Outlet {
  post(command: ThreadCommand): void;
  /** Ends the thread at once. `ended` follows. */
  terminate(): void;
}

export interface ThreadEvents {
  /** Whether the thread is to measure how long each answer takes it. */
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
    const options: WorkerOptions & { argv: string[] } = { argv: [dataDir, basePath] };
    const worker = new Worker(url, options);
    const memory = lineMemory(lineLimits.questionRingBytes, lineLimits.answerRingBytes);
    const line = new AskingEnd(memory);
    let reason = 'it ended';
    worker.onmessage = receiver(line, events);
    worker.onerror = (event) => {
      reason = event.message;
    };
    worker.addEventListener('close', () => {
      events.ended(reason, () => line.takeAnswers(events.answer));
    });
    const post = (command: ThreadCommand) => {
      worker.postMessage(command);
      line.commandPosted();
    };
    post({ op: 'listen', memory, timed: events.timed });
    return {
      ask(batch) {
        if (!line.ask(batch)) post({ op: 'ask', batch });
      },
      compress: (batch, question) => post({ op: 'compress', batch, question }),
      post,
      terminate: () => worker.terminate(),
    };
  };
}

type Receiver = (event: MessageEvent<ThreadReport | AnswerNews>) => void;

function receiver(line: AskingEnd, events: ThreadEvents): Receiver {
  return ({ data: report }) => {
    if (report.report === 'answers') line.takeAnswers(events.answer);
    else if (report.report === 'answer') takePosted(report.record, events.answer);
    else events.report(report);
  };
}

/** Takes an answer that had no room in the ring, and frees it at once. */
function takePosted({ buffer }: Uint8Array<ArrayBuffer>, take: TakeAnswer): void {
  const record = Buffer.from(buffer);
  readAnswer(record, 0, take);
  freeMemory(record);
}
