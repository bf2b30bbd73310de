/**
 * Tests that the commands of "Run the service", run in order in a folder like the project's, print what the page shows. The
 * shell has nothing set but what the page sets.
 */
import { expect, test } from 'bun:test';
import { readText } from '../support/source-tree.ts';
import { blocksOf } from './blocks.ts';
import { checkout, runBlock } from './run-blocks.ts';

const page = readText('docs/run-the-service.md');
const blocks = blocksOf(page);
const folder = checkout();

/** The page defines `lei` as a shell function, and the variables. */
const prelude = /^```sh\n(lei\(\) .*?)^```$/ms.exec(page)?.[1] ?? '';

test('the page defines lei and shows commands', () => {
  expect(prelude).not.toBe('');
  expect(blocks.length).toBeGreaterThan(10);
});

for (const block of blocks) {
  test(`line ${block.line}: ${block.program.slice(0, 60)}`, () =>
    runBlock(block, { environment: {}, prelude, folder }));
}
