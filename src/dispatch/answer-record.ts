/**
 * Encodes one answer as a record that crosses from a query thread to the front:
 *
 * ```
 * batch · position · code · microseconds · bytes of the first part · bytes of the second     32 bits each, little-endian
 * first part, second part
 * ```
 *
 * | answer      | first part            | second part               |
 * |-------------|-----------------------|---------------------------|
 * | found       | the JSON              | position of the next page |
 * | compressed  | the bytes             |                           |
 * | invalid     | name of the parameter | what is wrong with it     |
 * | not found   | why, or nothing       |                           |
 * | unavailable |                       |                           |
 * | part        | the next of the JSON  |                           |
 *
 * The low four bits of the code are the outcome. The bits above them say whether another page follows and which notices
 * the body requires, or the place of the reason among the `unavailabilities`. The microseconds are those that the thread
 * spent on the answer, 0 if nobody watches.
 */
import {
  type Answer,
  type AnswerPart,
  type Unavailability,
  unavailabilities,
} from '../protocol/questions.ts';

const headBytes = 24;
const outcomes = { found: 0, compressed: 1, 'not-found': 2, invalid: 3, unavailable: 4, part: 5 } as const;
const outcomeBits = 4;
const outcomeMask = (1 << outcomeBits) - 1;
const nextFlag = 1 << outcomeBits;
const noticesShift = outcomeBits + 1;

/** The question that an answer belongs to. */
export interface AnswerAddress {
  readonly batch: number;
  readonly position: number;
}

const nothing = new Uint8Array(0);

function codeOf(answer: Answer | AnswerPart): number {
  const outcome = outcomes[answer.outcome];
  if (answer.outcome === 'unavailable')
    return outcome | (unavailabilities.indexOf(answer.reason) << outcomeBits);
  if (answer.outcome !== 'found') return outcome;
  return outcome | (answer.notices << noticesShift) | (answer.next === null ? 0 : nextFlag);
}

function firstPart(answer: Answer | AnswerPart): Uint8Array {
  switch (answer.outcome) {
    case 'found':
    case 'part':
      return answer.data;
    case 'compressed':
      return answer.bytes;
    case 'invalid':
      return Buffer.from(answer.parameter);
    case 'not-found':
      return answer.detail === undefined ? nothing : Buffer.from(answer.detail);
    default:
      return nothing;
  }
}

function secondPart(answer: Answer | AnswerPart): string {
  if (answer.outcome === 'found') return answer.next ?? '';
  return answer.outcome === 'invalid' ? answer.detail : '';
}

/**
 * Writes an answer's record.
 * @param reserve returns the offset for a record of this many bytes; −1 if there is no room
 * @param answerMs the time that the thread spent on the answer
 * @returns false if there was no room
 */
export function writeAnswer(
  bytes: Buffer,
  reserve: (length: number) => number,
  { batch, position }: AnswerAddress,
  answer: Answer | AnswerPart,
  answerMs: number,
): boolean {
  const first = firstPart(answer);
  const second = secondPart(answer);
  const secondBytes = second === '' ? 0 : Buffer.byteLength(second);
  const at = reserve(headBytes + first.length + secondBytes);
  if (at < 0) return false;
  bytes.writeInt32LE(batch, at);
  bytes.writeInt32LE(position, at + 4);
  bytes.writeInt32LE(codeOf(answer), at + 8);
  bytes.writeUInt32LE(Math.round(answerMs * 1_000), at + 12);
  bytes.writeInt32LE(first.length, at + 16);
  bytes.writeInt32LE(secondBytes, at + 20);
  bytes.set(first, at + headBytes);
  if (secondBytes > 0) bytes.write(second, at + headBytes + first.length);
  return true;
}

/** A record in separate memory. */
export function answerRecord(
  address: AnswerAddress,
  answer: Answer | AnswerPart,
  answerMs = 0,
): Buffer<ArrayBuffer> {
  const length = headBytes + firstPart(answer).length + Buffer.byteLength(secondPart(answer));
  const bytes = Buffer.allocUnsafeSlow(length);
  writeAnswer(bytes, () => 0, address, answer, answerMs);
  return bytes;
}

/** Receives an answer from a thread, as a {@link ReadAnswer} or a {@link TakePart} does. */
export type TakeAnswer = (
  batch: number,
  position: number,
  answer: Answer | AnswerPart,
  answerMs: number,
) => void;

/** Reads the record that begins at `at`. The JSON of a found answer is not copied: it is a view of `bytes`. */
export function readAnswer(bytes: Buffer, at: number, take: TakeAnswer): void {
  const start = at + headBytes;
  const middle = start + bytes.readInt32LE(at + 16);
  const end = middle + bytes.readInt32LE(at + 20);
  take(
    bytes.readInt32LE(at),
    bytes.readInt32LE(at + 4),
    answerIn(bytes, bytes.readInt32LE(at + 8), start, middle, end),
    bytes.readUInt32LE(at + 12) / 1_000,
  );
}

function answerIn(
  bytes: Buffer,
  code: number,
  start: number,
  middle: number,
  end: number,
): Answer | AnswerPart {
  const outcome = code & outcomeMask;
  switch (outcome) {
    case outcomes.found:
      return {
        outcome: 'found',
        data: bytes.subarray(start, middle),
        next: (code & nextFlag) === 0 ? null : bytes.toString('utf8', middle, end),
        notices: code >> noticesShift,
      };
    case outcomes.compressed:
      return { outcome: 'compressed', bytes: new Uint8Array(bytes.subarray(start, middle)) };
    case outcomes['not-found']:
      return start === middle
        ? { outcome: 'not-found' }
        : { outcome: 'not-found', detail: bytes.toString('utf8', start, middle) };
    case outcomes.invalid:
      return {
        outcome: 'invalid',
        parameter: bytes.toString('utf8', start, middle),
        detail: bytes.toString('utf8', middle, end),
      };
    case outcomes.part:
      return { outcome: 'part', data: bytes.subarray(start, middle) };
    case outcomes.unavailable:
      return { outcome: 'unavailable', reason: reasonIn(code >> outcomeBits) };
    default:
      throw new Error(`An answer between threads has the unknown outcome ${outcome}.`);
  }
}

function reasonIn(place: number): Unavailability {
  const reason = unavailabilities[place];
  if (reason === undefined) throw new Error(`An answer between threads has the unknown code ${place}.`);
  return reason;
}
