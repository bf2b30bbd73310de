/**
 * The query threads as one front thread asks them. The main thread starts and replaces them; this file manages the
 * lines to them, the open questions and their deadlines.
 */

import type { Observer } from '../ports/observer.ts';
import { Dispatcher } from './dispatcher.ts';
import { Inbox, questionWatch } from './inbox.ts';
import { threadLimits } from './limits.ts';
import { type AnswerNews, AskingEnd, type LineEnds } from './line.ts';
import type { QueryPool } from './query-threads.ts';

interface Line {
  readonly end: AskingEnd;
  readonly inbox: Inbox;
  readonly port: MessagePort;
}

interface ThreadLinesParts {
  /** The number of this front. */
  readonly front: number;
  readonly observer: Observer;
  /** Receives a thread that owes answers and has given none for long. */
  readonly stuck: (thread: number) => void;
  /** Milliseconds; never goes back. */
  readonly now?: () => number;
}

export class ThreadLines implements QueryPool {
  readonly #parts: ThreadLinesParts;
  readonly #now: () => number;
  readonly #dispatcher: Dispatcher;
  readonly #lines = new Map<number, Line>();
  /** Called once no question about a publication is open. */
  readonly #releases = new Map<string, () => void>();
  readonly ask: QueryPool['ask'];
  readonly hasTimeFor: QueryPool['hasTimeFor'];

  constructor(parts: ThreadLinesParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
    this.#dispatcher = new Dispatcher(this.#now, parts.front);
    this.ask = this.#dispatcher.ask;
    this.hasTimeFor = this.#dispatcher.hasTimeFor;
    setInterval(() => this.#sweep(), threadLimits.questionSweepMs);
  }

  /** Asks this thread too from now on. */
  join(thread: number, { memory, port }: LineEnds): void {
    const end: AskingEnd = new AskingEnd(
      memory,
      (command) => port.postMessage(command),
      (...answer) => inbox.receive(...answer),
    );
    const inbox = new Inbox(end, {
      answered: questionWatch(this.#parts.observer, this.#now),
      slowAnswered: this.#dispatcher.slowAnswered,
    });
    port.addEventListener('message', ({ data }: { readonly data: AnswerNews }) => end.receive(data));
    port.start();
    this.#lines.set(thread, { end, inbox, port });
    this.#dispatcher.add(inbox);
  }

  /** The thread has ended: takes its last answers, and asks its other questions again. */
  leave(thread: number): void {
    const line = this.#lines.get(thread);
    if (line === undefined) return;
    this.#lines.delete(thread);
    // Remove the thread before taking its last answers, whose receivers may ask further questions.
    this.#dispatcher.remove(line.inbox);
    line.end.takeAnswers();
    line.port.close();
    this.#dispatcher.askAgain(line.inbox.unanswered());
  }

  /** How many questions no thread has answered yet. */
  unanswered(): number {
    let sum = this.#dispatcher.waitingForTurn;
    for (const { inbox } of this.#lines.values()) sum += inbox.quick + inbox.slow;
    return sum;
  }

  /** Resolves once no question about this publication is open. */
  released(id: string): Promise<void> {
    return new Promise((resolve) => {
      this.#releases.set(id, resolve);
      this.#release();
    });
  }

  #release(): void {
    for (const [id, resolve] of this.#releases) {
      if (this.#isAsked(id)) continue;
      this.#releases.delete(id);
      resolve();
    }
  }

  #isAsked(id: string): boolean {
    if (this.#dispatcher.isAboutPublication(id)) return true;
    return [...this.#lines.values()].some(({ inbox }) => inbox.isAboutPublication(id));
  }

  #sweep(): void {
    const now = this.#now();
    for (const [thread, { inbox }] of this.#lines) {
      if (inbox.expire(now) > threadLimits.threadSilentMsMax) this.#parts.stuck(thread);
    }
    this.#dispatcher.expireWaiting(now);
    this.#release();
  }
}
