/** Folders of tests. They stand in one, which is removed when all tests have run: bunfig.toml loads this file first. */
import { afterAll } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = mkdtempSync(join(tmpdir(), 'lei-tests-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A folder that is removed when the tests end. */
export function temporaryFolder(name: string): string {
  // Again, where the runner ends every file as if it were the last.
  mkdirSync(root, { recursive: true });
  return mkdtempSync(join(root, `${name}-`));
}
