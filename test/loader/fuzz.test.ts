/**
 * Tests whole loads of damaged real files: each ends with a completely sound publication, or with a message for the
 * operator and no change. The seed is fixed.
 */
import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifySealed } from '../../src/loader/command/verify/verify-sealed.ts';
import { gateDefaults, LoadFailure, type LoadRequest } from '../../src/loader/load-request.ts';
import { SourceError } from '../../src/loader/rows.ts';
import { layout } from '../../src/publication/layout.ts';
import { readPointer } from '../../src/publication/pointer.ts';
import { deletePublication, sealedIds } from '../../src/publication/sealed.ts';
import { damaged, misspelt, numbers } from './parse/damage.ts';
import { fixtureBeginning, fixtures } from './parse/reading.ts';
import { zip } from './parse/zip.ts';
import { type Operator, operator } from './publishing.ts';

const turnsMax = 48;
/** `npm run test:long` tries more. */
const damagedLoadsPerFixture = Number(process.env['LONG_DAMAGE'] ?? 6);
/** The most tolerant settings for loads: whatever is let through must come out sound. */
const forgiving: Partial<LoadRequest> = {
  publishedAt: '2026-01-23T08:00:00Z',
  limits: { ...gateDefaults, badRowsShareMax: 1 },
  skippedGates: ['entity-count', 'resolvable-relationships'],
};

/** Each with a sound file of another kind, so that damage meets records that refer to it. */
const originals = [
  [
    '20240505-0000-gleif-goldencopy-lei2-intra-day.csv.zip',
    '20260123-0800-gleif-goldencopy-rr-golden-copy.csv',
  ],
  ['20240505-0000-gleif-goldencopy-lei2-intra-day.json.zip', '20231106-gleif-rr.xml'],
  ['20231106-gleif-lei2.xml', '20231106-gleif-repex.xml'],
  ['20231106-gleif-rr.xml', '20231106-gleif-lei2.xml'],
  ['20231106-gleif-repex.xml', '20231106-gleif-lei2.xml'],
  ['20260123-0800-gleif-goldencopy-rr-golden-copy.csv', '20231106-gleif-lei2.xml'],
] as const;

/**
 * Nonsense in a sound form, or damage: to the uncompressed file, inside sound compression, or to the compression
 * itself.
 */
function wound(original: Buffer, turn: number, next: () => number): Buffer {
  if (turn % 2 === 0) return misspelt(original, next);
  if (turn % 3 === 0) return damaged(original, next);
  if (turn % 3 === 1) return zip({ name: 'a', content: damaged(original, next) });
  return damaged(zip({ name: 'a', content: original }), next);
}

/** The outcome of a load; anything other than a publication or a message to the operator fails the test. */
async function outcomeOf(
  someone: Operator,
  files: readonly string[],
  delta: boolean,
): Promise<'published' | 'refused'> {
  const paths = layout(someone.dataDir);
  const before = { pointer: readPointer(paths), sealed: sealedIds(paths) };
  try {
    await someone.loadFiles(files, { ...forgiving, delta });
  } catch (error) {
    if (!(error instanceof SourceError || error instanceof LoadFailure)) throw error;
    expect(error.message.length).toBeGreaterThan(10);
    expect({ pointer: readPointer(paths), sealed: sealedIds(paths) }).toEqual(before);
    return 'refused';
  }
  const active = readPointer(paths)?.id ?? '';
  expect(await verifySealed(paths, active, () => {})).toMatchObject({ sound: true, problems: [] });
  for (const id of before.sealed) await deletePublication(paths, id);
  return 'published';
}

/** Some files are refused for most damage: those are damaged until one is published, and the reverse. */
function isOneSided({ published, refused }: { published: number; refused: number }, turn: number): boolean {
  return turn < turnsMax && (published === 0 || refused === 0);
}

describe('a load of a damaged file', () => {
  for (const [index, [name, companion]] of originals.entries()) {
    test(`publishes what passes lei verify or says why not: ${name} in many ways, full and as a delta`, async () => {
      const next = numbers(20261122 + index);
      const someone = operator();
      const original = await fixtureBeginning(name);
      const path = join(someone.dataDir, 'incoming', 'damaged');
      mkdirSync(join(path, '..'), { recursive: true });
      const outcomes = { published: 0, refused: 0 };
      writeFileSync(path, original);
      expect(await outcomeOf(someone, [path, join(fixtures, companion)], false)).toBe('published');
      for (let turn = 0; turn < damagedLoadsPerFixture || isOneSided(outcomes, turn); turn++) {
        writeFileSync(path, wound(original, turn, next));
        // A delta changes a copy of what earlier loads left.
        const delta = turn % 4 > 1;
        outcomes[await outcomeOf(someone, delta ? [path] : [path, join(fixtures, companion)], delta)]++;
      }
      // If damage were never noticed, or always fatal, nothing would really have been tested.
      expect(outcomes.published).toBeGreaterThan(0);
      expect(outcomes.refused).toBeGreaterThan(0);
    });
  }
});
