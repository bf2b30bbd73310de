/** The calls between the main thread and a front thread. They pass plain data. */
import type { AccountNews } from '../accounts/access/account-feed.ts';
import type { AccountReply, AccountRequest } from '../accounts/desk/account-desk.ts';
import type { Config } from '../config.ts';
import type { LineEnds } from '../dispatch/line.ts';
import type { PemTexts } from '../http/certificate.ts';
import type { MetricsMemory } from '../metrics/blocks.ts';
import type { LedgerShare, Secrets } from '../ports/state.ts';
import type { CallReply, ThreadCall } from '../threads/calls.ts';
import type { ServedNow } from './serving.ts';

/** The start parameters of a front thread. */
export interface FrontStart {
  readonly number: number;
  /** From 0. A front that replaces another has the same one. */
  readonly place: number;
  readonly config: Config;
  readonly secrets: Secrets;
  readonly ledger: LedgerShare;
  /** The counters of its work; null if nobody reads them. */
  readonly metrics: MetricsMemory | null;
  /** On the clock of {@link absoluteNow}. */
  readonly serviceStartedAt: number;
}

/** The calls of the main thread. */
export interface FrontCalls {
  /** Builds the front. The first call. */
  start(start: FrontStart): void;
  /** Listens on the one port of all fronts; everything before this is known. @param certificate null for HTTP */
  listen(port: number, certificate: PemTexts | null): void;
  /** Listens with this certificate too. */
  renew(certificate: PemTexts): void;
  /** Stops accepting connections with earlier certificates. */
  forgetEarlier(): void;
  /** Applies everything that it was told before. */
  settle(): void;
  /** A query thread can be asked from now on. */
  threadJoined(thread: number, line: LineEnds): void;
  threadLeft(thread: number): void;
  adopt(news: AccountNews): void;
  served(now: ServedNow): void;
  /** Waits until no question about this publication is open there. */
  release(id: string): void;
  drain(): void;
  /** Stops accepting, and answers every request in flight. @param force ends the connections that still wait */
  stop(force: boolean): void;
}

/** The calls of a front thread in the main thread. */
export interface MainCalls {
  /** Creates, reads or changes an account for its holder. */
  account(request: AccountRequest): AccountReply;
  /** When keys were last used, epoch seconds by key id. */
  keyUses(uses: ReadonlyMap<string, number>): void;
  /** Complete lines of the log. */
  log(text: string): void;
  /** This query thread owes answers and has given none for a long time. */
  stuck(thread: number): void;
}

export type ToFrontThread = ThreadCall<FrontCalls> | CallReply<MainCalls>;
export type FromFrontThread = CallReply<FrontCalls> | ThreadCall<MainCalls>;

/** Milliseconds on a clock that all threads share and that is never set. */
export function absoluteNow(): number {
  return performance.timeOrigin + performance.now();
}

/** The name of a front thread. @param place from 0; a front that replaces another has its name */
export function nameOfFront(place: number): string {
  return `front-${place + 1}`;
}
