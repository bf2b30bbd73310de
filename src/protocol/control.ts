/**
 * Defines the messages of the control socket, through which commands talk to the service on the same data folder: a
 * Unix socket of mode 0600, one JSON object per line, one answer per line.
 */
import { type Static, Type } from '@sinclair/typebox';
import { FailureSchema, LoadingSchema } from '../lei/answers.ts';
import { nullable } from '../lei/schema.ts';
import { PublicationIdSchema } from '../publication/id-schema.ts';

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
