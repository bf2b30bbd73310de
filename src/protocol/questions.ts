/**
 * What the front asks a query thread, and what comes back: plain data. Failures are codes.
 * How it crosses is {@link file://./question-batch.ts} and {@link file://./answer-record.ts}.
 */
import type { IdentifierKind } from '../lei/identifier-kinds.ts';
import type { Notices } from '../lei/notices.ts';

export type Coding = 'zstd' | 'br' | 'gzip';

/** How long a text that is searched for may be, in code points. */
export const searchTextMin = 2;
export const searchTextMax = 500;

/** LEIs and identifiers are upper case and of checked syntax; texts are free of control characters below U+0020. */
export type Question =
  | { readonly kind: 'company'; readonly lei: string }
  | { readonly kind: 'relationships'; readonly lei: string }
  | {
      readonly kind: 'changes';
      readonly lei: string;
      /** The position an earlier answer gave as `next`; null for the first page. */
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
  | CompressQuestion;

/** Asks nothing of a publication: a large body is packed in a thread so that it does not hold up the front. */
export interface CompressQuestion {
  readonly kind: 'compress';
  readonly coding: Coding;
  /** Must stay as it is until the question is answered. */
  readonly body: Uint8Array<ArrayBuffer>;
}

/** What a publication answers. */
export type TextQuestion = Exclude<Question, CompressQuestion>;

/**
 * Whether answering takes milliseconds rather than microseconds. The kinds whose quota is that of look-ups are those that
 * are quick, and for the same reason.
 */
export function isSlow({ kind }: Question): boolean {
  return kind === 'search' || kind === 'relationships' || kind === 'changes' || kind === 'compress';
}

export type Answer =
  | {
      readonly outcome: 'found';
      /**
       * Finished JSON of the envelope's `data` in UTF-8. The memory is used again: whoever gets it reads or copies it
       * before waiting for anything.
       */
      readonly data: Uint8Array;
      /** Position of the next page; null on the last. */
      readonly next: string | null;
      /** Which third-party notices the content calls for. */
      readonly notices: Notices;
    }
  | { readonly outcome: 'compressed'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly outcome: 'not-found' }
  /** A parameter that only the publication's content can refuse. */
  | { readonly outcome: 'invalid'; readonly parameter: string; readonly detail: string }
  | { readonly outcome: 'unavailable'; readonly reason: Unavailability };

export type Unavailability =
  | 'no-publication'
  | 'publication-gone'
  | 'queue-full'
  | 'timeout'
  | 'shutting-down'
  /** A bug, which the log tells, or the question that two threads died with. */
  | 'failed';

/** The name that a code stands for. Throws where there is none: only a bug could have sent it. */
export function keyOf<Name extends string, Code>(codes: Readonly<Record<Name, Code>>, code: Code): Name {
  for (const name in codes) if (codes[name] === code) return name;
  throw new Error(`A message between threads holds the unknown code ${JSON.stringify(code)}.`);
}
