/**
 * Makes the companies of the match bench: those of a loaded publication, and others from the same generator that are
 * not in it.
 */
import { layout } from '../../../src/publication/layout.ts';
import { readPointer } from '../../../src/publication/pointer.ts';
import { openEnvironment } from '../../../src/store/open-publication.ts';
import type { PublicationReader } from '../../../src/store/publication-reader.ts';
import { prepareData } from '../harness/data.ts';
import type { NamedCompany, Worlds } from './questions.ts';

/** Seeds of the questions that weights and thresholds were chosen with. Other seeds are for blind tests. */
export const fitSeeds: readonly number[] = [11, 13, 14, 15];

export interface OpenWorlds extends Worlds {
  readonly publication: PublicationReader;
  close(): Promise<void>;
}

/** @param seed of the loaded companies; the others have the next one */
export async function openWorlds(companies: number, seed: number): Promise<OpenWorlds> {
  const publication = await openLoaded(companies, seed);
  const others = await openLoaded(Math.ceil(companies / 5), seed + 1);
  return {
    publication,
    loaded: namedCompanies(publication),
    aside: namedCompanies(others),
    close: async () => {
      await publication.close();
      await others.close();
    },
  };
}

export async function openLoaded(entities: number, seed: number): Promise<PublicationReader> {
  const { dataDir } = await prepareData(entities, seed);
  const paths = layout(dataDir);
  const id = readPointer(paths)?.id;
  if (id === undefined) throw new Error('The bench loaded nothing.');
  return openEnvironment(paths.publication(id), id);
}

/** The active publication of a data folder, with real companies. */
export function openReal(dataDir: string): Promise<PublicationReader> {
  const paths = layout(dataDir);
  const id = readPointer(paths)?.id;
  if (id === undefined) throw new Error(`${dataDir} has no publication.`);
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
      city: own.legalAddress.city,
      headquarters: { country: own.headquartersAddress.country, city: own.headquartersAddress.city },
      registeredAs: own.registeredAs,
    });
  }
  return named;
}
