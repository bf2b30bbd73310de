/** Defines what a request to the reconciliation service asks for: its cost, and its answer. */
import type { BurstWindow, QuotaPolicy } from '../../../ports/ledger.ts';
import type { Answer, Question, Unavailability } from '../../../protocol/questions.ts';
import { invalidParameters, type ProblemDetails } from '../problem.ts';

/** Asks a query thread. `read` must take what it needs from the answer, which is valid only while it runs. */
type Ask = <Value>(question: Question, read: (answer: Answer) => Value) => Promise<Value>;

export type Outcome =
  /** Finished JSON in UTF-8, in memory that belongs to the outcome. */
  | { readonly outcome: 'json'; readonly json: Uint8Array<ArrayBuffer> }
  | { readonly outcome: 'html'; readonly status: 200 | 400 | 404; readonly html: string }
  | { readonly outcome: 'refused'; readonly problem: ProblemDetails }
  /** `computed`: of the units that the task costs, those whose work was done. They are not refunded. */
  | { readonly outcome: 'unavailable'; readonly reason: Unavailability; readonly computed: number };

/** Who asks, and how. */
export interface Asked {
  readonly baseUrl: string;
  /** The address of the service that the caller used, without a trailing slash; it may contain a token. */
  readonly address: string;
  /** The caller's limits; null if requests are not limited. */
  readonly policy: QuotaPolicy | null;
  /** Whether the caller has sent a key or a token. */
  readonly isAccount: boolean;
}

export interface Task {
  readonly window: BurstWindow;
  /** 0 for what is free. */
  readonly units: number;
  /** The parameter whose values are counted; null if there is no list. */
  readonly list: string | null;
  /** Questions of which none is of use without the others. */
  readonly needs?: readonly Question[];
  answer(ask: Ask, asked: Asked): Promise<Outcome>;
}

/** A task that needs no query thread. */
export function statically(units: number, value: (asked: Asked) => unknown): Task {
  return {
    window: 'search',
    units,
    list: null,
    answer: async (_, asked) => jsonOf(value(asked)),
  };
}

export function oneSearch(answer: Task['answer']): Task {
  return { window: 'search', units: 1, list: null, answer };
}

/** A faulty request. It costs one, like a faulty request to the API. */
export function refused(problem: ProblemDetails): Task {
  return oneSearch(async () => ({ outcome: 'refused', problem }));
}

export function faulty(parameter: string, detail: string): Task {
  return refused(invalidParameters([{ parameter, detail }]));
}

export function jsonOf(value: unknown): Outcome {
  return { outcome: 'json', json: bytesOf(JSON.stringify(value)) };
}

/** Joins texts and bytes in memory of its own. */
export function bytesOf(...pieces: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}

/** A bug: a query thread gave an answer of a kind that the question does not have. */
export function unexpected({ outcome }: Answer): Error {
  return new Error(`A query thread answered a question of the reconciliation service with ${outcome}.`);
}

/** The bytes of an answer as text. */
export function textOf(data: Uint8Array): string {
  return Buffer.from(data).toString('utf8');
}
