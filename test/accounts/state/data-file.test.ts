import { beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DamagedState, refuseDamage } from '../../../src/accounts/state/data-file.ts';
import { openLocalState } from '../../../src/accounts/state/local-state.ts';
import { noOwnLimits } from '../../../src/ports/account-directory.ts';
import { layout } from '../../../src/publication/layout.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { leiJson, runLei } from '../../support/run-lei.ts';

const pageBytes = 4096;

let folder: string;
let path: string;

beforeEach(async () => {
  folder = temporaryFolder('state');
  path = join(layout(folder).state, 'data.mdb');
  const store = openLocalState(layout(folder));
  const applicant = { email: 'ada@example.com', company: 'Analytical Engines', use: 'Tests' };
  await store.accounts.create(applicant, noOwnLimits, new Date('2026-11-21T12:00:00Z'));
  await store.close();
});

/** Fills a stretch of the file with zeros. */
function wipe(start: number, end: number): void {
  writeFileSync(path, readFileSync(path).fill(0, start, Math.min(end, statSync(path).size)));
}

describe('a state', () => {
  test.each([
    ['has lost its first page', () => wipe(0, pageBytes)],
    ['has lost its second page', () => wipe(pageBytes, 2 * pageBytes)],
    ['holds something else', () => writeFileSync(path, 'no database\n'.repeat(5_000))],
    ['was cut off within its first page', () => truncateSync(path, 100)],
    ['was cut off within its second page', () => truncateSync(path, pageBytes + 100)],
    ['was cut off after its first two pages', () => truncateSync(path, 2 * pageBytes)],
  ])('whose file %s is refused before lmdb reads it', (_, damage) => {
    damage();
    expect(() => openLocalState(layout(folder))).toThrow(DamagedState);
  });

  /** Offsets in lmdb's meta page: its kind, its magic number, its version, the page size. */
  test.each([18, 24, 28, 48])('whose first page has something else at byte %i is refused', (at) => {
    writeFileSync(path, readFileSync(path).fill(0, at, at + 4));
    expect(() => openLocalState(layout(folder))).toThrow(DamagedState);
  });

  const roots = [88, 136, pageBytes + 88, pageBytes + 136];
  const withRoots = (page: bigint, places: readonly number[]) => {
    const bytes = readFileSync(path);
    for (const at of places) bytes.writeBigUInt64LE(page, at);
    writeFileSync(path, bytes);
  };

  test.each(roots)('whose tree at byte %i begins past the end of the file is reported as cut short', (at) => {
    withRoots(BigInt(statSync(path).size / pageBytes), [at]);
    expect(() => refuseDamage(layout(folder).state)).toThrow('it is truncated');
  });

  test('that is still empty is not reported as cut short', () => {
    withRoots(2n ** 64n - 1n, roots);
    expect(() => refuseDamage(layout(folder).state)).not.toThrow();
  });

  test.each([
    ['was cut short', () => truncateSync(path, 2 * pageBytes), 'it is truncated'],
    ['has lost all but its first two pages', () => wipe(2 * pageBytes, 2 ** 30), 'MDB_CORRUPTED: '],
  ])('whose file %s makes a command name the file and the way out', async (_, damage, fault) => {
    damage();
    const { code, json } = await leiJson(folder, 'accounts', 'list');
    expect(code).toBe(1);
    const message = expect.stringContaining(`${path} is damaged: ${fault}`);
    expect(json).toEqual({ error: { code: 'state-damaged', message } });
    expect(JSON.stringify(json)).toContain(
      `move ${layout(folder).state} away and restore the accounts from a backup with lei accounts restore.`,
    );
  });

  test('that is damaged stops a service from starting, with a message instead of a stack trace', async () => {
    wipe(0, pageBytes);
    const { code, stderr } = await runLei(folder, 'serve');
    expect(code).toBe(1);
    expect(stderr).toContain(`lei: ${path} is damaged: `);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  test('whose file lmdb has created and not written is opened as a new one', async () => {
    truncateSync(path, 0);
    const store = openLocalState(layout(folder));
    expect(store.accounts.list()).toEqual([]);
    await store.close();
  });
});
