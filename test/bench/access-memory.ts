/**
 * Measures the memory of a client: a million distinct addresses in twenty seconds of the service's clock, each second
 * followed by its save. Prints the most callers in memory at once, the bytes of each, the rows on disk, and the time
 * that the next start takes to read them.
 *
 *     bun test/bench/access-memory.ts
 */
import { noon, Opened, rowsOf } from '../support/open-access.ts';

const clients = 1_000_000;
const perSecond = 50_000;

const opened = await Opened.open();
let most = 0;
let bytesAtMost = 0;
const started = performance.now();
for (let first = 0; first < clients; first += perSecond) {
  const now = noon + (first / perSecond) * 1_000;
  for (let number = first; number < first + perSecond; number++) {
    opened.ask({ peer: `${(number >>> 16) + 20}.${(number >>> 8) & 255}.${number & 255}.9`, now });
  }
  await opened.access.tick(now);
  if (opened.state.ledger.size() <= most) continue;
  most = opened.state.ledger.size();
  bytesAtMost = opened.state.ledger.bytes();
}
const seconds = (performance.now() - started) / 1_000;
const rows = rowsOf(opened.state);
const restarted = performance.now();
await opened.reopen();
const startMs = Math.round(performance.now() - restarted);
console.log(
  `${clients} clients in ${seconds.toFixed(1)} s: at most ${most} in memory, ` +
    `${Math.round(bytesAtMost / most)} bytes each; ${rows} on disk, read in ${startMs} ms at the next start`,
);
await opened.close();
