/**
 * Defines the messages that the front and a query thread post to each other: plain objects, off the hot path. Questions
 * and answers go through the rings of their line. Every message about a publication carries its id.
 */
import type { CompressQuestion } from '../protocol/questions.ts';
import type { LineMemory } from './line.ts';

/** What a front posts in addition to its line. */
export type LineCommand =
  /** A batch of questions that found no room in the ring. */
  | { readonly op: 'ask'; readonly batch: string }
  /** A question that is a batch of its own. */
  | { readonly op: 'compress'; readonly batch: number; readonly question: CompressQuestion };

/** One end of a line between a front thread and a query thread, as each of them receives it. */
export interface LineEnds {
  readonly memory: LineMemory;
  /** Transports {@link LineCommand} one way and {@link AnswerNews} the other. */
  readonly port: MessagePort;
}

/** From the main thread. */
export type ThreadCommand =
  /** The first command: the memory of the line. A `timed` thread measures how long each answer takes it. */
  | { readonly op: 'listen'; readonly memory: LineMemory; readonly timed: boolean }
  /** A front thread asks from now on. */
  | ({ readonly op: 'join'; readonly front: number } & LineEnds)
  /** That front thread has ended. */
  | { readonly op: 'leave'; readonly front: number }
  /** Open a sealed publication and warm it. */
  | { readonly op: 'open'; readonly id: string }
  | { readonly op: 'close'; readonly id: string }
  | LineCommand
  /** Close everything and end. */
  | { readonly op: 'end' };

/** From a query thread, about answers. */
export type AnswerNews =
  /** The ring holds answers. */
  | { readonly report: 'answers' }
  /** An answer's record that found no room in the ring. */
  | { readonly report: 'answer'; readonly record: Uint8Array<ArrayBuffer> };

/** From a query thread, about itself. */
export type ThreadReport =
  | { readonly report: 'ready' }
  | { readonly report: 'opened'; readonly id: string }
  | { readonly report: 'open-failed'; readonly id: string; readonly message: string }
  | { readonly report: 'closed'; readonly id: string }
  /** Bytes of this publication are not the written ones. The question that met them was answered as failed. */
  | { readonly report: 'damaged'; readonly id: string; readonly message: string }
  /** A bug prevented the answer to a question, of a caller or of practice. The front logs it. */
  | { readonly report: 'fault'; readonly question: string; readonly message: string; readonly stack: string };
