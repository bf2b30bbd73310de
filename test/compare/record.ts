/**
 * Writes the record of all answers over the bundled sample: a line for each request with its status, a digest of its
 * body, and its name. Run `bun test/compare/record.ts` after an intended change of an answer.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownRoot } from './checkout.ts';
import { statusOf } from './connection.ts';
import { answersOf } from './conversation.ts';
import { type Named, withoutIds } from './normal.ts';
import { prepareSample } from './prepare.ts';

export const recordPath = join(import.meta.dir, 'record.txt');

/** The record of this checkout's answers, as text. */
export async function recordNow(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lei-record-'));
  try {
    const sample = await prepareSample(ownRoot, folder);
    const answers = await answersOf(ownRoot, sample, join(folder, 'copy'), 'none');
    return recordOf(withoutIds(answers.filter(({ name }) => !isPageText(name))));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Pages for people change often and are tested separately. */
function isPageText(name: string): boolean {
  return /^(?:page|coded page|sign-up)\b/.test(name) && !name.includes('openapi') && !/^page \d/.test(name);
}

/** All companies share three lines: records, relationships and changes. */
function recordOf(answers: readonly Named[]): string {
  const lines = new Map<string, Named[]>();
  for (const answer of answers) {
    const name = answer.name.replace(/^company \w{20}/, 'every company named');
    lines.set(name, [...(lines.get(name) ?? []), answer]);
  }
  return [...lines].map(([name, together]) => `${lineOf(together)} ${name}\n`).join('');
}

function lineOf(answers: readonly Named[]): string {
  const hash = createHash('sha256');
  for (const { body } of answers) hash.update(body).update('\n');
  const statuses = new Set(answers.map(statusOf));
  return `${[...statuses].join('/')} ${hash.digest('hex').slice(0, 12)}`;
}

if (import.meta.main) {
  writeFileSync(recordPath, await recordNow());
  console.log(`${recordPath} holds the answers of this checkout now.`);
}
