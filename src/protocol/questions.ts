/**
 * Defines the questions that the front asks a query thread, and the answers: plain data. Failures are codes.
 *
 * Questions cross to a query thread as text. Those of one event-loop tick for one publication share a text, so that the
 * cost of a message is paid once per batch:
 *
 * ```
 * batch NUL publication NUL question NUL question …
 * ```
 *
 * A question may be preceded by the recent cost of its client's questions. A query thread answers slow questions in
 * turns by this cost (desk.ts).
 *
 * An answer (answer-record.ts) names its batch and the position of its question in it. Batch numbers repeat after 2³²
 * batches, so a late answer is recognised and dropped. A part never contains NUL: identifiers are checked, and query
 * texts have no control characters.
 */
import { byKind, type MappingKind, mappingKinds } from '../lei/identifier-kinds.ts';
import type { Notices } from '../lei/notices.ts';
import { type ExtQuestion, extQuestionKinds, type PageRequest } from './ext-questions.ts';
import type { GleifRecordQuestion } from './gleif-questions.ts';

export type Coding = 'zstd' | 'br' | 'gzip';

/** Bounds of a search text, in code points. */
export const searchTextMin = 2;
export const searchTextMax = 500;

/** Questions with nothing but an LEI. */
const leiQuestions = ['company', 'relationships'] as const;
/** LEIs and identifiers are as their checks write them; texts have no control characters below U+0020. */
export type Question =
  | { readonly kind: (typeof leiQuestions)[number]; readonly lei: string }
  | (PageRequest & { readonly kind: 'changes'; readonly lei: string })
  | (PageRequest & {
      readonly kind: 'search';
      /** Trimmed, 2 to 500 code points. */
      readonly q: string;
      /** Upper case, two characters. */
      readonly country: string | null;
      /** Upper case, one of the registration statuses. */
      readonly status: string | null;
    })
  | { readonly kind: MappingKind; readonly value: string }
  | GleifRecordQuestion
  | ExtQuestion
  | CompressQuestion;

/** Compresses a large body in a thread, so that it does not block the front. Needs no publication. */
export interface CompressQuestion {
  readonly kind: 'compress';
  readonly coding: Coding;
  /** Must not change until the question is answered. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/** A question that a publication answers. */
export type TextQuestion = Exclude<Question, CompressQuestion>;

/** Whether a question is one of ext-questions.ts. */
function isExtQuestion(question: TextQuestion): question is ExtQuestion {
  return question.kind in extQuestionKinds;
}

/**
 * Every kind of question, and whether its answer may take milliseconds rather than microseconds: searches and other
 * questions with a separate quota, batches, and compression. The compiler refuses a table that lacks a kind.
 */
const slowKinds: Readonly<Record<Question['kind'], boolean>> = {
  company: false,
  relationships: true,
  changes: true,
  search: true,
  ...byKind(mappingKinds, () => false),
  'gleif-record': false,
  ...extQuestionKinds,
  compress: true,
};
export const questionKinds: readonly string[] = Object.keys(slowKinds);

export function isSlow({ kind }: Question): boolean {
  return slowKinds[kind];
}

export type Answer =
  | {
      readonly outcome: 'found';
      /**
       * Finished JSON of the envelope's `data` in UTF-8, or the text of a page (html/made-page.ts), for a
       * {@link ReadAnswer}.
       */
      readonly data: Uint8Array;
      /** Position of the next page; null on the last. */
      readonly next: string | null;
      /** The third-party notices that the content requires. */
      readonly notices: Notices;
      /** Frees the memory of an answer that shares it with no other, once the answer has left the thread. */
      readonly free?: () => void;
    }
  | { readonly outcome: 'compressed'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** `detail` is a more precise reason; absent if nothing was found at all. */
  | { readonly outcome: 'not-found'; readonly detail?: string }
  /** A parameter that is wrong only for this publication's content. */
  | { readonly outcome: 'invalid'; readonly parameter: string; readonly detail: string }
  | { readonly outcome: 'unavailable'; readonly reason: Unavailability };

/** The next piece of the JSON of a found answer. More follow; the answer itself brings the last. */
export interface AnswerPart {
  readonly outcome: 'part';
  readonly data: Uint8Array;
}

/** Reads an answer. Its memory is reused, so the function takes what it needs before it returns. */
export type ReadAnswer<Value = void> = (answer: Answer) => Value;

/** Takes bytes of an answer that comes in parts. Their memory is reused, so the function copies them before it returns. */
export type TakePart = (data: Uint8Array) => void;

/** Why there is no answer. */
export const unavailabilities = [
  'no-publication',
  'publication-gone',
  'queue-full',
  'timeout',
  'shutting-down',
  // A bug, which is logged, or a question that ended two threads.
  'failed',
] as const;
export type Unavailability = (typeof unavailabilities)[number];

const separator = '\0';
/** Represents null. No field ever has this text, because control characters are refused. */
const absent = '\u0001';

export interface QuestionBatch {
  readonly batch: number;
  readonly publicationId: string;
  readonly questions: readonly TextQuestion[];
  /** For each question, the recent cost of its client's questions, in milliseconds of a query thread. */
  readonly clientMs: readonly number[];
}

/** The beginning of a batch. {@link joinQuestion} appends questions. */
export function openBatch(batch: number, publicationId: string): string {
  return batch + separator + publicationId;
}

/** @param clientMs the recent cost of the client's questions, a whole number of milliseconds */
export function joinQuestion(batch: string, question: TextQuestion, clientMs = 0): string {
  const cost = clientMs === 0 ? '' : `${separator}${costCode}${clientMs}`;
  return batch + cost + separator + encodeQuestion(question);
}

const costCode = 'c';

/**
 * The first character of a question of one text: a capital for a question with an LEI, another sign below the letters
 * for an identifier. All other questions begin with a small letter.
 */
const codes = {
  ...byKind(leiQuestions, (kind) => String.fromCharCode(0x41 + leiQuestions.indexOf(kind))),
  ...byKind(mappingKinds, (kind) => String.fromCharCode(0x30 + mappingKinds.indexOf(kind))),
};
const makers = new Map<string, (text: string) => TextQuestion>([
  ...leiQuestions.map((kind) => [codes[kind], (lei: string) => ({ kind, lei })] as const),
  ...mappingKinds.map((kind) => [codes[kind], (value: string) => ({ kind, value })] as const),
]);

/** The part of a batch that is one question. */
function encodeQuestion(question: TextQuestion): string {
  switch (question.kind) {
    case 'changes':
      return `h${question.lei}${separator}${question.after ?? absent}${separator}${question.limit}`;
    case 'search': {
      const filters = `${question.country ?? absent}${separator}${question.status ?? absent}`;
      const page = `${question.after ?? absent}${separator}${question.limit}`;
      return `s${question.q}${separator}${filters}${separator}${page}`;
    }
    case 'gleif-record':
      return `g${question.lei}${separator}${question.base}`;
    default:
      if (isExtQuestion(question)) return `e${JSON.stringify(question)}`;
      return codes[question.kind] + ('lei' in question ? question.lei : question.value);
  }
}

/** Reads a batch of questions. Throws only for a bug of the sender. */
export function decodeBatch(message: string): QuestionBatch {
  const parts = message.split(separator);
  const reader = partReader(parts, 2);
  const questions: TextQuestion[] = [];
  const clientMs: number[] = [];
  while (reader.position < parts.length) {
    const hasCost = parts[reader.position]?.[0] === costCode;
    clientMs.push(hasCost ? Number(reader.next().slice(1)) : 0);
    questions.push(decodeQuestion(reader));
  }
  return { batch: Number(parts[0]), publicationId: parts[1] ?? '', questions, clientMs };
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
      if (part === undefined) throw new Error('A batch ended in the middle of a question.');
      return part;
    },
    nextOrNull() {
      const part = this.next();
      return part === absent ? null : part;
    },
  };
}

function decodeQuestion(reader: PartReader): TextQuestion {
  const part = reader.next();
  const value = part.slice(1);
  const code = part[0];
  switch (code) {
    case 'h':
      return { kind: 'changes', lei: value, after: reader.nextOrNull(), limit: Number(reader.next()) };
    case 's': {
      const country = reader.nextOrNull();
      const status = reader.nextOrNull();
      const after = reader.nextOrNull();
      return { kind: 'search', q: value, country, status, after, limit: Number(reader.next()) };
    }
    case 'g':
      return { kind: 'gleif-record', lei: value, base: reader.next() };
    case 'e':
      return JSON.parse(value);
    default:
      return questionOfText(code, value);
  }
}

function questionOfText(code: string | undefined, text: string): TextQuestion {
  const make = makers.get(code ?? '');
  if (make === undefined) throw new Error(`A question begins with the unknown code ${JSON.stringify(code)}.`);
  return make(text);
}
