/**
 * Defines the questions that the front asks a query thread, and the answers: plain data. Failures are codes.
 * question-batch.ts and answer-record.ts define how they cross.
 */
import { byKind, type IdentifierKind, identifierKinds } from '../lei/identifier-kinds.ts';
import type { Notices } from '../lei/notices.ts';
import { type ExtQuestion, extQuestionKinds } from './ext-questions.ts';

export type Coding = 'zstd' | 'br' | 'gzip';

/** Bounds of a search text, in code points. */
export const searchTextMin = 2;
export const searchTextMax = 500;

/** Questions with nothing but an LEI. */
export const leiQuestions = ['company', 'relationships'] as const;
/** LEIs and identifiers are upper case and of checked syntax; texts have no control characters below U+0020. */
export type Question =
  | { readonly kind: (typeof leiQuestions)[number]; readonly lei: string }
  | {
      readonly kind: 'changes';
      readonly lei: string;
      /** `next` of an earlier answer; null for the first page. */
      readonly after: string | null;
      readonly limit: number;
    }
  | {
      readonly kind: 'search';
      /** Trimmed, 2 to 500 code points. */
      readonly q: string;
      /** Upper case, two characters. */
      readonly country: string | null;
      /** Upper case, one of the registration statuses. */
      readonly status: string | null;
      readonly after: string | null;
      readonly limit: number;
    }
  | { readonly kind: IdentifierKind; readonly value: string }
  | ExtQuestion
  | CompressQuestion;

/** Compresses a large body in a thread, so that it does not block the front. Needs no publication. */
export interface CompressQuestion {
  readonly kind: 'compress';
  readonly coding: Coding;
  /** Must not change until the question is answered. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Every kind of question once. The compiler refuses a list that lacks one. */
const kinds: Readonly<Record<Question['kind'], true>> = {
  company: true,
  relationships: true,
  changes: true,
  search: true,
  ...byKind(identifierKinds, () => true as const),
  ...extQuestionKinds,
  compress: true,
};
export const questionKinds: readonly string[] = Object.keys(kinds);

function isExtKind(kind: string): kind is ExtQuestion['kind'] {
  return kind in extQuestionKinds;
}

/** Whether a question is one of ext-questions.ts. */
export function isExtQuestion(question: TextQuestion): question is ExtQuestion {
  return isExtKind(question.kind);
}

/** A question that a publication answers. */
export type TextQuestion = Exclude<Question, CompressQuestion>;

/**
 * Whether an answer may take milliseconds rather than microseconds: searches and other questions with a separate quota,
 * batches, and compression.
 */
export function isSlow({ kind }: Question): boolean {
  return (
    kind === 'search' ||
    kind === 'relationships' ||
    kind === 'changes' ||
    kind === 'compress' ||
    isExtKind(kind)
  );
}

export type Answer =
  | {
      readonly outcome: 'found';
      /**
       * Finished JSON of the envelope's `data` in UTF-8. The memory is reused: read or copy it before waiting for
       * anything.
       */
      readonly data: Uint8Array;
      /** Position of the next page; null on the last. */
      readonly next: string | null;
      /** The third-party notices that the content requires. */
      readonly notices: Notices;
    }
  | { readonly outcome: 'compressed'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** `detail` says why, if there is more to say than that nothing was found. */
  | { readonly outcome: 'not-found'; readonly detail?: string }
  /** A parameter that is wrong only for this publication's content. */
  | { readonly outcome: 'invalid'; readonly parameter: string; readonly detail: string }
  | { readonly outcome: 'unavailable'; readonly reason: Unavailability };

/**
 * The next piece of the JSON of a found answer. More follow; the answer itself brings the last. Its memory is reused
 * too.
 */
export interface AnswerPart {
  readonly outcome: 'part';
  readonly data: Uint8Array;
}

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
