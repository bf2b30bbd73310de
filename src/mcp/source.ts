/** Defines where answers come from: the local publication, or a service. */
import type { Call } from './call.ts';

/** The members of an answer of the API. */
interface Answered {
  readonly data: unknown;
  /** The data set and its licence. */
  readonly meta: unknown;
  /** The cursor of the next page; null on the last. */
  readonly next: string | null;
}

export type Told =
  | ({ readonly ok: true } & Answered)
  /** Sentences for the asker: what is wrong, and what is allowed. */
  | { readonly ok: false; readonly message: string };

export interface Source {
  /** Never rejects for what may happen in ordinary operation. */
  ask(call: Call): Promise<Told>;
  close(): Promise<void>;
}
