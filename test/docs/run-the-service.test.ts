/**
 * Tests that the commands of "Run the service", run in order in a folder like the project's, print what the page shows. The
 * shell has nothing set but what the page sets.
 */
import { expect, test } from 'bun:test';
import packageJson from '../../package.json' with { type: 'json' };
import { readText } from '../support/source-tree.ts';
import { blocksOf } from './blocks.ts';
import { checkout, runBlock } from './run-blocks.ts';

const page = readText('docs/run-the-service.md');
const blocks = blocksOf(page);
const folder = checkout();

/** The page defines `lei` as a shell function, and the variables. */
const prelude = /^```sh\n(lei\(\) .*?)^```$/ms.exec(page)?.[1] ?? '';
/** The same without npm, which takes longer to start than most commands. */
const withoutNpm = prelude.replace('npm run -s lei --', packageJson.scripts.lei.replace(/^exec /, ''));

test('the page defines lei and shows commands', () => {
  expect(withoutNpm).not.toBe(prelude);
  expect(blocks.length).toBeGreaterThan(10);
});

for (const [index, block] of blocks.entries()) {
  test(`line ${block.line}: ${block.program.slice(0, 60)}`, () =>
    runBlock(block, { environment: {}, prelude: index === 0 ? prelude : withoutNpm, folder }));
}
