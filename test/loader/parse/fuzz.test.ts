/** Tests damaged real files: each is refused, or loses single rows, and nothing else happens. The seed is fixed. */
import { expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { isLei } from '../../../src/lei/identifiers.ts';
import { SourceError, type SourceRow } from '../../../src/loader/rows.ts';
import { damaged, numbers } from './damage.ts';
import { fixtureBeginning, readPath, withFile } from './reading.ts';
import { zip } from './zip.ts';

const damagedFilesPerFixture = 60;
/** The LEIs that a row is kept under. */
function keysOf(row: SourceRow): string[] {
  switch (row.kind) {
    case 'level-1':
      return [row.record.lei];
    case 'relationships':
      return [row.record.start, row.record.end];
    case 'reporting-exceptions':
      return [row.record.lei];
    case 'mic-list':
    case 'registration-authorities':
    case 'official-organizational-roles':
      return [];
    default:
      return [row.lei];
  }
}

/** Reads a damaged file; the result must be an outcome that a load expects. */
async function outcomeOf(content: Buffer): Promise<'read' | 'refused'> {
  return withFile(content, async (path) => {
    const reading = await readPath(path).catch((error: unknown) => {
      if (error instanceof SourceError) return null;
      throw error;
    });
    if (reading === null) return 'refused';
    const { rows, rejects, remarks, summary } = reading;
    expect([rows.length, rejects.length, remarks.length]).toEqual([
      summary.rows,
      summary.rejected,
      summary.remarks,
    ]);
    expect(rows.flatMap(keysOf).filter((key) => !isLei(key))).toEqual([]);
    return 'read';
  });
}

const originals = [
  '20240505-0000-gleif-goldencopy-lei2-intra-day.json.zip',
  '20240505-0000-gleif-goldencopy-lei2-intra-day.csv.zip',
  '20231106-gleif-lei2.xml',
  '20231106-gleif-rr.xml',
  '20231106-gleif-repex.xml',
  '20260123-0800-gleif-goldencopy-rr-golden-copy.csv',
];

for (const [index, name] of originals.entries()) {
  test(`${name}, damaged in ${damagedFilesPerFixture} ways, is read or refused, plain and packed`, async () => {
    const next = numbers(20261121 + index);
    const original = await fixtureBeginning(name);
    const outcomes = { read: 0, refused: 0 };
    for (let tries = 0; tries < damagedFilesPerFixture; tries++) {
      const content = damaged(original, next);
      outcomes[await outcomeOf(content)]++;
      // First the content inside sound compression is damaged, then the compression itself.
      const packing = tries % 2 === 0 ? gzipSync(content) : zip({ name: 'a', content });
      outcomes[await outcomeOf(packing)]++;
      outcomes[await outcomeOf(damaged(packing, next))]++;
    }
    expect(outcomes.read + outcomes.refused).toBe(damagedFilesPerFixture * 3);
    // If damage were never noticed, or always fatal, nothing would really have been tested.
    expect(outcomes.refused).toBeGreaterThan(damagedFilesPerFixture / 2);
    expect(outcomes.read).toBeGreaterThan(0);
  });
}
