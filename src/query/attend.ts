/**
 * Runs the loop of a query thread's worker. The thread answers questions and sleeps on its bell while there are none.
 * It returns to its event loop only for commands, and answers questions between the steps of a command.
 */
import { lineLimits } from '../dispatch/limits.ts';
import { AnsweringEnd } from '../dispatch/line.ts';
import type { AnswerNews, LineCommand, LineEnds, ThreadCommand, ThreadReport } from '../dispatch/messages.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { queryLimits } from './limits.ts';
import { type AnswerLine, type QueryCommand, type QueryThread, queryThread } from './query-thread.ts';

/**
 * Makes the worker a query thread. It says `ready`, and answers from its first command, `listen`, on.
 * @param worker its own side; call it before any await, because messages without a handler are dropped
 */
export function attend(worker: Worker, open: (id: string) => Promise<PublicationReader>): void {
  let attendant: Attendant | null = null;
  worker.onmessage = ({ data: command }: MessageEvent<ThreadCommand>) => {
    if (command.op === 'listen') {
      const end = new AnsweringEnd(command.memory);
      const line = {
        ...lineOver(end, worker),
        report: (report: ThreadReport) => worker.postMessage(report),
        end: () => process.exit(0),
      };
      attendant = new Attendant(end, line, queryThread(open, line, { timed: command.timed }));
      attendant.listen();
    } else {
      attendant?.receive(command);
    }
  };
  worker.postMessage({ report: 'ready' } satisfies ThreadReport);
}

/** @param port carries messages to the front */
function lineOver(end: AnsweringEnd, port: Pick<MessagePort, 'postMessage'>): AnswerLine {
  return {
    nextBatch: () => end.nextBatch(),
    answer(address, answer, answerMs) {
      const record = end.answer(address, answer, answerMs);
      if (record !== null)
        port.postMessage({ report: 'answer', record } satisfies AnswerNews, [record.buffer]);
    },
    part: (address, data) => end.part(address, data),
    tell() {
      if (end.mustTell()) port.postMessage({ report: 'answers' } satisfies AnswerNews);
    },
  };
}

/** A line, and how many of the commands posted for it have arrived. */
class Attended {
  readonly end: AnsweringEnd;
  readonly line: AnswerLine;
  #received = 0;

  constructor(end: AnsweringEnd, line: AnswerLine) {
    this.end = end;
    this.line = line;
  }

  /** Call it for each command. The count wraps like that of the posted ones. */
  received(): void {
    this.#received = (this.#received + 1) | 0;
  }

  get hasPost(): boolean {
    return this.end.commands !== this.#received;
  }
}

class Attendant {
  readonly #thread: QueryThread;
  readonly #main: Attended;
  /** By the number of the front. */
  readonly #fronts = new Map<number, Attended>();
  #underWay = 0;

  constructor(end: AnsweringEnd, line: AnswerLine, thread: QueryThread) {
    this.#thread = thread;
    this.#main = new Attended(end, line);
    // `listen` was the first.
    this.#main.received();
  }

  /** Handles a command of the main thread. */
  receive(command: Exclude<ThreadCommand, { op: 'listen' }>): void {
    if (command.op === 'join') this.#join(command.front, command);
    else if (command.op === 'leave') this.#leave(command.front);
    else this.#obey(command, this.#main.line);
    this.#main.received();
  }

  readonly listen = () => {
    for (;;) {
      const { rung } = this.#main.end;
      const moreLeft = this.#thread.answerRound();
      const { quick, slow } = this.#thread.waiting;
      this.#main.end.busy = quick + slow * lineLimits.slowQuestionWork;
      // Return to the event loop after every round, so that a busy thread still opens, closes and compresses.
      if (this.#underWay > 0 || this.#hasPost()) {
        setImmediate(this.listen);
        return;
      }
      if (!moreLeft) this.#idle(rung);
    }
  };

  #hasPost(): boolean {
    if (this.#main.hasPost) return true;
    for (const front of this.#fronts.values()) if (front.hasPost) return true;
    return false;
  }

  #join(number: number, { memory, port }: LineEnds): void {
    const end = new AnsweringEnd(memory);
    const front = new Attended(end, lineOver(end, port));
    port.addEventListener('message', ({ data }: { readonly data: LineCommand }) => {
      front.received();
      this.#obey(data, front.line);
    });
    port.start();
    this.#fronts.set(number, front);
    this.#thread.join(front.line);
  }

  #leave(number: number): void {
    const front = this.#fronts.get(number);
    this.#fronts.delete(number);
    if (front !== undefined) this.#thread.leave(front.line);
  }

  #obey(command: QueryCommand, from: AnswerLine): void {
    this.#underWay++;
    void this.#thread.obey(command, from).finally(() => this.#underWay--);
  }

  /** Sleeps until the bell rings. If nobody has asked for a while, the thread practises instead. */
  #idle(rung: number): void {
    const { end } = this.#main;
    if (!this.#thread.mayPractise()) end.sleep(rung);
    else if (!end.sleep(rung, queryLimits.practiceSilenceMs)) this.#thread.practise();
  }
}
