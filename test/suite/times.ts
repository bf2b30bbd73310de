/**
 * Prints what the files of the last run took, the dearest first, what changed since the committed list costs.json, and
 * which files passed only alone: `bun run test:times [COUNT] [--write]`. `--write` puts the times of the last run into that list, which Bun also reads
 * to start the dearest files first.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { costsOfLastRun, filesOf, filesRunAgain, lastJunit, root, unsteadyFiles } from './last-run.ts';

const shownDefault = 30;
/** Smaller differences come from the machine. */
const changedSecondsMin = 1;
const changedShareMin = 0.3;

const listPath = join(import.meta.dir, 'costs.json');

/** Processor time in milliseconds by path, in the form of Bun's `--timings`. */
interface CommittedList {
  readonly version: 1;
  readonly files: Readonly<Record<string, number>>;
}

function committed(): CommittedList {
  return JSON.parse(readFileSync(listPath, 'utf8'));
}

const sumOf = (numbers: Iterable<number>) => [...numbers].reduce((sum, each) => sum + each, 0);
const seconds = (value: number) => value.toFixed(1).padStart(8);

function print(shown: number): void {
  const { files } = committed();
  const costs = costsOfLastRun();
  const walls = filesOf(lastJunit);
  const before = (file: string) => (files[file] ?? 0) / 1000;
  const ran = [...costs].sort(([, a], [, b]) => b - a);
  const known = sumOf(ran.map(([file]) => before(file)));
  console.log(
    `${ran.length} files took ${sumOf(costs.values()).toFixed(0)} s of processor time; by the list ${known.toFixed(0)} s.`,
  );
  const row = (file: string, cost: number) =>
    `${seconds(cost)}${seconds(before(file))}${seconds(walls.get(file)?.seconds ?? 0)}  ${file}`;
  const head = '     now  listed    wall  (seconds)';
  console.log(`\nThe dearest\n${head}`);
  for (const [file, cost] of ran.slice(0, shown)) console.log(row(file, cost));
  const changed = ran.filter(([file, cost]) => isChanged(cost, before(file)));
  if (changed.length > 0) console.log(`\nChanged since the list\n${head}`);
  for (const [file, cost] of changed) console.log(row(file, cost));
  const unsteady = unsteadyFiles(filesRunAgain());
  if (unsteady !== '') console.log(`\n${unsteady}`);
}

function isChanged(now: number, before: number): boolean {
  const difference = Math.abs(now - before);
  return difference >= changedSecondsMin && difference >= changedShareMin * before;
}

/** Files that the last run did not have keep their times; those that are gone leave the list. */
function write(): void {
  const costs = [...costsOfLastRun()].map(([file, cost]) => [file, Math.round(cost * 1000)] as const);
  const kept = Object.entries(committed().files).filter(([file]) => existsSync(join(root, file)));
  const files = Object.fromEntries([...kept, ...costs].sort(([a], [b]) => (a < b ? -1 : 1)));
  const list: CommittedList = { version: 1, files: Object.fromEntries(Object.entries(files).sort()) };
  writeFileSync(listPath, `${JSON.stringify(list, null, 2)}\n`);
}

const args = process.argv.slice(2);
if (args.includes('--write')) write();
else print(Number(args[0] ?? shownDefault));
