/**
 * Compares every answer of two checkouts of the project, byte for byte: `bun test/compare/answers.ts OLD [NEW]`. NEW is
 * this checkout by default. First each serves copies of the data folders that OLD has made; then each serves its own.
 * The exit status is 1 if an answer differs.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { statusOf } from './connection.ts';
import { answersOf } from './conversation.ts';
import { differences, type Paired, paired } from './differences.ts';
import { type Named, withoutChance, withoutIds } from './normal.ts';
import { generateTwoDays, prepare } from './prepare.ts';
import { firstPage, nextOf } from './requests.ts';

/** Differences that are printed in full; the rest are counted. */
const shownMax = 40;

const [old, now = join(import.meta.dir, '..', '..')] = process.argv.slice(2).map((path) => resolve(path));
if (old === undefined) {
  console.error('Usage: bun test/compare/answers.ts OLD [NEW], each a checkout with its node_modules');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'lei-compare-'));
let different = 0;
/** Of the data folder that OLD has made. */
let expired = 'none';
const copy = join(folder, 'copy');
try {
  // Compared once, because archives may be compressed differently and still have the same content.
  const days = await generateTwoDays(old, folder);
  const byOld = await prepare(old, join(folder, 'old'), days);
  const byNew = await prepare(now, join(folder, 'new'), days);
  for (const [index, prepared] of byOld.entries()) {
    const own = byNew[index] ?? prepared;
    const before = await answersOf(old, prepared, copy, expired);
    const same = await answersOf(now, prepared, copy, expired);
    const sameData = paired(before.map(withoutChance), same.map(withoutChance));
    tell(`${prepared.name}, one data folder`, sameData);
    const ofOwn = await answersOf(now, own, copy, expired);
    const ownData = paired(before, ofOwn);
    tell(`${prepared.name}, each its own`, {
      ...ownData,
      before: withoutIds(ownData.before),
      after: withoutIds(ownData.after),
    });
    const page = before.find(({ name }) => name === firstPage);
    expired = (page && nextOf(page)) ?? 'none';
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = different === 0 ? 0 : 1;

function tell(what: string, pairs: Paired): void {
  const found = differences(pairs);
  different += found.length;
  const { before } = pairs;
  console.log(`${what}: ${before.length} answers (${statusesOf(before)}), ${found.length} differ`);
  for (const line of found.slice(0, shownMax)) console.log(line);
}

/** The number of answers by status, so that a comparison without any requests is noticed. */
function statusesOf(answers: readonly Named[]): string {
  const counts = new Map<number, number>();
  for (const answer of answers) counts.set(statusOf(answer), (counts.get(statusOf(answer)) ?? 0) + 1);
  const inOrder = [...counts].sort(([a], [b]) => a - b);
  return inOrder.map(([status, count]) => `${count} × ${status}`).join(', ');
}
