/**
 * The line between the front and one query thread: a ring of question batches one way, a ring of answers the other,
 * and the signals by which either wakes the other. Messages between threads carry only what is rare: commands,
 * reports, and whatever found no room in a ring. A thread without questions sleeps on the bell, not in its event
 * loop: waking it is a store and a notification.
 */
import {
  type AnswerAddress,
  answerRecord,
  readAnswer,
  type TakeAnswer,
  writeAnswer,
} from './answer-record.ts';
import type { Answer } from './questions.ts';
import { RingReader, RingWriter, ringMemory } from './ring.ts';

/** Shared by both ends. */
export interface LineMemory {
  readonly questions: SharedArrayBuffer;
  readonly answers: SharedArrayBuffer;
  readonly signals: SharedArrayBuffer;
}

/** How often the front has rung, whether for a batch or for a command. */
const bellWord = 0;
/** How many commands the front has posted. */
const commandsWord = 16;
/** 1 from when the thread posts that there are answers until the front takes them. */
const toldWord = 32;
const signalWords = 48;

/** @param questionBytes @param answerBytes sizes of the rings, powers of two */
export function lineMemory(questionBytes: number, answerBytes: number): LineMemory {
  return {
    questions: ringMemory(questionBytes),
    answers: ringMemory(answerBytes),
    signals: new SharedArrayBuffer(signalWords * 4),
  };
}

/** The front's end. */
export class AskingEnd {
  readonly #questions: RingWriter;
  readonly #answers: RingReader;
  readonly #signals: Int32Array;

  constructor(memory: LineMemory) {
    this.#questions = new RingWriter(memory.questions);
    this.#answers = new RingReader(memory.answers);
    this.#signals = new Int32Array(memory.signals);
  }

  /** Hands a batch of questions over. @returns false where there is no room for it */
  ask(batch: string): boolean {
    const at = this.#questions.reserve(Buffer.byteLength(batch));
    if (at < 0) return false;
    this.#questions.bytes.write(batch, at);
    this.#questions.publish();
    this.#ring();
    return true;
  }

  /** Says that a command is among the thread's messages, which it looks at only when it knows of one. */
  commandPosted(): void {
    Atomics.add(this.#signals, commandsWord, 1);
    this.#ring();
  }

  #ring(): void {
    Atomics.add(this.#signals, bellWord, 1);
    Atomics.notify(this.#signals, bellWord);
  }

  /** Takes every answer that has come. What one holds is valid only while it is taken. */
  takeAnswers(take: TakeAnswer): void {
    // Before looking: what comes from now on is told of again.
    Atomics.store(this.#signals, toldWord, 0);
    try {
      for (let at = this.#answers.next(); at >= 0; at = this.#answers.next()) {
        readAnswer(this.#answers.bytes, at, take);
      }
    } finally {
      this.#answers.giveBack();
    }
  }
}

/** The thread's end. */
export class AnsweringEnd {
  readonly #questions: RingReader;
  readonly #answers: RingWriter;
  readonly #signals: Int32Array;
  readonly #reserve: (length: number) => number;

  constructor(memory: LineMemory) {
    this.#questions = new RingReader(memory.questions);
    const answers = new RingWriter(memory.answers);
    this.#answers = answers;
    this.#signals = new Int32Array(memory.signals);
    this.#reserve = (length) => answers.reserve(length);
  }

  /** The next batch of questions, or null. */
  nextBatch(): string | null {
    const at = this.#questions.next();
    if (at < 0) return null;
    const batch = this.#questions.bytes.toString('utf8', at, at + this.#questions.length);
    this.#questions.giveBack();
    return batch;
  }

  /** Hands an answer over. @returns null, or the record that found no room and must be posted */
  answer(address: AnswerAddress, answer: Answer): Buffer<ArrayBuffer> | null {
    if (!writeAnswer(this.#answers.bytes, this.#reserve, address, answer)) {
      return answerRecord(address, answer);
    }
    this.#answers.publish();
    return null;
  }

  /** Whether the front has to be told that there are answers: it has not been since it last took some. */
  mustTell(): boolean {
    return Atomics.exchange(this.#signals, toldWord, 1) === 0;
  }

  /** How often the bell has rung: asked before looking for work, and told to {@link sleep} when there was none. */
  get rung(): number {
    return Atomics.load(this.#signals, bellWord);
  }

  /** How many commands were posted since the line was laid, modulo 2³² and signed. */
  get commands(): number {
    return Atomics.load(this.#signals, commandsWord);
  }

  /**
   * Sleeps until the bell has rung more often than that. Stops the whole thread.
   * @param forMs how long at most
   * @returns false where that time is over
   */
  sleep(rung: number, forMs = Number.POSITIVE_INFINITY): boolean {
    return Atomics.wait(this.#signals, bellWord, rung, forMs) !== 'timed-out';
  }
}
