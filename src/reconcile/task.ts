/** Makes the usual tasks of the reconciliation service, and the outcomes of all. */

import type { Task, TaskOutcome } from '../http/task-route.ts';
import type { QuotaPolicy } from '../ports/ledger.ts';
import type { Answer } from '../protocol/questions.ts';

/** Who asks, and how. */
export interface Client {
  readonly baseUrl: string;
  /** The address of the service that the caller used, without a trailing slash; it may contain a token. */
  readonly address: string;
  /** The caller's limits; null if requests are not limited. */
  readonly policy: QuotaPolicy | null;
  /** Whether the caller has sent a key or a token. */
  readonly isAccount: boolean;
}

/** A task that needs no query thread. */
export function statically(units: number, value: () => unknown): Task {
  return {
    window: 'search',
    units,
    list: null,
    answer: async () => jsonOf(value()),
  };
}

export function jsonOf(value: unknown): TaskOutcome {
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
