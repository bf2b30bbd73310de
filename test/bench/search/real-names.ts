/** Reads the real companies of the bundled sample in the form that the search index takes. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { LegalEntityRecord } from '../../../src/lei/company.ts';
import { openSource } from '../../../src/loader/process/open-source.ts';
import type { LinkedCompany } from '../../support/index-companies.ts';

const sample = join(import.meta.dir, '../../../data/sample');

/** In order of LEI. */
export async function readRealCompanies(): Promise<LinkedCompany[]> {
  const companies = new Map<string, LinkedCompany>();
  for (const file of (await readdir(sample)).sort()) {
    if (!file.includes('lei2')) continue;
    const source = await openSource(join(sample, file));
    await source.read(
      {
        row: (row) => {
          if (row.kind !== 'level-1') return;
          const document = searchDocument(
            row.record,
            companies.get(row.record.lei)?.entity ?? companies.size + 1,
          );
          companies.set(document.lei, document);
        },
        reject: () => undefined,
        remark: () => undefined,
      },
      () => undefined,
    );
  }
  return [...companies.values()].sort((a, b) => (a.lei < b.lei ? -1 : 1));
}

function searchDocument({ lei, entity, registration }: LegalEntityRecord, number: number): LinkedCompany {
  return {
    entity: number,
    lei,
    names: [
      { name: entity.legalName.name ?? '', type: 'LEGAL_NAME' },
      ...entity.otherNames.map(({ name, type }) => ({ name: name ?? '', type: type ?? '' })),
      ...entity.transliteratedOtherNames.map(({ name, type }) => ({ name: name ?? '', type: type ?? '' })),
    ],
    country: entity.legalAddress.country,
    entityStatus: entity.status,
    registrationStatus: registration.status,
    registeredAs: entity.registeredAs,
    bics: [],
    directChildren: 0,
  };
}
