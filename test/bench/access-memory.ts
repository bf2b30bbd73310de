/**
 * What a client costs in memory: a million distinct addresses in twenty seconds of the service's clock, each second
 * followed by its save. Prints the most buckets in memory at once, the heap bytes of each, and the rows on disk.
 *
 *     bun test/bench/access-memory.ts
 */
import { noon, Opened } from '../support/open-access.ts';

const clients = 1_000_000;
const perSecond = 50_000;

const opened = await Opened.open();
Bun.gc(true);
const before = process.memoryUsage().heapUsed;
let most = 0;
let heapAtMost = 0;
const started = performance.now();
for (let first = 0; first < clients; first += perSecond) {
  const now = noon + (first / perSecond) * 1_000;
  for (let number = first; number < first + perSecond; number++) {
    opened.ask({ peer: `${(number >>> 16) + 20}.${(number >>> 8) & 255}.${number & 255}.9`, now });
  }
  await opened.access.tick(now);
  if (opened.state.ledger.size() <= most) continue;
  most = opened.state.ledger.size();
  Bun.gc(true);
  heapAtMost = process.memoryUsage().heapUsed - before;
}
const seconds = (performance.now() - started) / 1_000;
console.log(
  `${clients} clients in ${seconds.toFixed(1)} s: at most ${most} in memory, ` +
    `${Math.round(heapAtMost / most)} bytes each; ${opened.state.counts.size()} on disk`,
);
await opened.close();
