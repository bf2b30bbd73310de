/** Makes two publications of generated companies, a day apart, in one data folder. */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { leiJson } from './lei-here.ts';
import { loadHere } from './load-here.ts';

/** Level 1 records that change or are new on the second day: enough that every search finds some. */
const changedShare = 0.3;

/** Writes GLEIF's files into a folder. @returns their paths */
export async function generatedFiles(
  folder: string,
  entities: number,
  ...options: readonly string[]
): Promise<string[]> {
  await succeeded('', 'generate', '--entities', String(entities), '--out', folder, ...options);
  return readdirSync(folder).map((name) => join(folder, name));
}

/**
 * Within a run of the tests they are made once for each size, and copied.
 * @returns the ids, the earlier first; the later is active
 */
export async function loadTwoPublications(
  folder: string,
  dataDir: string,
  entities: number,
): Promise<readonly [string, string]> {
  if (process.env['TESTS_SHARED'] === undefined) {
    await makeTwoPublications(folder, dataDir, entities);
  } else {
    // Folders of tests exist for tests only.
    const { sharedFolder } = await import('./folders.ts');
    const made = await sharedFolder(`two-publications-${entities}`, (draft) =>
      makeTwoPublications(folder, draft, entities),
    );
    cpSync(made, dataDir, { recursive: true });
  }
  const pointer = readPointer(layout(dataDir));
  return [pointer?.previous[0]?.id ?? '', pointer?.id ?? ''];
}

async function makeTwoPublications(folder: string, dataDir: string, entities: number): Promise<void> {
  await loadHere(dataDir, await generatedFiles(join(folder, 'full'), entities));
  const changes = String(Math.round(entities * changedShare));
  const delta = await generatedFiles(join(folder, 'delta'), entities, '--delta', '--changes', changes);
  await loadHere(dataDir, delta, { delta: true });
}

async function succeeded(dataDir: string, ...args: readonly string[]): Promise<unknown> {
  const { code, json, stderr } = await leiJson(dataDir, ...args);
  if (code === 0) return json;
  throw new Error(`lei ${args[0]} ended with ${code}: ${JSON.stringify(json)} ${stderr}`);
}
