/**
 * What the front and a query thread post to each other beside what goes through the rings of their line: plain
 * objects, off the hot path. Every message about a publication carries its id.
 */
import type { LineMemory } from './line.ts';
import type { CompressQuestion } from './questions.ts';

/** From the front. */
export type ThreadCommand =
  /** The first command: where questions will be, and where answers go. */
  | { readonly op: 'listen'; readonly memory: LineMemory }
  /** Open a sealed publication and warm it. */
  | { readonly op: 'open'; readonly id: string }
  | { readonly op: 'close'; readonly id: string }
  /** A batch of questions that found no room in the ring. */
  | { readonly op: 'ask'; readonly batch: string }
  /** The one question of a batch of its own. */
  | { readonly op: 'compress'; readonly batch: number; readonly question: CompressQuestion }
  /** Close everything and end. */
  | { readonly op: 'end' };

/** From a query thread, about answers. */
export type AnswerNews =
  /** There are some in the ring. */
  | { readonly report: 'answers' }
  /** The record of one that found no room in the ring. */
  | { readonly report: 'answer'; readonly record: Uint8Array<ArrayBuffer> };

/** From a query thread, about itself. */
export type ThreadReport =
  | { readonly report: 'ready' }
  | { readonly report: 'opened'; readonly id: string }
  | { readonly report: 'open-failed'; readonly id: string; readonly message: string }
  | { readonly report: 'closed'; readonly id: string }
  /** A question, of a caller or of practice, could not be answered because of a bug; the front logs it. */
  | { readonly report: 'fault'; readonly question: string; readonly message: string; readonly stack: string };
