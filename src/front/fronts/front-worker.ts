/** One front thread as the main thread sees it: its worker, its life cycle, and its open commands. */
import { CommandLedger, type ThreadFailure } from '../threads/command-ledger.ts';
import type { PemTexts } from '../tls/certificate.ts';
import { frontLimits } from './limits.ts';
import type { FrontCommand, FrontReport, FrontTask } from './messages.ts';

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
    this.ready = this.#commands.start('ready', frontLimits.startTimeoutMs);
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

  /** Null once it listens. */
  listen(): Promise<ThreadFailure> {
    return this.#do({ op: 'listen' }, frontLimits.startTimeoutMs);
  }

  /** Null once it listens with another certificate too. */
  renew(certificate: PemTexts): Promise<ThreadFailure> {
    return this.#do({ op: 'renew', certificate }, frontLimits.startTimeoutMs);
  }

  /** Resolves once it has applied what was posted before, has ended, or is late. */
  settled(): Promise<ThreadFailure> {
    return this.#do({ op: 'settle' }, frontLimits.settleTimeoutMs);
  }

  /** Resolves once no question about this publication is open there, it has ended, or is late. */
  released(id: string): Promise<ThreadFailure> {
    return this.#do({ op: 'release', id }, frontLimits.releaseTimeoutMs);
  }

  /** Resolves once every request in flight is answered, or it has ended. */
  async stop(force: boolean): Promise<void> {
    await this.#do({ op: 'stop', force }, frontLimits.stopTimeoutMs);
  }

  /** Ends it at once. */
  async terminate(): Promise<void> {
    this.#worker.terminate();
    await this.#ended.promise;
  }

  /** Null once it has done this; otherwise why not. */
  #do(task: FrontTask, timeoutMs: number): Promise<ThreadFailure> {
    const call = ++this.#lastCall;
    this.post({ ...task, call });
    return this.#commands.start(`call ${call}`, timeoutMs);
  }

  #receive(report: FrontReport): void {
    if (report.report === 'ready') this.#commands.finish('ready', null);
    else if (report.report === 'done') this.#commands.finish(`call ${report.call}`, report.failure);
    else this.#events.report(this, report);
  }
}
