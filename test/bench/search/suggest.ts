/**
 * Measures how long suggestions take while names are typed: every few letters of real names, in an index of real and
 * synthetic companies, each with the shortest of three times.
 *
 *     bun test/bench/search/suggest.ts [--companies 1000000] [--texts 3000]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wholeNumbers } from '../harness/arguments.ts';
import { percentiles } from '../harness/open-loop.ts';
import { figure } from '../harness/report.ts';
import { ourIndex } from './contenders.ts';
import { synthesize } from './haystack.ts';
import { readRealCompanies } from './real-names.ts';

const option = wholeNumbers({ companies: 1_000_000, texts: 3_000 });
const lettersMax = 24;
const real = await readRealCompanies();

/** The beginnings of a name that a field contains while somebody types it. */
function typed(name: string, place: number): string[] {
  const lengths = Array.from({ length: lettersMax - 1 }, (_, at) => at + 2);
  return lengths
    .filter((length) => length <= name.length && (length + place) % 3 === 0)
    .map((length) => name.slice(0, length).toLowerCase());
}

const folder = await mkdtemp(join(tmpdir(), 'suggest-bench-'));
try {
  const index = ourIndex(folder);
  for (const company of real) index.add(company);
  for (const company of synthesize(real, [], option('companies') - real.length, 1)) index.add(company);
  await index.finish();
  const texts = real.flatMap(({ names: [legal] }, place) =>
    place % 7 === 0 ? typed(legal?.name ?? '', place) : [],
  );
  const asked = texts.slice(0, option('texts')).filter((text) => text.trim().length > 1);
  const least = new Float64Array(asked.length).fill(Number.POSITIVE_INFINITY);
  for (let round = 0; round < 4; round++) {
    for (const [at, q] of asked.entries()) {
      const start = performance.now();
      index.reader().suggest(q);
      // The first round warms up.
      if (round > 0) least[at] = Math.min(least[at] ?? 0, performance.now() - start);
    }
  }
  const { p50, p99 } = percentiles(least);
  console.log(
    `${asked.length} texts among ${option('companies').toLocaleString('en')} companies: p50 ${figure(p50 ?? null)} ms, p99 ${figure(p99 ?? null)} ms`,
  );
  await index.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
