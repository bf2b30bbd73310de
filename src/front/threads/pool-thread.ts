/** One query thread as the pool sees it: what it holds, what it has been asked, and how it ended. */
import { limits } from '../../config.ts';
import type { Question } from '../../protocol/questions.ts';
import type { ThreadReport } from '../../protocol/thread-messages.ts';
import { Batches } from './batches.ts';
import { CommandLedger, type ThreadFailure } from './command-ledger.ts';
import type { PendingQuestion } from './pending-question.ts';
import type { SpawnThread, ThreadPort } from './thread-port.ts';

/** What a thread tells the pool. */
export interface PoolThreadEvents {
  /** @param abandon takes the answers that it gave before it ended, and tells which questions it leaves unanswered */
  ended(thread: PoolThread, reason: string, abandon: () => readonly PendingQuestion[]): void;
  /** A bug while answering; the question was answered as failed, or was one of practice, which nobody asked. */
  fault(message: string, details: Readonly<Record<string, unknown>>): void;
}

export class PoolThread {
  readonly #port: ThreadPort;
  readonly #events: PoolThreadEvents;
  readonly #batches = new Batches();
  readonly #commands = new CommandLedger();
  readonly #holds = new Set<string>();
  readonly #ended = Promise.withResolvers<void>();
  #hasEnded = false;
  /** Null when it has started, else why it did not. */
  readonly ready: Promise<ThreadFailure>;

  constructor(spawn: SpawnThread, events: PoolThreadEvents) {
    this.#events = events;
    this.ready = this.#commands.start('ready', limits.threadStartTimeoutMs);
    this.#port = spawn({
      answer: (batch, position, answer) => this.#batches.answer(batch, position, answer),
      report: (report) => this.#receive(report),
      ended: (reason, takeLast) => this.#end(reason, takeLast),
    });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Publications that it has opened. */
  get holds(): ReadonlySet<string> {
    return this.#holds;
  }

  /** Work, in look-ups, that it has not answered yet. */
  get owed(): number {
    return this.#batches.owed;
  }

  hasRoomFor(question: Question): boolean {
    return this.#batches.hasRoomFor(question);
  }

  /** Puts a question into the batch of this tick; {@link flush} sends it, unless it is full before. */
  collect(pending: PendingQuestion, now: number): void {
    if (this.#batches.collect(pending, now) >= limits.batchedQuestionsMax) this.flush();
  }

  flush(): void {
    for (const outgoing of this.#batches.takeUnsent()) {
      if (typeof outgoing === 'string') this.#port.ask(outgoing);
      else this.#port.post({ op: 'compress', ...outgoing });
    }
  }

  open(id: string): Promise<ThreadFailure> {
    const outcome = this.#commands.start(`open ${id}`, limits.openTimeoutMs);
    this.#port.post({ op: 'open', id });
    return outcome;
  }

  close(id: string): Promise<ThreadFailure> {
    this.#holds.delete(id);
    const outcome = this.#commands.start(`close ${id}`, limits.openTimeoutMs);
    this.#port.post({ op: 'close', id });
    return outcome;
  }

  isAsked(publicationId: string): boolean {
    return this.#batches.isAsked(publicationId);
  }

  /** Ends what is past its deadline. A thread that is silent for much longer is stuck and ended too. */
  sweep(now: number): void {
    if (this.#batches.sweep(now) > limits.threadSilentMsMax) this.#port.terminate();
  }

  /** Lets it close everything and end by itself; past the limit it is ended. */
  async end(): Promise<void> {
    this.#port.post({ op: 'end' });
    const timer = setTimeout(() => this.#port.terminate(), limits.threadEndTimeoutMs);
    await this.#ended.promise;
    clearTimeout(timer);
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
      return this.#batches.waiting();
    });
  }

  #receive(message: ThreadReport): void {
    switch (message.report) {
      case 'ready':
        this.#commands.finish('ready', null);
        return;
      case 'opened':
        // One that comes after its time limit is nobody's wish any more.
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
    }
  }
}
