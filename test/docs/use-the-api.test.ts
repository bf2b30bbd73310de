/** Tests that every command and program of "Use the API" prints what the page shows. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { sayNotRun } from '../support/programs.ts';
import { createAccount } from '../support/run-lei.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { readText } from '../support/source-tree.ts';
import { blocksOf } from './blocks.ts';
import { runBlock, runners } from './run-blocks.ts';

const blocks = blocksOf(readText('docs/use-the-api.md'));
if (runners.console === null)
  sayNotRun('the commands of docs/use-the-api.md; apt-get install curl brings curl');
if (runners.python === null)
  sayNotRun('the programs in Python of docs/use-the-api.md; apt-get install python3 brings it');

let service: TestService;
let key = '';
beforeAll(async () => {
  service = await startTestService({ environment: { LEI_LIMITS: 'enforce' } });
  key = (await createAccount(service.dataDir, 'reader@example.com')).secret;
});
afterAll(() => service.stop());

test('the page has commands and programs, each with its output', () => {
  expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(['console', 'js', 'python']));
  expect(blocks.filter(({ printed }) => printed === null)).toEqual([]);
});

for (const block of blocks) {
  test.skipIf(runners[block.language] === null)(
    `the ${block.language} of line ${block.line} prints what the page shows`,
    () =>
      runBlock(block, {
        environment: { LEI_DATA_DIR: service.dataDir, LEI_KEY: key },
        address: { shown: 'http://127.0.0.1:3000', real: service.baseUrl },
      }),
  );
}
