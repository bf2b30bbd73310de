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

/** Limits of the reconciliation service. */
export const reconcileLimits = {
  /** Queries in one batch. */
  queriesMax: 50,
  /** Queries of a batch that cross to a query thread together. */
  queriesTogetherMax: 17,
  /** Companies in one data extension. */
  idsMax: 100,
  /** Candidates for one query: as many as a match finds. */
  candidatesMax: 10,
  /** Properties of one query, or of one data extension: more than there are. */
  propertiesMax: 50,
  /** A longer text of a query is refused, so it is not tidied first. UTF-16 units. */
  textUnitsMax: 2_000,
  /** Fields of a form; one of them is read, and clients add few of their own. */
  fieldsMax: 32,
  /** A batch of 50 queries with all properties is about 30 KiB, and three times as much in form-encoded Chinese. */
  bodyBytesMax: 128 * 1024,
  bodyMsMax: 20_000,
  /** Bytes of arriving bodies, in total and per client. */
  bodiesBytesMax: 16 * 1024 * 1024,
  clientBodiesBytesMax: 2 * 1024 * 1024,
  /** The size of the frame for a preview, in pixels. */
  previewWidth: 420,
  previewHeight: 220,
} as const;
