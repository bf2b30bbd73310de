/**
 * Tests that both publication readers fulfil the contract: the one over sealed files, and the one in memory for tests.
 */
import { describe } from 'bun:test';
import type { PublicationReader } from '../../src/store/publication-reader.ts';
import { bic, company, exception, isin, lei, operator, relationship } from '../loader/publishing.ts';
import { memoryPublication } from '../support/memory-publication.ts';
import { daughter, manager, mother, publicationReaderContract } from './publication-reader.contract.ts';

const names = {
  mother: 'Mother Company Limited',
  daughter: 'Daughter Company Limited',
  formerDaughter: 'Daughter & Sons',
};
const relationships = [
  relationship(daughter, mother),
  relationship(daughter, manager, { type: 'IS_FUND-MANAGED_BY' }),
];

const isins = Array.from({ length: 25 }, (_, index) => isin(1000 - 7 * index));

/** Three loads, each with another name of the mother, so that she has two changes. */
async function openSealed(): Promise<PublicationReader> {
  const someone = operator();
  for (const [day, name] of ['First Name', 'Second Name', names.mother].entries()) {
    await someone.load({
      at: `2024-05-0${day + 1}T00:00:00Z`,
      companies: [
        company(mother, { name }),
        company(daughter, { name: names.daughter, otherNames: [names.formerDaughter] }),
      ],
      relationships: { kept: relationships },
      exceptions: { kept: [exception(mother, 'direct', 'NO_LEI')] },
      isins: isins.map((value) => [mother, value] as const),
      bics: [[mother, bic(1)]],
    });
  }
  return someone.open();
}

async function openInMemory(): Promise<PublicationReader> {
  return memoryPublication({
    id: '20240503T000000Z-00000000',
    companies: [
      {
        lei: lei(mother),
        name: names.mother,
        country: 'GB',
        city: 'LONDON',
        mapped: ['bic'],
        direct: JSON.stringify(exception(mother, 'direct', 'NO_LEI').exception),
      },
      {
        lei: lei(daughter),
        name: names.daughter,
        country: 'GB',
        city: 'LONDON',
        otherNames: [{ name: names.formerDaughter, type: 'PREVIOUS_LEGAL_NAME' }],
      },
      { lei: lei(manager), name: null },
    ],
    relationships,
    mappings: [
      { kind: 'bic', value: bic(1), lei: lei(mother) },
      ...isins.map((value) => ({ kind: 'isin' as const, value, lei: lei(mother) })),
    ],
    feed: {
      oldest: '2024-05-01T00:00:00Z',
      changes: ['2024-05-02T00:00:00Z', '2024-05-03T00:00:00Z'].map((at) => ({
        lei: lei(mother),
        kind: 'change',
        at,
      })),
    },
    changes: {
      [lei(mother)]: ['{"kind":"change","at":"2024-05-03"}', '{"kind":"change","at":"2024-05-02"}'],
    },
  });
}

describe('a publication reader', () => {
  const contract = { lei, bic: bic(1), isins, names };
  publicationReaderContract('over sealed files', { ...contract, open: openSealed });
  publicationReaderContract('in memory', { ...contract, open: openInMemory });
});
