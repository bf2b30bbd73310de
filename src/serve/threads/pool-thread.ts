/** One query thread under the pool's supervision: its life cycle, its commands, and the publications it holds. */
import type { TakeAnswer } from '../../dispatch/answer-record.ts';
import { Inbox, type InboxEvents, type PendingQuestion } from '../../dispatch/inbox.ts';
import { threadLimits } from '../../dispatch/limits.ts';
import type { LineEnds, ThreadReport } from '../../dispatch/messages.ts';
import { CommandLedger, type ThreadFailure } from '../../threads/command-ledger.ts';
import type { SpawnThread, ThreadPort } from './thread-port.ts';

/** What the pool learns from a thread. */
interface PoolThreadEvents extends InboxEvents {
  /** @param abandon takes the answers that the thread gave before it ended, and returns the unanswered questions */
  ended(thread: PoolThread, reason: string, abandon: () => readonly PendingQuestion[]): void;
  /** A bug while answering. The question was answered as failed, or was one of practice. */
  fault(message: string, details: Readonly<Record<string, unknown>>): void;
  /** It read bytes of a publication that are not the written ones. */
  damaged(id: string, message: string): void;
}

/** Threads have numbers that are never used again. */
let lastNumber = 0;

export class PoolThread {
  readonly number = ++lastNumber;
  readonly #events: PoolThreadEvents;
  readonly #commands = new CommandLedger();
  readonly #holds = new Set<string>();
  readonly #ended = Promise.withResolvers<void>();
  #hasEnded = false;
  /** The dispatcher's entry for questions, with the port to the thread. */
  readonly inbox: Inbox<ThreadPort>;
  /** Null when it has started, otherwise why it did not. */
  readonly ready: Promise<ThreadFailure>;

  constructor(spawn: SpawnThread, events: PoolThreadEvents) {
    this.#events = events;
    this.ready = this.#commands.start('ready', threadLimits.threadStartTimeoutMs);
    const port = (answer: TakeAnswer) =>
      spawn({
        timed: events.answered !== null,
        answer,
        report: (report) => this.#receive(report),
        ended: (reason, takeLast) => this.#end(reason, takeLast),
      });
    this.inbox = new Inbox(port, events);
  }

  get #port(): ThreadPort {
    return this.inbox.outlet;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Publications that it has opened. */
  get holds(): ReadonlySet<string> {
    return this.#holds;
  }

  open(id: string): Promise<ThreadFailure> {
    const outcome = this.#commands.start(`open ${id}`, threadLimits.openTimeoutMs);
    this.#port.post({ op: 'open', id });
    return outcome;
  }

  close(id: string): Promise<ThreadFailure> {
    this.#holds.delete(id);
    const outcome = this.#commands.start(`close ${id}`, threadLimits.openTimeoutMs);
    this.#port.post({ op: 'close', id });
    return outcome;
  }

  /** Ends the questions past their deadline, and a thread that has been silent for much longer: it is stuck. */
  checkDeadlines(now: number): void {
    if (this.inbox.expire(now) > threadLimits.threadSilentMsMax) this.#port.terminate();
  }

  /** Lets it close everything and end by itself. Beyond the time limit it is terminated. */
  async end(): Promise<void> {
    this.#port.post({ op: 'end' });
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
    this.#port.post({ op: 'leave', front });
  }

  terminate(): void {
    this.#port.terminate();
  }

  #end(reason: string, takeLast: () => void): void {
    this.#hasEnded = true;
    this.#commands.endAll(`the thread ended: ${reason}`);
    this.#ended.resolve();
    this.#events.ended(this, reason, () => {
      takeLast();
      return this.inbox.unanswered();
    });
  }

  #receive(message: ThreadReport): void {
    switch (message.report) {
      case 'ready':
        this.#commands.finish('ready', null);
        return;
      case 'opened':
        // Close it again: after its time limit nobody needs it open.
        if (this.#commands.finish(`open ${message.id}`, null)) this.#holds.add(message.id);
        else if (!this.#holds.has(message.id)) this.#port.post({ op: 'close', id: message.id });
        return;
      case 'open-failed':
        this.#commands.finish(`open ${message.id}`, message.message);
        return;
      case 'closed':
        this.#commands.finish(`close ${message.id}`, null);
        return;
      case 'fault':
        this.#events.fault(message.message, { question: message.question, stack: message.stack });
        return;
      case 'damaged':
        this.#events.damaged(message.id, message.message);
        return;
    }
  }
}
