/** Runs a real query thread over publications in memory, with LEIs that make it end. */
import { attend } from '../../../src/query/attend.ts';
import type { SearchOutcome } from '../../../src/store/search/search-reader.ts';
import { memoryPublication, practisedPublication } from '../../support/memory-publication.ts';
import { deadlyLeis, largeLei, longFilling, longLeis, plainLeis } from './query-worker-leis.ts';

declare const self: Worker;

const companies = [...plainLeis, ...longLeis].map((lei) => ({ lei, name: `Company ${lei}` }));

/** A body with more than a name; null for the plain ones. */
function fillingOf(lei: string): string | null {
  if (lei === largeLei) return 'ä'.repeat(200_000);
  return longLeis.includes(lei) ? longFilling(lei) : null;
}

/** As slow as a search for common words among millions of companies. */
function searchSlowly(): SearchOutcome {
  let total = 0;
  for (let step = 0; step < 1_000_000; step++) total = (total + step) % 1_009;
  return { outcome: 'hits', total, hits: [], next: null };
}

attend(self, async (id) => {
  if (id.endsWith('bad')) throw new Error('The environment is damaged.');
  if (id.endsWith('half') && process.argv[2] !== 'first')
    throw new Error('Only the first thread can open it.');
  if (id.endsWith('dead') && process.argv[2] === 'first') process.exit(4);
  if (id.endsWith('large')) return practisedPublication(id);
  const publication = memoryPublication({ id, companies, search: searchSlowly });
  const { find } = publication;
  return {
    ...publication,
    company: (entity) => {
      const company = publication.company(entity);
      const { lei = '' } = companies[entity - 1] ?? {};
      const filling = fillingOf(lei);
      if (company === null || filling === null) return company;
      return { ...company, json: Buffer.from(JSON.stringify({ lei, filling })) };
    },
    find(lei) {
      if (lei === deadlyLeis.exits) process.exit(3);
      if (lei === deadlyLeis.hangs) for (;;);
      if (lei === deadlyLeis.throws) throw new Error('a bug');
      return find(lei);
    },
  };
});
