/**
 * Defines the messages of the control socket, through which commands talk to the service on the same data folder: a
 * Unix socket of mode 0600, one JSON object per line, one answer per line.
 */
import { type Static, Type } from '@sinclair/typebox';
import { FailureSchema, LoadingSchema } from '../lei/answers.ts';
import { nullable } from '../lei/schema.ts';
import { PublicationIdSchema } from '../publication/layout.ts';

export const ControlRequestSchema = Type.Union([
  Type.Object({ op: Type.Literal('ping') }),
  /** Swap to a sealed publication. The answer comes once every query thread serves it, or says why not. */
  Type.Object({
    op: Type.Literal('activate'),
    id: PublicationIdSchema,
    /** Absent: forward. */
    direction: Type.Optional(Type.Union([Type.Literal('forward'), Type.Literal('back')])),
  }),
  /** A load's progress, for the status endpoint; null when it has ended. Progress that is not repeated is forgotten. */
  Type.Object({
    op: Type.Literal('loading'),
    loading: nullable(LoadingSchema),
    failure: nullable(FailureSchema),
    /** How a load has ended; absent while it runs, and at the end of anything but a load, such as a download. */
    outcome: Type.Optional(Type.Union([Type.Literal('ok'), Type.Literal('failed')])),
  }),
  Type.Object({ op: Type.Literal('status') }),
  /** Accounts, keys or their limits have changed on disk. */
  Type.Object({ op: Type.Literal('accounts-changed') }),
  /**
   * Close these publications, so that their files may be deleted. The answer lists those closed: all but the active
   * one.
   */
  Type.Object({ op: Type.Literal('release'), ids: Type.Array(PublicationIdSchema) }),
]);
export type ControlRequest = Static<typeof ControlRequestSchema>;
export type Loading = Static<typeof LoadingSchema>;
export type Failure = Static<typeof FailureSchema>;

export type ControlResponse =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** Limits of the control socket. */
export const controlLimits = {
  /** Interval of the check that the socket's file is still there. */
  socketCheckMs: 1_000,
  messageBytesMax: 1024 * 1024,
  /** The most commands that talk to the service at once. */
  connectionsMax: 64,
  /** The longest wait of a command for an answer that the service has in memory. */
  timeoutMs: 10_000,
  /** The longest wait of a command until every query thread serves another publication, or has closed one. */
  swapTimeoutMs: 300_000,
  /** The interval at which a loading command repeats its progress while there is no news. */
  loadingRetoldMs: 10_000,
  /** Longest time between the end of a load's lock and its last message. A load that stays silent longer was killed. */
  loadingEndMsMax: 1_000,
  /** A load that has not been heard of for this long was killed, and is no longer shown. */
  loadingSilentMsMax: 60_000,
} as const;
