/** Every command and program of "Use the API" prints what the page shows. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folders.ts';
import { createAccount } from '../support/run-lei.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { readText, root } from '../support/source-tree.ts';
import { type Block, blocksOf, isShown } from './blocks.ts';

const page = readText('docs/use-the-api.md');
const blocks = blocksOf(page);
const address = 'http://127.0.0.1:3000';

let service: TestService;
let key = '';
beforeAll(async () => {
  service = await startTestService({ environment: { LEI_LIMITS: 'enforce' } });
  key = (await createAccount(service.dataDir, 'reader@example.com')).secret;
});
afterAll(() => service.stop());

/** What runs a program; a file of it where it is more than a line. */
function commandFor({ language, program }: Block): readonly string[] {
  const here = program.replaceAll(address, service.baseUrl);
  if (language === 'console') return ['sh', '-c', here];
  const path = join(temporaryFolder('docs'), language === 'js' ? 'program.mjs' : 'program.py');
  writeFileSync(path, here);
  return [language === 'js' ? process.execPath : 'python3', path];
}

async function outputOf(block: Block): Promise<string> {
  const running = Bun.spawn([...commandFor(block)], {
    cwd: root,
    env: { ...process.env, LEI_DATA_DIR: service.dataDir, LEI_KEY: key, PYTHONIOENCODING: 'utf-8' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [output, messages] = await Promise.all([
    new Response(running.stdout).text(),
    new Response(running.stderr).text(),
  ]);
  expect(await running.exited, `line ${block.line}: ${messages}`).toBe(0);
  return output.replaceAll(service.baseUrl, address);
}

test('the page has commands and programs, each with what it prints', () => {
  expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(['console', 'js', 'python']));
  expect(blocks.filter(({ printed }) => printed === null)).toEqual([]);
});

const there = { console: Bun.which('curl'), js: process.execPath, python: Bun.which('python3') };

for (const block of blocks) {
  test.skipIf(there[block.language] === null)(
    `the ${block.language} of line ${block.line} prints what the page shows`,
    async () => {
      const output = await outputOf(block);
      expect(isShown(block.printed ?? '', output), `shown: ${block.printed}\nprinted: ${output}`).toBe(true);
    },
  );
}
