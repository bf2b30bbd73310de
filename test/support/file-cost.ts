/**
 * Writes the processor time of each test file to the file that TESTS_COSTS names. bunfig.toml preloads this module, and
 * test/suite reads what it writes.
 */
import { afterAll } from 'bun:test';
import { appendFileSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What a process of the test runner writes after each of its files: one line of JSON. */
export interface FileCost {
  readonly pid: number;
  /** Relative to the root of the project. */
  readonly file: string;
  /** Processor time since the start of the process, with the children that have ended, in ticks of 10 ms. */
  readonly ticks: number;
}

const root = join(import.meta.dir, '..', '..');
const costs = process.env['TESTS_COSTS'];

// Only Linux says what the children took.
if (costs !== undefined && process.platform === 'linux') {
  afterAll(() => {
    const cost: FileCost = { pid: process.pid, file: relative(root, Bun.main), ticks: ticksSoFar() };
    appendFileSync(costs, `${JSON.stringify(cost)}\n`);
  });
}

function ticksSoFar(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  // The name of the program, which may contain spaces, ends with the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}
