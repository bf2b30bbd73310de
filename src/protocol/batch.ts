/**
 * The wire between the front and a query thread. The dispatcher collects the questions of one event-loop tick for
 * one publication into one string, and the thread answers with as few strings as it can. A string is what Bun
 * hands to another thread fastest; whatever is per message is paid once per batch.
 *
 * ```
 * questions   batch NUL publication NUL question NUL question …
 * answers     batch NUL position of the first NUL answer NUL answer …
 * ```
 *
 * Answers are in the order of the questions. A thread may answer in several messages, each a run of neighbours
 * that begins at the stated position: so a large body travels alone, and quick answers don't wait for a slow one
 * behind them. Compressed bytes are the one answer that is not text ({@link BytesAnswer}). A batch number is used
 * once per pool, so a message about a batch that nobody waits for any more is recognised and dropped.
 *
 * Bodies cross as octets (octets.ts), everything else as text. A part never holds NUL: identifiers are checked,
 * query texts have no control characters, and JSON escapes them.
 */
import type { Answer, Coding, IdentifierKind, Notices, Question, Unavailability } from './questions.ts';

const separator = '\0';
/** Stands for null where a field may be absent; no field is ever this text, since control characters are refused. */
const absent = '\u0001';

export interface QuestionBatch {
  readonly batch: number;
  readonly publicationId: string;
  readonly questions: readonly Question[];
}

export interface AnswerRun {
  readonly batch: number;
  /** Position of the first answer among the questions of the batch. */
  readonly start: number;
  readonly answers: readonly Answer[];
}

/** A compressed body, which crosses as an object of its own. */
export interface BytesAnswer {
  readonly batch: number;
  readonly position: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What both kinds of batch begin with; parts follow by {@link joinPart}. */
export function openQuestions(batch: number, publicationId: string): string {
  return batch + separator + publicationId;
}

/** What a run of answers begins with; parts follow by {@link joinPart}. */
export function openAnswers(batch: number, start: number): string {
  return batch + separator + start;
}

export function joinPart(message: string, part: string): string {
  return message + separator + part;
}

const identifierCodes: Record<IdentifierKind, string> = { bic: 'b', isin: 'i', mic: 'm', gem: 'g', qcc: 'q' };
const codingCodes: Record<Coding, string> = { zstd: 'z', br: 'b', gzip: 'g' };

/** One question as its part of a batch. */
export function encodeQuestion(question: Question): string {
  switch (question.kind) {
    case 'company':
      return `c${question.lei}`;
    case 'relationships':
      return `r${question.lei}`;
    case 'changes':
      return `h${question.lei}${separator}${question.after ?? absent}${separator}${question.limit}`;
    case 'search': {
      const filters = `${question.country ?? absent}${separator}${question.status ?? absent}`;
      const page = `${question.after ?? absent}${separator}${question.limit}`;
      return `s${question.q}${separator}${filters}${separator}${page}`;
    }
    case 'compress':
      return `z${codingCodes[question.coding]}${separator}${question.body}`;
    default:
      return identifierCodes[question.kind] + question.value;
  }
}

/** Reads a batch of questions. Throws where the message is none: only a bug could have made it. */
export function decodeQuestions(message: string): QuestionBatch {
  const parts = message.split(separator);
  const reader = partReader(parts, 2);
  const questions: Question[] = [];
  while (reader.position < parts.length) questions.push(decodeQuestion(reader));
  return { batch: Number(parts[0]), publicationId: parts[1] ?? '', questions };
}

interface PartReader {
  position: number;
  next(): string;
  nextOrNull(): string | null;
}

function partReader(parts: readonly string[], start: number): PartReader {
  return {
    position: start,
    next() {
      const part = parts[this.position++];
      if (part === undefined) throw new Error('A batch ended in the middle of a question or answer.');
      return part;
    },
    nextOrNull() {
      const part = this.next();
      return part === absent ? null : part;
    },
  };
}

function decodeQuestion(reader: PartReader): Question {
  const part = reader.next();
  const value = part.slice(1);
  const code = part[0];
  switch (code) {
    case 'c':
      return { kind: 'company', lei: value };
    case 'r':
      return { kind: 'relationships', lei: value };
    case 'h':
      return { kind: 'changes', lei: value, after: reader.nextOrNull(), limit: Number(reader.next()) };
    case 's': {
      const country = reader.nextOrNull();
      const status = reader.nextOrNull();
      const after = reader.nextOrNull();
      return { kind: 'search', q: value, country, status, after, limit: Number(reader.next()) };
    }
    case 'z':
      return { kind: 'compress', coding: keyOf(codingCodes, value), body: reader.next() };
    default:
      return { kind: keyOf(identifierCodes, code ?? ''), value };
  }
}

/** The name that a one-letter code stands for. */
function keyOf<Name extends string>(codes: Readonly<Record<Name, string>>, code: string): Name {
  for (const name in codes) if (codes[name] === code) return name;
  throw new Error(`A batch holds the unknown code ${JSON.stringify(code)}.`);
}

const reasonCodes: Record<Unavailability, string> = {
  'no-publication': 'n',
  'publication-gone': 'g',
  'queue-full': 'q',
  timeout: 't',
  'shutting-down': 's',
  failed: 'f',
};

/** One object for each combination, so that decoding an answer makes none. */
const noticeSets: readonly Notices[] = Array.from({ length: 8 }, (_, bits) =>
  Object.freeze({ bic: (bits & 1) !== 0, mic: (bits & 2) !== 0, gem: (bits & 4) !== 0 }),
);

/** An answer that is text; the bytes of a compressed one travel as a {@link BytesAnswer}. */
export type TextAnswer = Exclude<Answer, { outcome: 'compressed' }>;

/** One answer as its part of a run. */
export function encodeAnswer(answer: TextAnswer): string {
  switch (answer.outcome) {
    case 'found': {
      const { bic, mic, gem } = answer.notices;
      const bits = (bic ? 1 : 0) + (mic ? 2 : 0) + (gem ? 4 : 0);
      if (answer.next === null) return `f${bits}${answer.data}`;
      return `p${bits}${answer.data}${separator}${answer.next}`;
    }
    case 'not-found':
      return 'x';
    case 'invalid':
      return `v${answer.parameter}${separator}${answer.detail}`;
    case 'unavailable':
      return `u${reasonCodes[answer.reason]}`;
  }
}

/** Reads a run of answers. Throws where the message is none: only a bug could have made it. */
export function decodeAnswers(message: string): AnswerRun {
  const parts = message.split(separator);
  const reader = partReader(parts, 2);
  const answers: Answer[] = [];
  while (reader.position < parts.length) answers.push(decodeAnswer(reader));
  return { batch: Number(parts[0]), start: Number(parts[1]), answers };
}

function decodeAnswer(reader: PartReader): Answer {
  const part = reader.next();
  switch (part[0]) {
    case 'f':
      return { outcome: 'found', data: part.slice(2), next: null, notices: noticesOf(part) };
    case 'p':
      return { outcome: 'found', data: part.slice(2), next: reader.next(), notices: noticesOf(part) };
    case 'x':
      return { outcome: 'not-found' };
    case 'v':
      return { outcome: 'invalid', parameter: part.slice(1), detail: reader.next() };
    default:
      return { outcome: 'unavailable', reason: keyOf(reasonCodes, part.slice(1)) };
  }
}

function noticesOf(part: string): Notices {
  const set = noticeSets[part.charCodeAt(1) - 48];
  if (set === undefined) throw new Error('A batch holds an answer without notice flags.');
  return set;
}
