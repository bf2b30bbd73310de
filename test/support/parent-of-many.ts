/** Writes files in GLEIF's form with one parent of so many children that their list is a body of several megabytes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from '../../src/generate/generate.ts';
import { purposes, Random } from '../../src/generate/random.ts';
import { relationshipRecord } from '../../src/generate/relationships.ts';
import { createWorld } from '../../src/generate/world.ts';
import { goldenCopyFile, relationshipTree } from '../loader/gleif-files.ts';

const seed = 1;
const now = Date.UTC(2026, 0, 1) / 1000;

export interface ParentOfMany {
  readonly parent: string;
  /** Another company, without relationships. */
  readonly loner: string;
  /** For `lei load`. */
  readonly files: readonly string[];
}

/** The parent of {@link parentOfMany}. */
export function leiOfParent(children: number): string {
  return createWorld(seed, children + 2).lei(0);
}

/** @param folder is created, or is empty */
export async function parentOfMany(folder: string, children: number): Promise<ParentOfMany> {
  const entities = children + 2;
  const options = { entities, seed, delta: null, format: 'csv', folder } as const;
  const made = await generate(options, () => undefined);
  const nameOf = (family: string) =>
    made.find(({ name }) => name.includes(`goldencopy-${family}-`))?.name ?? '';
  const world = createWorld(seed, entities);
  const random = new Random();
  const records = Array.from({ length: children }, (_, child) => {
    const draft = {
      random: random.start(seed, purposes.relationship, child),
      issuer: world.issuer(child + 2),
      now,
    };
    const type = 'IS_DIRECTLY_CONSOLIDATED_BY';
    return relationshipTree(relationshipRecord(world.lei(child + 2), world.lei(0), type, draft));
  });
  const path = join(folder, nameOf('rr').replace('.csv.zip', '.xml'));
  const header = { contentDate: new Date(now * 1000).toISOString(), deltaStart: null };
  writeFileSync(path, goldenCopyFile('rr', records, header));
  return { parent: world.lei(0), loner: world.lei(1), files: [join(folder, nameOf('lei2')), path] };
}
