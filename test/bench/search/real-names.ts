/** Reads real companies, those of the bundled sample or of a file, in the form that the search index takes. */
import { readFileSync } from 'node:fs';
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

/** The companies of a file without header, a line each: LEI or nothing, name, country or nothing, between tabs. */
export function readNames(file: string): LinkedCompany[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line, at) => {
    const [lei = '', name = '', country = ''] = line.split('\t');
    if (name === '') throw new Error(`${file}, line ${at + 1}: a name must stand behind the first tab.`);
    return {
      entity: at + 1,
      lei,
      names: [{ name, type: 'LEGAL_NAME' }],
      country: country === '' ? null : country,
      entityStatus: 'ACTIVE',
      registrationStatus: 'ISSUED',
      registeredAs: null,
      bics: [],
      directChildren: 0,
    };
  });
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
