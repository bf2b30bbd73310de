/** The fronts of a service as its main thread sees them: one in the main thread itself, or several in threads of their own. */
import type { AccountNews } from '../access/account-feed.ts';
import type { ServedNow } from '../publication/served-now.ts';
import type { FrontsBeside } from '../threads/query-pool.ts';

export interface Fronts {
  /** Tells every front of changed accounts, keys and limits. */
  adopt(news: AccountNews): void;
  /** Resolves once every front has taken over what it was told until now. */
  settled(): Promise<void>;
  /**
   * Starts to accept connections, all on one port. Port 0 lets the system choose.
   * @returns the port
   * @throws the system's error where that is not possible
   */
  listen(port: number, host: string): Promise<number>;
  /**
   * Stops accepting and resolves once every request in flight is answered.
   * @param force ends the connections that still wait
   */
  stop(force?: boolean): Promise<void>;
  /** How many fronts answer. */
  count(): number;
}

/** Fronts that need to be told what is served, and of query threads. */
export interface FrontsInThreads extends Fronts, FrontsBeside {
  served(now: ServedNow): void;
}
