/**
 * Makes the tests' temporary folders, all in one folder that is removed after the last test. bunfig.toml preloads this
 * file.
 */
import { afterAll } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
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

/** The folder that all files of a run share; test/run.sh makes and removes it. Otherwise each file has its own. */
const shared = process.env['TESTS_SHARED'] ?? join(root, 'shared');

/** Those that are being filled, by name. */
const filling = new Map<string, Promise<void>>();

/** A folder with what many test files need alike, filled by the first that asks for it. Nobody may change it. */
export async function sharedFolder(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(shared, name);
  if (!existsSync(folder)) {
    const filled = filling.get(name) ?? fillShared(folder, name, fill).finally(() => filling.delete(name));
    filling.set(name, filled);
    await filled;
  }
  return folder;
}

/** The folder appears whole. */
async function fillShared(
  folder: string,
  name: string,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = temporaryFolder(name);
  await fill(draft);
  mkdirSync(shared, { recursive: true });
  try {
    renameSync(draft, folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
  }
}
