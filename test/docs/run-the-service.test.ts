/** Tests that the commands of "Run the service", run in order over one data folder, print what the page shows. */
import { expect, test } from 'bun:test';
import { temporaryFolder } from '../support/folders.ts';
import { readText } from '../support/source-tree.ts';
import { blocksOf } from './blocks.ts';
import { runBlock } from './run-blocks.ts';

const page = readText('docs/run-the-service.md');
const blocks = blocksOf(page);
const dataDir = temporaryFolder('run-the-service');
const backup = temporaryFolder('backup');

/** The page defines `lei` as a shell function. */
const prelude = /^lei\(\) .*$/m.exec(page)?.[0] ?? '';

test('the page defines lei and shows commands', () => {
  expect(prelude).not.toBe('');
  expect(blocks.length).toBeGreaterThan(10);
});

for (const block of blocks) {
  test(`line ${block.line}: ${block.program.slice(0, 60)}`, () =>
    runBlock(block, { environment: { LEI_DATA_DIR: dataDir, BACKUP: backup }, prelude }));
}
