/**
 * Reads what the last run of test/run.sh has written: the tests with their times, the processor time of each file, and
 * which files failed beside others but passed alone.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import type { FileCost } from '../support/file-cost.ts';

export const root = join(import.meta.dir, '..', '..');
const results = process.env['TESTS_RESULTS'] ?? join(root, 'node_modules', '.cache', 'tests');
export const lastJunit = join(results, 'junit.xml');
/** The report of the file that ran again last. */
export const againJunit = join(results, 'again.xml');
/** What the run printed. */
export const lastOutput = join(results, 'output.txt');
/** {@link RunAgain} of each file that ran again, in JSON; missing if none did. */
export const lastRunAgain = join(results, 'again.json');
const lastCosts = join(results, 'costs.jsonl');

export interface RunFile {
  /** Wall clock. */
  readonly seconds: number;
  /** The names of its tests, with those of the groups around them: `group > test`. */
  readonly tests: readonly string[];
  /** The names of those that failed. */
  readonly failed: readonly string[];
  /** What each of these failures says. */
  readonly messages: readonly string[];
}

/** A file that failed beside others and ran once more, alone. */
export interface RunAgain {
  readonly file: string;
  /** The names of its tests that failed beside others. */
  readonly failed: readonly string[];
  readonly passedAlone: boolean;
}

/** The files of a run, by path. @param path a report in the form of JUnit */
export function filesOf(path: string): ReadonlyMap<string, RunFile> {
  if (!existsSync(path)) throw new Error(`${path} does not exist: run the tests first (sh test/run.sh).`);
  const files = new Map<string, { seconds: number; tests: string[]; failed: string[]; messages: string[] }>();
  const groups: string[] = [];
  let tests: string[] = [];
  let failed: string[] = [];
  let messages: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const called = attributes['name'] ?? '';
    if (name === 'testcase') tests.push([...groups.slice(1), called].join(' > '));
    if (name === 'failure') {
      failed.push(tests.at(-1) ?? '');
      messages.push(attributes['message'] ?? '');
    }
    if (name !== 'testsuite') return;
    groups.push(called);
    if (groups.length > 1) return;
    tests = [];
    failed = [];
    messages = [];
    files.set(called, { seconds: Number(attributes['time']), tests, failed, messages });
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

/** The files of the last run that ran again, alone. */
export function filesRunAgain(): readonly RunAgain[] {
  return existsSync(lastRunAgain) ? JSON.parse(readFileSync(lastRunAgain, 'utf8')) : [];
}

/** Says which files failed beside others and passed alone, with their tests; empty if there are none. */
export function unsteadyFiles(files: readonly RunAgain[]): string {
  const unsteady = files.filter(({ passedAlone }) => passedAlone);
  if (unsteady.length === 0) return '';
  const count = unsteady.length === 1 ? '1 file' : `${unsteady.length} files`;
  const tests = unsteady.flatMap(({ file, failed }) => failed.map((test) => `  ${file}: ${test}`));
  return `${count} failed beside others and passed alone: a fault of the test, mend it:\n${tests.join('\n')}`;
}
