import { expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stagedNow } from '../../src/loader/staging.ts';
import { layout } from '../../src/publication/layout.ts';
import { temporaryFolder } from '../support/folders.ts';

test('what is being built can be looked at while it is moved to its place', async () => {
  const paths = layout(temporaryFolder('staging'));
  mkdirSync(paths.staged('build'), { recursive: true });
  mkdirSync(paths.publications);
  writeFileSync(join(paths.staged('build'), 'data.mdb'), 'four');
  const program = `const { renameSync } = require('node:fs');
    const [from, to] = process.argv.slice(1);
    for (;;) { renameSync(from, to); renameSync(to, from); }`;
  const sealing = Bun.spawn([
    process.execPath,
    '-e',
    program,
    paths.staged('build'),
    paths.publication('build'),
  ]);
  const seen = new Set<string>();
  try {
    for (let looks = 0; looks < 10_000 || seen.size < 2; looks++) {
      const { names, bytes } = stagedNow(paths);
      seen.add(`${names.length} of ${bytes}`);
      if (looks % 1_000 === 0) await Bun.sleep(1);
    }
  } finally {
    sealing.kill();
    await sealing.exited;
  }
  expect(['0 of 0', '1 of 0', '1 of 4']).toEqual(expect.arrayContaining([...seen]));
});
