import { expect, test } from 'bun:test';
import { isFoundByName } from '../../src/loader/checks.ts';
import type { SearchOutcome } from '../../src/store/search/search-reader.ts';
import { memoryPublication } from '../support/memory-publication.ts';

const lei = '213800E5Z6QRDSMZMK84';

test('a timed-out search counts as a company not found, and a name that cannot be searched for is no fault', () => {
  const outcomes: readonly (readonly [SearchOutcome, boolean])[] = [
    [{ outcome: 'timeout', detail: 'The search took more than 1000 ms.' }, false],
    [{ outcome: 'hits', total: 0, hits: [], next: null }, false],
  ];
  for (const [outcome, found] of outcomes) {
    const reader = memoryPublication({
      id: 'one',
      companies: [{ lei, name: 'Seeland AG' }],
      search: () => outcome,
    });
    expect(isFoundByName(reader, 1, 'Seeland AG')).toBe(found);
  }
});
