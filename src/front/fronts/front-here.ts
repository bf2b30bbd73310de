/** The only front of a service with few cores. It runs in the main thread, which has everything that it needs. */
import { createFront, type FrontParts } from '../front.ts';
import { freePort } from './free-port.ts';
import type { Fronts } from './fronts.ts';

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
