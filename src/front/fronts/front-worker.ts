/** One front thread as the main thread sees it: its worker, its life cycle, and its open commands. */
import { CommandLedger, type ThreadFailure } from '../threads/command-ledger.ts';
import type { PemTexts } from '../tls/certificate.ts';
import { frontLimits } from './limits.ts';
import type { FrontCommand, FrontReport } from './messages.ts';

/** What the supervisor learns from a front thread. */
interface FrontEvents {
  /** Called once, for any end. */
  ended(front: FrontWorker, reason: string): void;
  /** A report that is not the answer to a command. */
  report(front: FrontWorker, report: FrontNews): void;
}
export type FrontNews = Extract<
  FrontReport,
  { report: 'sign-up' | 'account' | 'key-uses' | 'log' | 'stuck' }
>;

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
    this.post({ op: 'listen' });
    return this.#commands.start('listening', frontLimits.startTimeoutMs);
  }

  /** Null once it listens with another certificate too. */
  renew(certificate: PemTexts): Promise<ThreadFailure> {
    this.post({ op: 'renew', certificate });
    return this.#commands.start('renewed', frontLimits.startTimeoutMs);
  }

  /** Resolves once it has applied what was posted before, has ended, or is late. */
  settled(): Promise<ThreadFailure> {
    const call = ++this.#lastCall;
    this.post({ op: 'settle', call });
    return this.#commands.start(`settled ${call}`, frontLimits.settleTimeoutMs);
  }

  /** Resolves once no question about this publication is open there, it has ended, or is late. */
  released(id: string): Promise<ThreadFailure> {
    this.post({ op: 'release', id });
    return this.#commands.start(`released ${id}`, frontLimits.releaseTimeoutMs);
  }

  /** Resolves once every request in flight is answered, or it has ended. */
  async stop(force: boolean): Promise<void> {
    this.post({ op: 'stop', force });
    await Promise.race([this.#commands.start('stopped', frontLimits.stopTimeoutMs), this.#ended.promise]);
  }

  /** Ends it at once. */
  async terminate(): Promise<void> {
    this.#worker.terminate();
    await this.#ended.promise;
  }

  #receive(report: FrontReport): void {
    switch (report.report) {
      case 'ready':
      case 'listening':
      case 'stopped':
        this.#commands.finish(report.report, null);
        return;
      case 'renewed':
        this.#commands.finish(report.report, report.failure);
        return;
      case 'not-listening':
        this.#commands.finish('listening', `${report.message} (${report.code})`);
        return;
      case 'settled':
        this.#commands.finish(`settled ${report.call}`, null);
        return;
      case 'released':
        this.#commands.finish(`released ${report.id}`, null);
        return;
      default:
        this.#events.report(this, report);
    }
  }
}
