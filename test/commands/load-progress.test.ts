/** What a load shows on a terminal, which `script` (util-linux) gives it; elsewhere: publications.test.ts. */
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folders.ts';

const root = join(import.meta.dir, '..', '..');
const sample = join(root, 'data', 'sample');
// That of other systems takes other options.
const script = process.platform === 'linux' ? Bun.which('script') : null;
if (script === null) console.warn('NOT RUN: the progress bar, since there is no script of util-linux here.');

/** The bars that were drawn, each as far as its terminal shows it. */
async function bars(columns: number): Promise<readonly string[]> {
  const files = readdirSync(sample).filter((name) => !name.endsWith('.md'));
  const load = ['exec', process.execPath, join(root, 'src', 'cli.ts'), 'load', ...files].join(' ');
  const command = `stty cols ${columns} && ${load}`;
  const ran = Bun.spawn([script ?? '', '--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: sample,
    env: { ...process.env, LEI_DATA_DIR: temporaryFolder('progress'), SHELL: '/bin/sh' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const written = await new Response(ran.stdout).text();
  expect(await ran.exited).toBe(0);
  // A bar stands between "to the first column" and "erase the rest".
  return [...written.matchAll(/\u001b\[1G([=-][^\u001b]*)\u001b\[0K/g)].map(([, bar = '']) =>
    bar.slice(0, columns),
  );
}

test.if(script !== null)(
  'a load shows a bar with bytes, rows, rate and time left on a terminal of 80 columns, and a longer one where there is room',
  async () => {
    const everything = /\d % [\d.]+ of [\d.]+ MB, [\d,]+ rows, [\d,]+ rows\/s, \d+:\d\d left/;
    const narrow = (await bars(80)).filter((bar) => bar.includes('rows'));
    expect(narrow.length).toBeGreaterThan(0);
    for (const bar of narrow) expect(bar).toMatch(everything);
    const wide = (await bars(160)).filter((bar) => bar.includes('rows'));
    expect(wide.length).toBeGreaterThan(0);
    for (const bar of wide) expect(bar).toMatch(/^[=-]{40} .*left, [a-z]/);
  },
  30_000,
);
