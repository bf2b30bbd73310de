/**
 * Runs the whole `cores` part of the bench over a few companies: every section exists and every answer is right;
 * figures are not checked.
 */
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/folders.ts';

/** Some two minutes, several times that on a machine with other work. */
const timeoutMs = 900_000;
const run = join(import.meta.dir, '..', 'run.ts');

async function report(...more: readonly string[]): Promise<{ text: string; files: readonly string[] }> {
  const folder = temporaryFolder('cores');
  const sizes = ['--entities', '60', '--seconds', '1', '--rounds', '1', '--only', 'cores'];
  const places = ['--data', join(folder, 'data'), '--out', join(folder, 'out')];
  const bench = Bun.spawn([process.execPath, run, ...sizes, ...places, ...more], {
    stdout: 'ignore',
    stderr: 'inherit',
  });
  expect(await bench.exited).toBe(0);
  const files = readdirSync(join(folder, 'out'));
  // Services that share the data leave nothing behind.
  const [made = ''] = readdirSync(join(folder, 'data'));
  expect(readdirSync(join(folder, 'data', made)).filter((name) => name.startsWith('data-'))).toEqual([]);
  return { text: readFileSync(join(folder, 'out', 'cores.md'), 'utf8'), files };
}

test(
  'one command benches all cores and writes the report',
  async () => {
    const { text, files } = await report();
    for (const section of [
      'Who has which cores',
      'What the generator can ask',
      'Fronts and query threads',
      'Latency at half of capacity',
      'One front, more query threads',
    ])
      expect(text).toContain(`## ${section}`);
    expect(text).toContain('| 2 + 2');
    expect(text).not.toContain('NaN');
    expect(files.toSorted()).toEqual(['cores-look-up.svg', 'cores-mix.svg', 'cores-search.svg', 'cores.md']);
  },
  timeoutMs,
);

test(
  'the bench of cores measures only the chosen threads',
  async () => {
    const { text } = await report('--fronts', '3', '--workers', '2');
    expect(text).toContain('| 3 + 2');
    expect(text).toContain('--fronts 3 --workers 2');
    expect(text).not.toContain('One front, more query threads');
  },
  timeoutMs,
);
