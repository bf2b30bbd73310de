/**
 * Tests that the commands of the README and of the pages for users but docs/use-the-api.md print what the pages show, and that no
 * page has a command that is not run.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sayNotRun } from '../support/programs.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { readText, root } from '../support/source-tree.ts';
import { blocksOf } from './blocks.ts';
import { checkout, runBlock, runners } from './run-blocks.ts';

const consoleBlocks = (page: string) =>
  blocksOf(readText(page)).filter(({ language }) => language === 'console');
const shown = ['README.md', 'docs/bulk.md', 'docs/mcp.md', 'docs/reconcile.md'].flatMap((page) =>
  consoleBlocks(page).map((block) => ({ page, block })),
);
/** Pages whose commands other files of this folder run. */
const runElsewhere = ['docs/run-the-service.md', 'docs/use-the-api.md'];

/** Pages with `sh` blocks, which no test runs, and why: `sh` blocks only show how something is written. */
const notRun = {
  'README.md': 'they start the service and run all tests, fetch from GLEIF, and start a fleet',
  'docs/fleet.md': 'they install packages of the system; test/deploy/fleet.test.ts starts the fleet',
  'docs/gleif-api.md':
    'they show what a request looks like; test/gleif sends such requests and compares the answers',
  'docs/mcp.md': 'they need a service at a public address',
  'docs/reconcile.md': 'they change an account of the reader',
  'docs/run-the-service.md': 'they fetch from GLEIF',
  'docs/watch-the-service.md': 'they start the service at fixed addresses, with a certificate of the reader',
};

if (runners.console === null)
  sayNotRun(
    'the requests of README.md, docs/bulk.md, docs/mcp.md and docs/reconcile.md; apt-get install curl brings curl',
  );

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  folder = checkout(service.dataDir);
});
afterAll(() => service.stop());

test('every command of every page is run, or named here', () => {
  const pages = ['README.md', ...['docs', 'deploy'].flatMap(pagesIn)];
  const withCommands = pages.filter((page) => consoleBlocks(page).length > 0);
  expect(withCommands.toSorted()).toEqual(
    [...new Set([...shown.map(({ page }) => page), ...runElsewhere])].toSorted(),
  );
  const withOthers = pages.filter((page) => /^```(?:sh|bash)\n(?!lei\(\))/m.test(readText(page)));
  expect(withOthers.toSorted()).toEqual(Object.keys(notRun).toSorted());
});

/** The pages of a folder, and of those in it. */
function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

for (const { page, block } of shown) {
  test.skipIf(runners.console === null)(`${page}: ${block.program}`, () =>
    runBlock(block, {
      environment: {},
      folder,
      address: { shown: 'http://127.0.0.1:3000', real: service.baseUrl },
    }),
  );
}
