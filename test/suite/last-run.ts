/** Reads what the last run of test/run.sh has written: the tests with their times, and the processor time of each file. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import type { FileCost } from '../support/file-cost.ts';

export const root = join(import.meta.dir, '..', '..');
const results = join(root, 'node_modules', '.cache', 'tests');
export const lastJunit = join(results, 'junit.xml');
const lastCosts = join(results, 'costs.jsonl');

export interface RunFile {
  /** Wall clock. */
  readonly seconds: number;
  /** The names of its tests, with those of the groups around them: `group > test`. */
  readonly tests: readonly string[];
}

/** The files of a run, by path. @param path a report in the form of JUnit */
export function filesOf(path: string): ReadonlyMap<string, RunFile> {
  if (!existsSync(path)) throw new Error(`${path} does not exist: run the tests first (sh test/run.sh).`);
  const files = new Map<string, { seconds: number; tests: string[] }>();
  const groups: string[] = [];
  let tests: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const called = attributes['name'] ?? '';
    if (name === 'testcase') tests.push([...groups.slice(1), called].join(' > '));
    if (name !== 'testsuite') return;
    groups.push(called);
    if (groups.length > 1) return;
    tests = [];
    files.set(called, { seconds: Number(attributes['time']), tests });
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'testsuite') groups.pop();
  });
  parser.write(readFileSync(path, 'utf8')).close();
  return files;
}

/** The processor time of each file of the last run, in seconds; empty where the system does not tell it. */
export function costsOfLastRun(): ReadonlyMap<string, number> {
  return existsSync(lastCosts) ? costsIn(readFileSync(lastCosts, 'utf8')) : new Map();
}

/** @param text lines of {@link FileCost}, those of each process in order */
export function costsIn(text: string): ReadonlyMap<string, number> {
  const before = new Map<number, number>();
  const costs = new Map<string, number>();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const { pid, file, ticks }: FileCost = JSON.parse(line);
    costs.set(file, (costs.get(file) ?? 0) + (ticks - (before.get(pid) ?? 0)) / 100);
    before.set(pid, ticks);
  }
  return costs;
}
