/**
 * Runs the loop of a query thread's worker. The thread answers questions and sleeps on its bell while there are none.
 * It returns to its event loop only for commands, and answers questions between the steps of a command.
 */
import { lineLimits } from '../dispatch/limits.ts';
import { AnsweringEnd, type AnswerNews, type LineCommand, type LineEnds } from '../dispatch/line.ts';
import type { QueryCalls, QueryNews, ToQueryThread } from '../dispatch/query-threads.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { answer, type CallHandlers, CallingEnd, type CallReply, type ThreadCall } from '../threads/calls.ts';
import { queryLimits } from './limits.ts';
import { type QueryThread, queryThread } from './query-thread.ts';

/**
 * Makes the worker a query thread, which answers from its first call, `listen`, on.
 * @param worker its own side; call this before any await, because messages without a handler are dropped
 */
export function attend(worker: Worker, open: (id: string) => Promise<PublicationReader>): void {
  const postAnswers = (news: AnswerNews, memory: ArrayBuffer[]) => worker.postMessage(news, memory);
  const news = new CallingEnd<QueryNews>((call) => worker.postMessage(call));
  let attendant: Attendant | null = null;
  worker.onmessage = ({ data }: MessageEvent<ToQueryThread>) => {
    if (attendant === null && data.op === 'listen') {
      const [memory, timed] = data.values;
      const end = new AnsweringEnd(memory, postAnswers);
      const tellNews: QueryNews = {
        damaged: (...values) => news.tell('damaged', values),
        fault: (...values) => news.tell('fault', values),
      };
      const thread = queryThread(open, end, tellNews, { timed });
      attendant = new Attendant(end, thread, (reply) => worker.postMessage(reply));
    }
    attendant?.receive(data);
  };
}

/** A line, and how many of the commands posted for it have arrived. */
class AttendedLine {
  readonly end: AnsweringEnd;
  #received = 0;

  constructor(end: AnsweringEnd) {
    this.end = end;
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
  readonly #main: AttendedLine;
  readonly #post: (reply: CallReply<QueryCalls>) => void;
  /** The fronts, by number. */
  readonly #fronts = new Map<number, AttendedLine>();
  #underWay = 0;

  constructor(end: AnsweringEnd, thread: QueryThread, post: (reply: CallReply<QueryCalls>) => void) {
    this.#thread = thread;
    this.#main = new AttendedLine(end);
    this.#post = post;
  }

  /** Handles a command of the main thread. */
  receive(command: ToQueryThread): void {
    this.#main.received();
    if ('call' in command) this.#answer(command);
    else this.#thread.receive(command, this.#main.end);
  }

  readonly #handlers: CallHandlers<QueryCalls> = {
    // The main thread learns that this thread listens before the loop first sleeps.
    listen: () => void setImmediate(this.#listen),
    join: (number, line) => this.#join(number, line),
    leave: (number) => this.#leave(number),
    open: (id) => this.#thread.open(id),
    close: (id) => this.#thread.close(id),
    end: () => this.#thread.end().then(() => process.exit(0)),
  };

  #answer(call: ThreadCall<QueryCalls>): void {
    this.#underWay++;
    void answer(this.#handlers, call, this.#post).finally(() => this.#underWay--);
  }

  readonly #listen = () => {
    for (;;) {
      const { rung } = this.#main.end;
      const moreLeft = this.#thread.answerRound();
      const { quick, slow } = this.#thread.waiting;
      this.#main.end.busy = quick + slow * lineLimits.slowQuestionWork;
      // Return to the event loop after every round, so that a busy thread still opens, closes and compresses.
      if (this.#underWay > 0 || this.#hasPost()) {
        setImmediate(this.#listen);
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
    const end = new AnsweringEnd(memory, (news, bytes) => port.postMessage(news, bytes));
    const front = new AttendedLine(end);
    port.addEventListener('message', ({ data }: { readonly data: LineCommand }) => {
      front.received();
      this.#thread.receive(data, end);
    });
    port.start();
    this.#fronts.set(number, front);
    this.#thread.join(end);
  }

  #leave(number: number): void {
    const front = this.#fronts.get(number);
    this.#fronts.delete(number);
    if (front !== undefined) this.#thread.leave(front.end);
  }

  /** Sleeps until the bell rings. If nobody has asked for a while, the thread practises instead. */
  #idle(rung: number): void {
    const { end } = this.#main;
    if (!this.#thread.mayPractise()) end.sleep(rung);
    else if (!end.sleep(rung, queryLimits.practiceSilenceMs)) this.#thread.practise();
  }
}
