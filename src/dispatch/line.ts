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

/**
 * A ring of records in memory that two threads share. One thread writes, the other reads, and neither waits for the
 * other. A record that has no room is refused, and the writer sends it another way.
 *
 * ```
 * word 0   bytes written so far ┐ both modulo 2³²; the difference
 * word 16  bytes freed so far   ┘ is in use
 * byte 128 …  length, payload, length, payload …  each on a multiple of four
 * ```
 *
 * A record never crosses the end: a length of −1 means that the next record is at the start again.
 *
 * The two counts are on different cache lines, because different processors write them.
 */
const writtenWord = 0;
const freedWord = 16;
const firstByte = 128;
const lengthBytes = 4;
const backToStart = -1;

/** Memory for a ring of this many bytes. They must be a power of two, because counts wrap at 2³². */
export function ringMemory(bytes: number): SharedArrayBuffer {
  if (bytes < 64 || (bytes & (bytes - 1)) !== 0) throw new Error(`A ring can't have ${bytes} bytes.`);
  return new SharedArrayBuffer(firstByte + bytes);
}

/** The memory that both ends share. */
class RingEnd {
  /** The whole memory, so that offsets are the same in both views. */
  readonly bytes: Buffer;
  readonly words: Int32Array;
  protected readonly capacity: number;

  constructor(memory: SharedArrayBuffer) {
    this.bytes = Buffer.from(memory);
    this.words = new Int32Array(memory);
    this.capacity = memory.byteLength - firstByte;
  }

  /** The offset in memory of a count of bytes. */
  protected place(count: number): number {
    return firstByte + (count & (this.capacity - 1));
  }

  protected word(offset: number): number {
    return this.words[offset >> 2] ?? 0;
  }
}

/** Bytes of memory for a record with a payload of this many bytes. */
function roomOf(length: number): number {
  return (lengthBytes + length + 3) & ~3;
}

export class RingWriter extends RingEnd {
  #written = 0;

  /**
   * Reserves room for a record. The reader sees it after {@link publish}; until then its bytes may be written in any
   * order.
   * @returns the offset of its first byte, on a multiple of four; −1 if there is no room
   */
  reserve(length: number): number {
    const room = roomOf(length);
    const toEnd = this.capacity - (this.#written & (this.capacity - 1));
    const skipped = room > toEnd ? toEnd : 0;
    const used = (this.#written - Atomics.load(this.words, freedWord)) | 0;
    if (skipped + room > this.capacity - used) return -1;
    if (skipped > 0) this.words[this.place(this.#written) >> 2] = backToStart;
    const at = this.place(this.#written + skipped);
    this.words[at >> 2] = length;
    this.#written = (this.#written + skipped + room) | 0;
    return at + lengthBytes;
  }

  /** Shows the reader all records reserved so far. */
  publish(): void {
    Atomics.store(this.words, writtenWord, this.#written);
  }
}

export class RingReader extends RingEnd {
  #read = 0;
  #length = 0;

  /** Bytes of the record that {@link next} found. */
  get length(): number {
    return this.#length;
  }

  /** Whether {@link next} would find a record. */
  get hasNext(): boolean {
    return this.#read !== Atomics.load(this.words, writtenWord);
  }

  /** @returns the offset of the next record's first byte, on a multiple of four; −1 if there is none yet */
  next(): number {
    if (!this.hasNext) return -1;
    let at = this.place(this.#read);
    if (this.word(at) === backToStart) {
      this.#read = (this.#read + firstByte + this.capacity - at) | 0;
      at = firstByte;
    }
    this.#length = this.word(at);
    this.#read = (this.#read + roomOf(this.#length)) | 0;
    return at + lengthBytes;
  }

  /** Frees the memory of every record read so far, for the writer to reuse. */
  free(): void {
    Atomics.store(this.words, freedWord, this.#read);
  }
}
