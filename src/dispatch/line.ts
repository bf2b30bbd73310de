/**
 * Connects one front and one query thread: a ring of question batches one way, a ring of answers the other, and the
 * signals by which each end wakes the other. Messages between threads carry what is rare: commands, reports, and
 * records that found no room in a ring. A thread without questions sleeps on its bell instead of in its event loop:
 * waking it takes a store and a notification. All lines of a query thread have the same bell.
 */
import type { Answer } from '../protocol/questions.ts';
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

  constructor(memory: LineMemory) {
    this.#questions = new RingWriter(memory.questions);
    this.#answers = new RingReader(memory.answers);
    this.#signals = new Int32Array(memory.signals);
    this.#bell = new Int32Array(memory.bell);
  }

  /** The thread's remaining work after its last round, of all fronts, in look-ups. */
  get busy(): number {
    return Atomics.load(this.#bell, busyWord);
  }

  /** Sends a batch of questions. @returns false if the ring has no room for it */
  ask(batch: string): boolean {
    const at = this.#questions.reserve(Buffer.byteLength(batch));
    if (at < 0) return false;
    this.#questions.bytes.write(batch, at);
    this.#questions.publish();
    this.#ring();
    return true;
  }

  /** Tells the thread that a command was posted. It reads its messages only after this. */
  commandPosted(): void {
    Atomics.add(this.#signals, commandsWord, 1);
    this.#ring();
  }

  #ring(): void {
    Atomics.add(this.#bell, rungWord, 1);
    Atomics.notify(this.#bell, rungWord);
  }

  /** Takes every available answer. An answer is valid only during the call of `take`. */
  takeAnswers(take: TakeAnswer): void {
    // Clear the flag before reading: the thread then notifies of answers that arrive from now on.
    Atomics.store(this.#signals, toldWord, 0);
    try {
      for (let at = this.#answers.next(); at >= 0; at = this.#answers.next()) {
        readAnswer(this.#answers.bytes, at, take);
      }
    } finally {
      this.#answers.free();
    }
  }
}

/** The thread's end. */
export class AnsweringEnd {
  readonly #questions: RingReader;
  readonly #answers: RingWriter;
  readonly #signals: Int32Array;
  readonly #bell: Int32Array;
  readonly #reserve: (length: number) => number;

  constructor(memory: LineMemory) {
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

  /** Sends an answer. @returns null, or the record that found no room in the ring and must be posted */
  answer(address: AnswerAddress, answer: Answer, answerMs = 0): Buffer<ArrayBuffer> | null {
    if (!writeAnswer(this.#answers.bytes, this.#reserve, address, answer, answerMs)) {
      return answerRecord(address, answer, answerMs);
    }
    this.#answers.publish();
    return null;
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

  /** Whether the front must be notified of answers. False until it takes those of the last notification. */
  mustTell(): boolean {
    return Atomics.exchange(this.#signals, toldWord, 1) === 0;
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
