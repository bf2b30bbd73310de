/** Tests that a search index made in a thread during reading equals one made afterwards. */
import { describe, expect, test } from 'bun:test';
import { openForBuilding } from '../../src/lmdb.ts';
import { createCompanyTexts } from '../../src/loader/company-texts.ts';
import { startIndexing } from '../../src/loader/search/search-thread.ts';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { temporaryFolder } from '../support/folders.ts';
import { company, lei, operator, publish } from './publishing.ts';

const day = '2024-05-04T00:00:00Z';
/** More than one transaction stores, so that the thread receives them in several blocks. */
const companies = Array.from({ length: 20_500 }, (_, index) =>
  company(index + 1, { name: `Larkmoor ${index + 1} Limited` }),
);

/** LEIs of the hits, best first, and how many there are. */
function found(reader: PublicationReader, q: string) {
  const outcome = reader.search.search({ q, country: null, status: null, after: null, limit: 3 });
  if (outcome.outcome !== 'hits') throw new Error(outcome.detail);
  return { total: outcome.total, leis: outcome.hits.map(({ entity }) => reader.summary(entity).lei) };
}

describe('an index made during reading', () => {
  test('finds every company of a set that is read in several pieces, a repeated one only as the later file states it', async () => {
    const someone = operator();
    const newer = [company(7, { name: 'Quellbrook Limited', updated: '2024-04-01T00:00:00Z' })];
    const files = [
      ...publish(someone.dataDir, { at: day, companies, bics: [[20_400, 'TESTGB2LXXX']] }),
      ...publish(someone.dataDir, { at: '2024-05-05T00:00:00Z', companies: newer }),
    ];
    const { superseded } = await someone.loadFiles(files);
    expect(superseded).toBe(1);
    const reader = await someone.open();
    expect(found(reader, 'larkmoor').total).toBe(companies.length - 1);
    expect(found(reader, 'larkmoor 8').leis[0]).toBe(lei(8));
    expect(found(reader, 'larkmoor 20450').leis[0]).toBe(lei(20_450));
    expect(found(reader, 'TESTGB2L').leis).toEqual([lei(20_400)]);
    expect(found(reader, 'quellbrook')).toEqual({ total: 1, leis: [lei(7)] });
    expect(found(reader, 'larkmoor 7').leis).not.toContain(lei(7));
    await reader.close();
  });
});

describe.each([
  ['the search thread', false],
  ["the loader's own thread, for a small index,", true],
] as const)('%s', (_, isSmall) => {
  test('reports its failure to the caller that waits for room and to the one that waits for the index', async () => {
    const indexing = startIndexing(isSmall);
    const environment = openForBuilding(temporaryFolder('environment'));
    const links = { directChildren: new Uint32Array(1), bics: [] };
    // The name is not valid JSON text.
    for (let block = 0; block < 6; block++) {
      const texts = createCompanyTexts();
      texts.add(1, Buffer.from(`${lei(1)}\n\\u\n`));
      indexing.add(texts.taken());
    }
    await expect(indexing.ready()).rejects.toThrow('JSON');
    await expect(indexing.finish(environment, links, () => {})).rejects.toThrow('JSON');
    indexing.end();
    await environment.close();
  });

  test('that ends leaves nobody waiting, neither for room nor for the index', async () => {
    const indexing = startIndexing(isSmall);
    const environment = openForBuilding(temporaryFolder('environment'));
    for (let number = 1; number <= 6; number++) {
      const texts = createCompanyTexts();
      texts.add(number, Buffer.from(lei(number)));
      indexing.add(texts.taken());
    }
    const waiting = indexing.ready();
    const outcome = indexing.finish(environment, { directChildren: new Uint32Array(7), bics: [] }, () => {});
    indexing.end();
    await expect(waiting).rejects.toThrow('The search thread has ended.');
    await expect(outcome).rejects.toThrow('The search thread has ended.');
    await environment.close();
  });

  test('fails the index if its rows cannot be written', async () => {
    const indexing = startIndexing(isSmall);
    const environment = openForBuilding(temporaryFolder('environment'));
    const outcome = indexing.finish(environment, { directChildren: new Uint32Array(1), bics: [] }, () => {});
    await environment.close();
    await expect(outcome).rejects.toThrow();
    indexing.end();
  });
});
