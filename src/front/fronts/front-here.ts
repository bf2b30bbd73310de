/** The one front of a service with few cores: it runs in the main thread, and what it needs is at hand. */
import { createFront, type FrontParts } from '../front.ts';
import type { Fronts } from './fronts.ts';

export function frontHere(parts: FrontParts): Fronts {
  const front = createFront(parts);
  return {
    adopt: front.adopt,
    settled: async () => {},
    listen: async (port, host) => front.listen({ port, host, shared: false }),
    drain: front.drain,
    stop: front.stop,
    onReplaced: () => {},
    count: () => 1,
  };
}
