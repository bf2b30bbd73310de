/**
 * Tests that the requests in the README's section on bulk operations, in docs/bulk.md and in docs/reconcile.md print
 * what the pages show.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { sayNotRun } from '../support/programs.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { readText } from '../support/source-tree.ts';
import { type Block, blocksOf } from './blocks.ts';
import { runBlock, runners } from './run-blocks.ts';

const section =
  /^## More than one company at a time\n[\s\S]*?(?=^## )/m.exec(readText('README.md'))?.[0] ?? '';

/**
 * Requests with an answer. Commands that write files, and requests that need a version of the reader's, are excluded.
 */
const isAnswered = ({ program, printed }: Block) => program.startsWith('curl ') && (printed ?? '') !== '';

const pages = {
  'README.md': section,
  'docs/bulk.md': readText('docs/bulk.md'),
  'docs/reconcile.md': readText('docs/reconcile.md'),
};
const shown = Object.entries(pages).flatMap(([page, text]) =>
  blocksOf(text)
    .filter(isAnswered)
    .map((block) => ({ page, block })),
);

if (runners.console === null)
  sayNotRun(
    'the requests of README.md, docs/bulk.md and docs/reconcile.md; apt-get install curl brings curl',
  );

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('every page shows requests, the README five', () => {
  const count = (of: string) => shown.filter(({ page }) => page === of).length;
  expect(count('README.md')).toBe(5);
  expect(Object.keys(pages).map(count).every(Boolean)).toBe(true);
});

for (const { page, block } of shown) {
  test.skipIf(runners.console === null)(`${page}: ${block.program}`, () =>
    runBlock(block, {
      environment: { LEI_DATA_DIR: service.dataDir },
      address: { shown: 'http://127.0.0.1:3000', real: service.baseUrl },
    }),
  );
}
