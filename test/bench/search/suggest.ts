/**
 * Measures suggestions while names are typed, in an index of real and synthetic companies: how long they take for every few
 * letters of the beginnings of real names, each with the shortest of three times; and for beginnings of any length, how many
 * suggest a name that begins with the text, and how many the name itself.
 *
 *     bun test/bench/search/suggest.ts [--companies 1000000] [--texts 3000]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchReader } from '../../../src/store/search/search-reader.ts';
import type { LinkedCompany } from '../../support/index-companies.ts';
import { wholeNumbers } from '../harness/arguments.ts';
import { percentiles } from '../harness/open-loop.ts';
import { figure } from '../harness/report.ts';
import { ourIndex } from './contenders.ts';
import { synthesize } from './haystack.ts';
import { readRealCompanies } from './real-names.ts';

const option = wholeNumbers({ companies: 1_000_000, texts: 3_000 });
const lettersMax = 24;

/** The beginnings of a name that a field contains while somebody types it. */
function typed(name: string, place: number): string[] {
  const lengths = Array.from({ length: lettersMax - 1 }, (_, at) => at + 2);
  return lengths
    .filter((length) => length <= name.length && (length + place) % 3 === 0)
    .map((length) => name.slice(0, length).toLowerCase());
}

/** Milliseconds for each text. The first round warms up. */
function timesOf(reader: SearchReader, texts: readonly string[]): Float64Array {
  const least = new Float64Array(texts.length).fill(Number.POSITIVE_INFINITY);
  for (let round = 0; round < 4; round++) {
    for (const [at, q] of texts.entries()) {
      const start = performance.now();
      reader.suggest(q);
      if (round > 0) least[at] = Math.min(least[at] ?? 0, performance.now() - start);
    }
  }
  return least;
}

interface Beginning {
  readonly name: string;
  readonly length: number;
}

/** A beginning of each name, of three letters or more: over all names all shares of their lengths. */
function beginnings(names: readonly string[]): Beginning[] {
  return names
    .filter((name) => name.length > 3)
    .map((name, place) => ({ name, length: 3 + ((place * 7919) % (name.length - 2)) }));
}

const lettersOf = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** The legal names that are suggested for a text; those that a search finds if there are none, as the service answers. */
function suggested(reader: SearchReader, nameOf: (entity: number) => string, q: string): string[] {
  const begun = reader.suggest(q);
  const isEmpty = begun.outcome === 'hits' && begun.hits.length === 0;
  const found = isEmpty ? reader.search({ q, country: null, status: null, after: null, limit: 10 }) : begun;
  return found.outcome === 'hits' ? found.hits.map(({ entity }) => nameOf(entity)) : [];
}

/** @returns lines that say how many beginnings of each part of a name suggest what they should */
function reachOf(
  reader: SearchReader,
  nameOf: (entity: number) => string,
  texts: readonly Beginning[],
): string[] {
  const parts = Map.groupBy(texts, ({ name, length }) => Math.min(3, Math.floor((4 * length) / name.length)));
  return [...parts].sort().map(([part, those]) => {
    let [any, own] = [0, 0];
    for (const { name, length } of those) {
      const names = suggested(reader, nameOf, name.slice(0, length));
      const letters = lettersOf(name.slice(0, length));
      if (names.some((each) => lettersOf(each).startsWith(letters))) any++;
      if (names.includes(name)) own++;
    }
    return `quarter ${part + 1} of a name: ${those.length} texts, ${any} suggest a name that begins with the text, ${own} the name itself`;
  });
}

const real = await readRealCompanies();
const folder = await mkdtemp(join(tmpdir(), 'suggest-bench-'));
try {
  const index = ourIndex(folder);
  const names = new Map<number, string>();
  const add = (company: LinkedCompany) => {
    index.add(company);
    names.set(company.entity, company.names[0]?.name ?? '');
  };
  for (const company of real) add(company);
  for (const company of synthesize(real, [], option('companies') - real.length, 1)) add(company);
  await index.finish();
  const legalNames = real.map((company) => company.names[0]?.name ?? '');
  const texts = legalNames.flatMap((name, place) => (place % 7 === 0 ? typed(name, place) : []));
  const asked = texts.slice(0, option('texts')).filter((text) => text.trim().length > 1);
  const { p50, p99 } = percentiles(timesOf(index.reader(), asked));
  console.log(
    `${asked.length} texts among ${option('companies').toLocaleString('en')} companies: p50 ${figure(p50 ?? null)} ms, p99 ${figure(p99 ?? null)} ms`,
  );
  const nameOf = (entity: number) => names.get(entity) ?? '';
  for (const line of reachOf(index.reader(), nameOf, beginnings(legalNames))) console.log(line);
  await index.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}
