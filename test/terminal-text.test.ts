/**
 * Tests foreign texts that commands print: none moves the cursor, reorders a line, hides a part of it or forges
 * another.
 */
import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { openLocalState } from '../src/accounts/state/local-state.ts';
import { writeZip } from '../src/generate/files/zip-writer.ts';
import { noOwnLimits } from '../src/ports/account-directory.ts';
import { layout } from '../src/publication/layout.ts';
import { safeJson, safeLines } from '../src/terminal-text.ts';
import type { Ran } from './support/commands-by.ts';
import { temporaryFolder } from './support/folders.ts';
import { leiJson, runLei } from './support/lei-here.ts';
import { updateEnvironment } from './support/published-set.ts';
import { publishAnswer, startPublisher } from './support/publisher.ts';
import { runLeiIn } from './support/run-lei.ts';

/** Clears the screen, reorders and hides text, and starts a line that looks like one of ours. */
const hostile = 'a\u001b[2J\u202eb\u200bc\u{e0041}d\u2028e\rf\u009bg\nlei: All is well.';
const shown = 'a\\u001b[2J\\u202eb\\u200bc\\u{e0041}d\\u2028e\\rf\\u009bg\\nlei: All is well.';

const unsafe = /(?!\n)[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u;

function expectSafe({ stdout, stderr }: Ran): void {
  expect(stdout + stderr).not.toMatch(unsafe);
  expect(stdout + stderr).not.toMatch(/^lei: All is well/m);
}

describe('a text for a terminal', () => {
  test('shows unsafe characters as escapes and all others as they are', () => {
    expect(safeLines(hostile)).toBe(shown);
    expect(safeLines('Größe & 株式会社 ~ ١٢ 🏦 é')).toBe('Größe & 株式会社 ~ ١٢ 🏦 é');
  });

  test('has a line for each element of a list and no other', () => {
    expect(safeLines(['one\ntwo', 'three'])).toBe('one\\ntwo\nthree');
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (lines) => {
        const text = safeLines(lines);
        expect(text).not.toMatch(unsafe);
        expect(text.split('\n')).toHaveLength(lines.length);
      }),
    );
  });

  test('is JSON of the same value, with unsafe characters as \\u escapes', () => {
    expect(safeJson({ name: 'a\u202e\u{e0041}\u0085' })).toBe('{"name":"a\\u202e\\udb40\\udc41\\u0085"}');
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(safeJson(value)).not.toMatch(unsafe);
        expect(safeJson(value)).not.toContain('\n');
        expect(JSON.parse(safeJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

test('accounts of an earlier version with hostile texts are listed safely', async () => {
  const dataDir = temporaryFolder('hostile');
  const state = openLocalState(layout(dataDir));
  const applicant = { email: `"${hostile}"@example.com`, company: hostile, use: hostile };
  await state.accounts.create(applicant, noOwnLimits, new Date());
  await state.close();
  const ran = await runLei(dataDir, 'accounts', 'list');
  expectSafe(ran);
  expect(ran.stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(ran.stdout).toContain(shown);
  const machine = await runLei(dataDir, 'accounts', 'list', '--json');
  expectSafe(machine);
  expect(JSON.parse(machine.stdout)).toMatchObject([{ company: hostile }]);
});

test('a member of an archive with a hostile name is reported safely', async () => {
  const dataDir = temporaryFolder('hostile');
  const path = join(dataDir, 'file.zip');
  const member = { name: `${hostile}.csv`, time: 0, large: false };
  await writeZip(path, member, [Buffer.from('LEI,BIC\n')]);
  // The compression method, in the entry of the central directory.
  const archive = readFileSync(path);
  archive.writeUInt16LE(9, archive.lastIndexOf('PK\u0001\u0002') + 10);
  writeFileSync(path, archive);
  const ran = await runLei(dataDir, 'load', path);
  expectSafe(ran);
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('\\u202eb'),
  });
});

const publisher = await startPublisher();
afterAll(() => publisher.stop());

test('hostile texts of a mirror are reported safely', async () => {
  const dataDir = temporaryFolder('hostile');
  const family = { full_file: {} };
  const body = publishAnswer(hostile, { lei2: family, rr: family, repex: family });
  publisher.serve('/publishes/latest', { body });
  const env = { ...process.env, ...updateEnvironment(publisher), LEI_DATA_DIR: dataDir };
  const ran = await runLeiIn(dataDir, env, ['update', '--dry-run']);
  expectSafe(ran);
  expect(ran.stderr).toMatch(/gives the date .*\\u202eb/);
  expect(ran.code).toBe(1);
});

test('an error repeats hostile arguments safely', async () => {
  const dataDir = temporaryFolder('hostile');
  const usage = await runLei(dataDir, 'publications', `--${hostile}`);
  expectSafe({ ...usage, stderr: usage.stderr.replace('lei: All is well.', '') });
  for (const args of [
    ['keys', 'revoke', hostile],
    ['activate', hostile],
    ['load', hostile],
  ]) {
    const ran = await runLei(dataDir, ...args);
    expectSafe(ran);
    expect({ args, code: ran.code }).toEqual({ args, code: 1 });
  }
  const { json } = await leiJson(dataDir, 'keys', 'revoke', hostile);
  expect(JSON.stringify(json)).toContain('All is well');
});
