/**
 * The loop of a query thread's worker. The thread answers questions and sleeps on the line's bell while there are
 * none. It returns to its event loop only for commands, and answers questions between the steps of a command.
 */

import { AnsweringEnd } from '../protocol/line.ts';
import type { AnswerNews, ThreadCommand, ThreadReport } from '../protocol/thread-messages.ts';
import type { PublicationReader } from '../store/publication-reader.ts';
import { queryLimits } from './limits.ts';
import { type QueryThread, queryThread, type ThreadLine } from './query-thread.ts';

/** What the thread needs of its worker. */
export interface WorkerPort {
  post(message: ThreadReport | AnswerNews, transfer?: ArrayBuffer[]): void;
  /** Ends the worker. */
  end(): void;
}

/**
 * Sets the thread up at the first command, `listen`; it answers from then on.
 * @returns the receiver of commands, to be called in the order they were posted
 */
export function attend(
  open: (id: string) => Promise<PublicationReader>,
  port: WorkerPort,
): (command: ThreadCommand) => void {
  let attendant: Attendant | null = null;
  return (command) => {
    if (command.op === 'listen') {
      const end = new AnsweringEnd(command.memory);
      attendant = new Attendant(end, queryThread(open, lineOver(end, port), { timed: command.timed }));
      attendant.listen();
    } else if (attendant !== null) {
      attendant.obey(command);
    }
  };
}

function lineOver(end: AnsweringEnd, port: WorkerPort): ThreadLine {
  return {
    nextBatch: () => end.nextBatch(),
    answer(address, answer, answerMs) {
      const record = end.answer(address, answer, answerMs);
      if (record !== null) port.post({ report: 'answer', record }, [record.buffer]);
    },
    tell() {
      if (end.mustTell()) port.post({ report: 'answers' });
    },
    report: (report) => port.post(report),
    end: port.end,
  };
}

class Attendant {
  readonly #end: AnsweringEnd;
  readonly #thread: QueryThread;
  /** Commands received, wrapping like the count of those posted. `listen` was the first. */
  #received = 1;
  #underWay = 0;

  constructor(end: AnsweringEnd, thread: QueryThread) {
    this.#end = end;
    this.#thread = thread;
  }

  obey(command: Parameters<QueryThread['obey']>[0]): void {
    this.#received = (this.#received + 1) | 0;
    this.#underWay++;
    void this.#thread.obey(command).finally(() => this.#underWay--);
  }

  readonly listen = () => {
    for (;;) {
      const { rung } = this.#end;
      const moreLeft = this.#thread.answerRound();
      // After every round, so that a thread that always has questions still opens, closes and packs.
      if (this.#underWay > 0 || this.#end.commands !== this.#received) {
        setImmediate(this.listen);
        return;
      }
      if (!moreLeft) this.#idle(rung);
    }
  };

  /** Sleeps until the bell rings. Where nobody has asked for a while, the thread practises instead. */
  #idle(rung: number): void {
    if (!this.#thread.mayPractise()) this.#end.sleep(rung);
    else if (!this.#end.sleep(rung, queryLimits.practiceSilenceMs)) this.#thread.practise();
  }
}
