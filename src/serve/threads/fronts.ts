/**
 * The fronts of a service as its main thread sees them: one in the main thread itself, or several in threads of their
 * own.
 */
import type { AccountNews } from '../../accounts/access/account-feed.ts';
import type { Config } from '../../config.ts';
import { createFront, type FrontParts } from '../../front/front.ts';
import type { ServedNow } from '../../front/serving.ts';
import { nameOfFront } from '../../front/thread-calls.ts';
import type { PemTexts } from '../../http/certificate.ts';
import type { FrontsBeside } from './query-pool.ts';

export interface Fronts {
  /** Tells every front which accounts, keys and limits changed. */
  adopt(news: AccountNews): void;
  /** Resolves once every front has applied what it was told until now. */
  settled(): Promise<void>;
  /**
   * Starts to accept connections, all on one port. Port 0 lets the system choose.
   * @param certificate for HTTPS; null for HTTP
   * @returns the port
   * @throws the system's error if that is not possible
   */
  listen(port: number, host: string, certificate: PemTexts | null): Promise<number>;
  /** Resolves once every front accepts connections with another certificate too. @throws if one does not */
  renew(certificate: PemTexts): Promise<void>;
  /** Stops accepting connections with earlier certificates. */
  forgetEarlier(): Promise<void>;
  /** From now on each connection ends with its next answer. */
  drain(): void;
  /**
   * Stops accepting and resolves once every request in flight is answered.
   * @param force ends the connections that still wait
   */
  stop(force?: boolean): Promise<void>;
  /** Registers a callback for whenever a front listens in place of another. */
  onReplaced(tell: () => void): void;
  /** How many fronts answer. */
  count(): number;
}

/** The names of front threads in metrics; none if the main thread is the front. */
export function namesOfFronts({ fronts }: Pick<Config, 'fronts'>): readonly string[] {
  return fronts === 1 ? [] : Array.from({ length: fronts }, (_, place) => nameOfFront(place));
}

/** Fronts that need to be told what is served, and about query threads. */
export interface FrontsInThreads extends Fronts, FrontsBeside {
  served(now: ServedNow): void;
}

/** The only front of a service with few cores. It runs in the main thread, which has everything that it needs. */
export function frontHere(parts: FrontParts): Fronts {
  const front = createFront(parts);
  return {
    adopt: front.adopt,
    settled: async () => {},
    async listen(port, host, certificate) {
      if (certificate === null) return front.listen({ port, host, shared: false });
      // Listeners with a later certificate share the port.
      return front.listen({ port: await freePort(port, host), host, shared: true, certificate });
    },
    renew: async (certificate) => front.renew(certificate),
    forgetEarlier: front.forgetEarlier,
    drain: front.drain,
    stop: front.stop,
    onReplaced: () => {},
    count: () => 1,
  };
}

/**
 * Makes sure that a port is free before several listeners share it: takes it exclusively, and releases it. A listener
 * that shares its port would also bind one that another sharing service of the same user has, and take half of its
 * connections unnoticed. Port 0 lets the system choose.
 * @returns the port
 * @throws the system's error if it is not available
 */
export async function freePort(port: number, hostname: string): Promise<number> {
  const alone = Bun.serve({
    port,
    hostname,
    reusePort: false,
    fetch: () => new Response(null, { status: 503 }),
  });
  const { port: chosen = port } = alone;
  await alone.stop(true);
  return chosen;
}
