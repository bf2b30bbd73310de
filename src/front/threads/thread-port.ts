/** The one place where a query thread is a Bun worker. */
import type { ThreadCommand, ThreadReport } from '../../protocol/thread-messages.ts';

/** The front's end of the line to one thread. */
export interface ThreadPort {
  post(message: string | ThreadCommand): void;
  /** Ends the thread at once; `ended` follows. */
  terminate(): void;
}

export interface ThreadEvents {
  message(message: string | ThreadReport): void;
  /** Called once, whatever ended the thread. */
  ended(reason: string): void;
}

/** Starts a thread. It reports `ready` when it can take messages. */
export type SpawnThread = (events: ThreadEvents) => ThreadPort;

const workerUrl = new URL('../../../workers/query.ts', import.meta.url).href;

/** Starts query threads that read the publications of one data folder. */
export function workerThreads(dataDir: string, url: string = workerUrl): SpawnThread {
  return (events) => {
    // `argv` is Bun's own option; the DOM type of a worker does not know it.
    const options: WorkerOptions & { argv: string[] } = { argv: [dataDir] };
    const worker = new Worker(url, options);
    let reason = 'it ended';
    worker.onmessage = (event: MessageEvent<string | ThreadReport>) => events.message(event.data);
    worker.onerror = (event) => {
      reason = event.message;
    };
    worker.addEventListener('close', () => events.ended(reason));
    return { post: (message) => worker.postMessage(message), terminate: () => worker.terminate() };
  };
}
