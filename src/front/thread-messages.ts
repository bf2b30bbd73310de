/** Defines the messages between the main thread and a front thread: plain data. */
import type { AccountNews } from '../accounts/access/account-feed.ts';
import type { AccountReply, AccountRequest } from '../accounts/desk/account-desk.ts';
import type { Config } from '../config.ts';
import type { LineEnds } from '../dispatch/messages.ts';
import type { MetricsMemory } from '../metrics/blocks.ts';
import type { Secrets } from '../ports/secrets.ts';
import type { LedgerShare } from '../ports/state.ts';
import type { ThreadFailure } from '../threads/command-ledger.ts';
import type { PemTexts } from './certificate.ts';
import type { ServedNow } from './serving.ts';

/** The start parameters of a front thread. */
export interface FrontStart {
  readonly number: number;
  /** From 0. A front that replaces another has the same one. */
  readonly place: number;
  readonly config: Config;
  /** The one port of all fronts. */
  readonly port: number;
  /** For HTTPS; null for HTTP. */
  readonly certificate: PemTexts | null;
  readonly secrets: Secrets;
  readonly ledger: LedgerShare;
  /** Where it counts what it does; null if nobody reads it. */
  readonly metrics: MetricsMemory | null;
  /** On the clock of {@link absoluteNow}. */
  readonly serviceStartedAt: number;
}

/** From the main thread. */
export type FrontCommand =
  | ({ readonly op: 'start' } & FrontStart)
  /** A query thread can be asked from now on. */
  | ({ readonly op: 'thread-joined'; readonly thread: number } & LineEnds)
  | { readonly op: 'thread-left'; readonly thread: number }
  | { readonly op: 'accounts'; readonly news: AccountNews }
  | { readonly op: 'served'; readonly now: ServedNow }
  | FrontCall
  /** The answer to a request about an account; null if it failed in an unforeseen way. */
  | { readonly op: 'account-answered'; readonly call: number; readonly reply: AccountReply | null }
  | { readonly op: 'forget-earlier' }
  | { readonly op: 'drain' };

/** A command that the front thread reports as done, by the number of the call. */
export type FrontCall = FrontTask & { readonly call: number };

export type FrontTask =
  /** Listen; everything before this is known. */
  | { readonly op: 'listen' }
  /** Listen with this certificate too. */
  | { readonly op: 'renew'; readonly certificate: PemTexts }
  /** Apply everything before. */
  | { readonly op: 'settle' }
  /** Wait until no question about this publication is open there. */
  | { readonly op: 'release'; readonly id: string }
  /** Stop accepting, and answer every request in flight. */
  | { readonly op: 'stop'; readonly force: boolean };

/** From a front thread. */
export type FrontReport =
  /** Its code is loaded. */
  | { readonly report: 'ready' }
  /** The end of a task; `failure` says why it could not be done. */
  | { readonly report: 'done'; readonly call: number; readonly failure: ThreadFailure }
  | { readonly report: 'account'; readonly call: number; readonly request: AccountRequest }
  /** When keys were last used, epoch seconds by key id. */
  | { readonly report: 'key-uses'; readonly uses: ReadonlyMap<string, number> }
  /** Complete lines of the log. */
  | { readonly report: 'log'; readonly text: string }
  /** This query thread owes answers and has given none for a long time. */
  | { readonly report: 'stuck'; readonly thread: number };

/** Milliseconds on a clock that all threads share and that is never set. */
export function absoluteNow(): number {
  return performance.timeOrigin + performance.now();
}

/** The name of a front thread. @param place from 0; a front that replaces another has its name */
export function nameOfFront(place: number): string {
  return `front-${place + 1}`;
}
