/** One front thread as the main thread sees it: its worker, its life cycle, and its open commands. */
import type { FrontCommand, FrontReport, FrontTask } from '../../front/thread-messages.ts';
import { CommandLedger, type ThreadFailure } from '../../threads/command-ledger.ts';

/** Time for a front thread to load its code. */
const startTimeoutMs = 30_000;
const taskTimeoutMs: Readonly<Record<FrontTask['op'], number>> = {
  listen: 30_000,
  renew: 30_000,
  settle: 5_000,
  /** To end the questions about a publication that is being closed. */
  release: 30_000,
  /** A front thread answers its requests in less time, because each question has a deadline. */
  stop: 60_000,
};

/** What the supervisor learns from a front thread. */
interface FrontEvents {
  /** Called once, for any end. */
  ended(front: FrontWorker, reason: string): void;
  /** A report that is not the answer to a command. */
  report(front: FrontWorker, report: FrontNews): void;
}
export type FrontNews = Extract<FrontReport, { report: 'account' | 'key-uses' | 'log' | 'stuck' }>;

const workerUrl = new URL('../../../workers/front.ts', import.meta.url).href;

export class FrontWorker {
  readonly number: number;
  readonly #worker: Worker;
  readonly #events: FrontEvents;
  readonly #commands = new CommandLedger();
  readonly #ended = Promise.withResolvers<void>();
  #lastCall = 0;
  /** Null when its code is loaded, otherwise why not. */
  readonly ready: Promise<ThreadFailure>;

  /** @param name of the thread, as the system shows it */
  constructor(number: number, name: string, events: FrontEvents) {
    this.number = number;
    this.#events = events;
    this.ready = this.#commands.start('ready', startTimeoutMs);
    this.#worker = new Worker(workerUrl, { name });
    let reason = 'it ended';
    this.#worker.onmessage = ({ data }: MessageEvent<FrontReport>) => this.#receive(data);
    this.#worker.onerror = (event) => {
      reason = event.message;
    };
    this.#worker.addEventListener('close', () => {
      this.#commands.endAll(`the thread ended: ${reason}`);
      this.#ended.resolve();
      events.ended(this, reason);
    });
  }

  post(command: FrontCommand, transfer: MessagePort[] = []): void {
    this.#worker.postMessage(command, transfer);
  }

  /** Ends it at once. */
  async terminate(): Promise<void> {
    this.#worker.terminate();
    await this.#ended.promise;
  }

  /** Null once it has done this; otherwise why not: it failed, has ended, or is late. */
  do(task: FrontTask): Promise<ThreadFailure> {
    const call = ++this.#lastCall;
    this.post({ ...task, call });
    return this.#commands.start(`call ${call}`, taskTimeoutMs[task.op]);
  }

  #receive(report: FrontReport): void {
    if (report.report === 'ready') this.#commands.finish('ready', null);
    else if (report.report === 'done') this.#commands.finish(`call ${report.call}`, report.failure);
    else this.#events.report(this, report);
  }
}
