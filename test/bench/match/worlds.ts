/** The companies that the questions of the match bench are made of. */
import { layout } from '../../../src/publication/layout.ts';
import { readPointer } from '../../../src/publication/pointer.ts';
import { openEnvironment } from '../../../src/store/open-publication.ts';
import type { PublicationReader } from '../../../src/store/publication-reader.ts';
import { prepareData } from '../harness/data.ts';
import type { NamedCompany } from './questions.ts';

/** The generated publication of a size, made once. */
export async function openLoaded(entities: number, seed: number): Promise<PublicationReader> {
  const { dataDir } = await prepareData(entities, seed);
  const paths = layout(dataDir);
  const id = readPointer(paths)?.id;
  if (id === undefined) throw new Error('The bench loaded nothing.');
  return openEnvironment(paths.publication(id), id);
}

/** Those whose LEI is in use. */
export function namedCompanies(publication: PublicationReader): NamedCompany[] {
  const named: NamedCompany[] = [];
  for (let entity = 1; entity <= publication.lastEntity; entity++) {
    const text = publication.company(entity);
    if (text === null) continue;
    const { lei, entity: own, registration } = JSON.parse(Buffer.from(text.json).toString());
    if (registration.status === 'DUPLICATE' || registration.status === 'ANNULLED') continue;
    const others: { readonly name: string }[] = [...own.otherNames, ...own.transliteratedOtherNames];
    const { name } = own.legalName;
    if (name === null) continue;
    named.push({
      lei,
      name,
      otherNames: others.map((other) => other.name),
      country: own.legalAddress.country,
    });
  }
  return named;
}
