/**
 * What the front and a query thread tell each other beside questions and answers: a few plain objects, off the
 * hot path. Every message about a publication carries its id.
 */
import type { BytesAnswer } from './batch.ts';

/** From the front; questions come as strings. */
export type ThreadCommand =
  /** Open a sealed publication and warm it. */
  | { readonly op: 'open'; readonly id: string }
  | { readonly op: 'close'; readonly id: string }
  /** Close everything and end. */
  | { readonly op: 'end' };

/** From a query thread; answers that are text come as strings. */
export type ThreadReport =
  | { readonly report: 'ready' }
  | { readonly report: 'opened'; readonly id: string }
  | { readonly report: 'open-failed'; readonly id: string; readonly message: string }
  | { readonly report: 'closed'; readonly id: string }
  /** The question could not be answered because of a bug; the front logs it. */
  | { readonly report: 'fault'; readonly question: string; readonly message: string; readonly stack: string }
  | ({ readonly report: 'bytes' } & BytesAnswer);
