/** Defines what a request to the reconciliation service asks for: its cost, and its answer. */
import type { BurstWindow } from '../../../ports/ledger.ts';
import type { Answer, Question, Unavailability } from '../../../protocol/questions.ts';
import { invalidParameters, type ProblemDetails } from '../problem.ts';

/** Asks a query thread. `read` must take what it needs from the answer, which is valid only while it runs. */
export type Ask = <Value>(question: Question, read: (answer: Answer) => Value) => Promise<Value>;

export type Outcome =
  | { readonly outcome: 'json'; readonly value: unknown }
  | { readonly outcome: 'html'; readonly status: 200 | 400 | 404; readonly html: string }
  | { readonly outcome: 'refused'; readonly problem: ProblemDetails }
  | { readonly outcome: 'unavailable'; readonly reason: Unavailability };

/** The address of the service that the caller used, without a trailing slash; it may contain a token. */
export interface Asked {
  readonly baseUrl: string;
  readonly address: string;
}

export interface Task {
  readonly window: BurstWindow;
  /** 0 for what is free. */
  readonly units: number;
  /** The parameter whose values are counted; null if there is no list. */
  readonly list: string | null;
  answer(ask: Ask, asked: Asked): Promise<Outcome>;
}

/** A task that needs no query thread. */
export function statically(units: number, value: (asked: Asked) => unknown): Task {
  return {
    window: 'search',
    units,
    list: null,
    answer: async (_, asked) => ({ outcome: 'json', value: value(asked) }),
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

/** The bytes of an answer as text. */
export function textOf(data: Uint8Array): string {
  return Buffer.from(data).toString('utf8');
}
