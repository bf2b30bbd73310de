/**
 * Makes the tests' temporary folders, all in one folder that is removed after the last test. bunfig.toml preloads this
 * file.
 */
import { afterAll } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = mkdtempSync(join(tmpdir(), 'lei-tests-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Makes a folder that is removed when the tests end. */
export function temporaryFolder(name: string): string {
  // Created again, because the runner calls afterAll after every file.
  mkdirSync(root, { recursive: true });
  return mkdtempSync(join(root, `${name}-`));
}
