/**
 * The control socket of a running service: one JSON object a line, one answer a line, over a Unix socket of mode
 * 0600. A command line on the same data folder talks to the service through it.
 */

export type ControlRequest =
  | { readonly op: 'ping' }
  /** Swap to a sealed publication: answered once every query thread serves it, or with why not. */
  | { readonly op: 'activate'; readonly id: string }
  /** A load's progress, for the status endpoint; null when it ended. One that is not repeated is forgotten. */
  | { readonly op: 'loading'; readonly loading: Loading | null; readonly failure: Failure | null }
  | { readonly op: 'status' }
  /** Accounts, keys or their limits changed on disk. */
  | { readonly op: 'accounts-changed' }
  /** Close these publications, so that their files may be deleted; answered with those closed: all but the active one. */
  | { readonly op: 'release'; readonly ids: readonly string[] };

export interface Loading {
  readonly phase: string;
  /** 0 to 1. */
  readonly progress: number;
  readonly startedAt: string;
}

export interface Failure {
  readonly at: string;
  readonly phase: string;
  readonly message: string;
}

export type ControlResponse =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string };
