/** Tests that every command and program of "Use the API" prints what the page shows. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { company, lei, operator, relationship } from '../loader/publishing.ts';
import { sayNotRun } from '../support/programs.ts';
import { createAccount, endOf } from '../support/run-lei.ts';
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

function blockWith(text: string): string {
  return blocks.find(({ program }) => program.includes(text))?.program ?? '';
}

function runPython(program: string, { baseUrl }: TestService) {
  const here = program.replaceAll('http://127.0.0.1:3000', baseUrl);
  return endOf(Bun.spawn(['python3', '-c', here], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' }));
}

test('the page has commands and programs, each with its output', () => {
  expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(['console', 'js', 'python']));
  expect(blocks.filter(({ printed }) => printed === null)).toEqual([]);
});

test.skipIf(runners.python === null)('the program that waits does not sleep until midnight', async () => {
  const exhausted = await startTestService({
    environment: { LEI_LIMITS: 'enforce', LEI_ANONYMOUS_DAILY: '1' },
  });
  await exhausted.fetch('/api/v1/mic/XETR');
  const { code, stderr } = await runPython(blockWith('Retry-After'), exhausted);
  await exhausted.stop();
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('HTTP Error 429') });
});

test.skipIf(runners.python === null)(
  'the way up ends at a parent without a record, and in a circle',
  async () => {
    const made = operator();
    await made.load({
      at: '2024-05-04T00:00:00Z',
      companies: [1, 2, 3, 4].map((n) => company(n)),
      relationships: {
        kept: [relationship(1, 9), relationship(2, 3), relationship(3, 4), relationship(4, 3)],
      },
    });
    const few = await startTestService({ dataDir: made.dataDir });
    const program = blockWith('seen.add');
    const upFrom = async (n: number) => {
      const { stdout } = await runPython(program.replace(/"969500V9BSEN0HWUIC23"/, `"${lei(n)}"`), few);
      return stdout.trimEnd().split('\n');
    };
    expect(await upFrom(1)).toEqual(['Company Number 1 Limited', `${lei(9)}, which has no record here`]);
    expect(await upFrom(2)).toEqual([2, 3, 4].map((n) => `Company Number ${n} Limited`));
    await few.stop();
  },
);

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
