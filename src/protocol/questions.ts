/**
 * What the front asks a query thread, and what comes back: plain data. Failures are codes.
 * How it is packed into one string a tick is {@link file://./batch.ts}.
 */

import type { Octets } from './octets.ts';

export const identifierKinds = ['bic', 'isin', 'mic', 'gem', 'qcc'] as const;
export type IdentifierKind = (typeof identifierKinds)[number];

export type Coding = 'zstd' | 'br' | 'gzip';

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
  | { readonly kind: 'compress'; readonly coding: Coding; readonly body: Octets };

/** Which third-party notices a body's content calls for. */
export interface Notices {
  readonly bic: boolean;
  readonly mic: boolean;
  readonly gem: boolean;
}

export type Answer =
  | {
      readonly outcome: 'found';
      /** Finished JSON of the envelope's `data`. */
      readonly data: Octets;
      /** Position of the next page; null on the last. */
      readonly next: string | null;
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
  /** A bug; the thread logged it. */
  | 'failed';
