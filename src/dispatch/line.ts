/**
 * Connects one front and one query thread: a ring of question batches one way, a ring of answers the other, and the
 * signals by which each end wakes the other. Messages between threads carry what is rare: commands, reports, and
 * records that found no room in a ring. A thread without questions sleeps on its bell instead of in its event loop:
 * waking it takes a store and a notification. All lines of a query thread have the same bell.
 */
import { freeMemory } from '../protocol/json-bytes.ts';
import type { Answer, CompressQuestion } from '../protocol/questions.ts';
import {
  type AnswerAddress,
  answerRecord,
  readAnswer,
  type TakeAnswer,
  writeAnswer,
} from './answer-record.ts';
import { RingReader, RingWriter, ringMemory } from './ring.ts';

/** Shared by both ends. */
export interface LineMemory {
  readonly questions: SharedArrayBuffer;
  readonly answers: SharedArrayBuffer;
  readonly signals: SharedArrayBuffer;
  /** The same for every line of the query thread. */
  readonly bell: SharedArrayBuffer;
}

/** Messages from a front to a query thread, beside the ring. */
export type LineCommand =
  /** A batch of questions that found no room in the ring. */
  | { readonly op: 'ask'; readonly batch: string }
  /** A question that is a batch of its own. */
  | { readonly op: 'compress'; readonly batch: number; readonly question: CompressQuestion };

/** Messages from a query thread to a front about answers. */
export type AnswerNews =
  /** The ring holds answers. */
  | { readonly news: 'answers' }
  /** An answer's record that found no room in the ring. */
  | { readonly news: 'answer'; readonly record: Uint8Array<ArrayBuffer> };

/** A line between a front thread and a query thread, as each of them receives it. */
export interface LineEnds {
  readonly memory: LineMemory;
  /** Transports {@link LineCommand} one way and {@link AnswerNews} the other. */
  readonly port: MessagePort;
}

/** How often the bell was rung, for batches and commands alike. */
const rungWord = 0;
/** The thread's remaining work after its last round, of all lines. */
const busyWord = 16;
const bellWords = 32;
/** How many commands were posted to the thread beside this line. */
const commandsWord = 0;
/** 1 while the front has been notified of answers and has not taken them. */
const toldWord = 16;
const signalWords = 32;

/**
 * @param questionBytes @param answerBytes sizes of the rings, powers of two
 * @param bell of a thread that has a line already
 */
export function lineMemory(
  questionBytes: number,
  answerBytes: number,
  bell = new SharedArrayBuffer(bellWords * 4),
): LineMemory {
  return {
    questions: ringMemory(questionBytes),
    answers: ringMemory(answerBytes),
    signals: new SharedArrayBuffer(signalWords * 4),
    bell,
  };
}

/** The front's end. */
export class AskingEnd {
  readonly #questions: RingWriter;
  readonly #answers: RingReader;
  readonly #signals: Int32Array;
  readonly #bell: Int32Array;
  readonly #post: (command: LineCommand) => void;
  readonly #take: TakeAnswer;

  /**
   * @param post reaches the thread's event loop
   * @param take receives each answer
   */
  constructor(memory: LineMemory, post: (command: LineCommand) => void, take: TakeAnswer) {
    this.#questions = new RingWriter(memory.questions);
    this.#answers = new RingReader(memory.answers);
    this.#signals = new Int32Array(memory.signals);
    this.#bell = new Int32Array(memory.bell);
    this.#post = post;
    this.#take = take;
  }

  /** The thread's remaining work after its last round, of all fronts, in look-ups. */
  get busy(): number {
    return Atomics.load(this.#bell, busyWord);
  }

  /** Sends a batch of questions (questions.ts). */
  sendBatch(batch: string): void {
    const at = this.#questions.reserve(Buffer.byteLength(batch));
    if (at < 0) {
      this.#send({ op: 'ask', batch });
      return;
    }
    this.#questions.bytes.write(batch, at);
    this.#questions.publish();
    this.#ring();
  }

  /** Sends the one question that does not concern a publication; it is a batch of its own. */
  compress(batch: number, question: CompressQuestion): void {
    this.#send({ op: 'compress', batch, question });
  }

  #send(command: LineCommand): void {
    this.#post(command);
    this.commandPosted();
  }

  /** Tells the thread that a command was posted beside this line. It reads its messages only after this. */
  commandPosted(): void {
    Atomics.add(this.#signals, commandsWord, 1);
    this.#ring();
  }

  #ring(): void {
    Atomics.add(this.#bell, rungWord, 1);
    Atomics.notify(this.#bell, rungWord);
  }

  /** Receives what the thread has posted about its answers. */
  receive(news: AnswerNews): void {
    if (news.news === 'answers') this.takeAnswers();
    else takePosted(news.record, this.#take);
  }

  /**
   * Takes every available answer, including those that a thread gave before it ended. Those that it gives meanwhile are
   * taken without a notification, because one costs the front as much as two answers.
   * @throws what the receiver of an answer throws; the answers behind it are taken a little later
   */
  takeAnswers(): void {
    try {
      do {
        this.#takeGiven();
        // Look again: before the flag was cleared, the thread may have given an answer without a notification.
      } while (this.#answers.hasNext);
    } catch (error) {
      queueMicrotask(() => this.takeAnswers());
      throw error;
    }
  }

  #takeGiven(): void {
    try {
      for (let at = this.#answers.next(); at >= 0; at = this.#answers.next()) {
        readAnswer(this.#answers.bytes, at, this.#take);
      }
    } finally {
      this.#answers.free();
      Atomics.store(this.#signals, toldWord, 0);
    }
  }
}

/** Takes an answer that had no room in the ring, and frees it at once. */
function takePosted({ buffer }: Uint8Array<ArrayBuffer>, take: TakeAnswer): void {
  const record = Buffer.from(buffer);
  readAnswer(record, 0, take);
  freeMemory(record);
}

/** The thread's end. */
export class AnsweringEnd {
  readonly #questions: RingReader;
  readonly #answers: RingWriter;
  readonly #signals: Int32Array;
  readonly #bell: Int32Array;
  readonly #reserve: (length: number) => number;
  readonly #post: (news: AnswerNews, memory: ArrayBuffer[]) => void;

  /** @param post reaches the front's event loop */
  constructor(memory: LineMemory, post: (news: AnswerNews, memory: ArrayBuffer[]) => void) {
    this.#post = post;
    this.#questions = new RingReader(memory.questions);
    const answers = new RingWriter(memory.answers);
    this.#answers = answers;
    this.#signals = new Int32Array(memory.signals);
    this.#bell = new Int32Array(memory.bell);
    this.#reserve = (length) => answers.reserve(length);
  }

  /** The next batch of questions, or null. */
  nextBatch(): string | null {
    const at = this.#questions.next();
    if (at < 0) return null;
    const batch = this.#questions.bytes.toString('utf8', at, at + this.#questions.length);
    this.#questions.free();
    return batch;
  }

  /** Sends an answer. Its memory may be reused afterwards. @param answerMs time spent on it */
  answer(address: AnswerAddress, answer: Answer, answerMs = 0): void {
    if (writeAnswer(this.#answers.bytes, this.#reserve, address, answer, answerMs)) {
      this.#answers.publish();
      return;
    }
    const record = answerRecord(address, answer, answerMs);
    this.#post({ news: 'answer', record }, [record.buffer]);
  }

  /**
   * Sends the next part of an answer.
   * @returns false if the ring has no room for it: a part that was posted could be overtaken by the next
   */
  part(address: AnswerAddress, data: Uint8Array): boolean {
    const part = { outcome: 'part', data } as const;
    if (!writeAnswer(this.#answers.bytes, this.#reserve, address, part, 0)) return false;
    this.#answers.publish();
    return true;
  }

  /** Notifies the front of answers, unless it has not taken those of the last notification yet. */
  tell(): void {
    if (Atomics.exchange(this.#signals, toldWord, 1) === 0) this.#post({ news: 'answers' }, []);
  }

  /** How often the bell has rung. Read it before looking for work, and pass it to {@link sleep} if there was none. */
  get rung(): number {
    return Atomics.load(this.#bell, rungWord);
  }

  /** Shows every front the thread's remaining work. */
  set busy(work: number) {
    Atomics.store(this.#bell, busyWord, work);
  }

  /** How many commands were posted, modulo 2³² and signed. */
  get commands(): number {
    return Atomics.load(this.#signals, commandsWord);
  }

  /**
   * Sleeps until the bell has rung more often than `rung`. Blocks the whole thread.
   * @param forMs time limit
   * @returns false once the time limit has passed
   */
  sleep(rung: number, forMs = Number.POSITIVE_INFINITY): boolean {
    return Atomics.wait(this.#bell, rungWord, rung, forMs) !== 'timed-out';
  }
}
