/** Generates and loads companies for an attack, and looks up facts that it needs. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from '../../src/generate/generate.ts';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { openPublication } from '../../src/store/open-publication.ts';
import { loadHere } from '../support/load-here.ts';

export interface Generated {
  readonly dataDir: string;
  /** The company with the most relationships. */
  readonly largest: string;
  /** Some hundred companies, and their names. */
  readonly leis: readonly string[];
  readonly names: readonly string[];
}

const someCompanies = 400;

/** @param folder if it holds companies of an earlier run, those are used */
export async function generated(folder: string, entities: number, seed: number): Promise<Generated> {
  const dataDir = join(folder, 'data');
  if (readPointer(layout(dataDir)) === null) await load(dataDir, join(folder, 'files'), entities, seed);
  const id = readPointer(layout(dataDir))?.id ?? '';
  const publication = await openPublication(layout(dataDir), id);
  try {
    let [largest, most] = ['', -1];
    const some: { readonly lei: string; readonly name: string }[] = [];
    const step = Math.max(1, Math.floor(publication.lastEntity / someCompanies));
    for (let entity = 1; entity <= publication.lastEntity; entity++) {
      const count = publication.relationships(entity).asEnd.length;
      const { lei, name } = publication.summary(entity);
      if (count > most && name !== null) [largest, most] = [lei, count];
      if (entity % step === 0 && name !== null) some.push({ lei, name });
    }
    return { dataDir, largest, leis: some.map(({ lei }) => lei), names: some.map(({ name }) => name) };
  } finally {
    await publication.close();
  }
}

async function load(dataDir: string, files: string, entities: number, seed: number): Promise<void> {
  const made = await generate({ entities, seed, delta: null, format: 'csv', folder: files }, () => undefined);
  await loadHere(
    dataDir,
    made.map(({ name }) => join(files, name)),
  );
  rmSync(files, { recursive: true });
}
