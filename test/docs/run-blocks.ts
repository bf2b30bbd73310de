/** Runs the blocks of a documentation page as a reader would. */

import { expect } from 'bun:test';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/folders.ts';
import { endOf } from '../support/run-lei.ts';
import { root } from '../support/source-tree.ts';
import { type Block, isShown } from './blocks.ts';

/** What a block needs in addition to its text. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string>>;
  /** An address on the page, and the one that replaces it here. */
  readonly address?: { readonly shown: string; readonly real: string };
  /** Shell code before every command of a console block. */
  readonly prelude?: string;
  /** The project's folder, or a {@link checkout}. */
  readonly folder?: string;
}

/** The interpreter of each language; null if this machine lacks it. */
export const runners = { console: Bun.which('curl'), js: process.execPath, python: Bun.which('python3') };

/** Runs a block and expects that it succeeds and prints what the page shows. */
export async function runBlock(block: Block, surroundings: Surroundings): Promise<void> {
  const output = await outputOf(block, surroundings);
  expect(isShown(block.printed ?? '', output), `shown: ${block.printed}\nprinted: ${output}`).toBe(true);
}

async function outputOf(block: Block, surroundings: Surroundings): Promise<string> {
  const { shown, real } = surroundings.address ?? { shown: '', real: '' };
  const running = Bun.spawn([...commandFor(block, surroundings)], {
    cwd: surroundings.folder ?? root,
    env: bareEnvironment(surroundings),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const { code, stdout, stderr } = await endOf(running);
  expect(code, `line ${block.line}: ${stderr}`).toBe(0);
  return real === '' ? stdout : stdout.replaceAll(real, shown);
}

/** What a new shell has, and nothing that this run of the tests has set. */
function bareEnvironment({ environment, folder }: Surroundings) {
  const home = folder === undefined ? process.env['HOME'] : join(folder, 'home');
  return { PATH: process.env['PATH'], HOME: home, PYTHONIOENCODING: 'utf-8', ...environment };
}

/**
 * A folder like that of the project, with a home folder in it, in which blocks may write.
 * @param dataDir what its folder `data` is; by default an own one with the bundled sample
 */
export function checkout(dataDir?: string): string {
  const folder = temporaryFolder('checkout');
  mkdirSync(join(folder, 'home'));
  for (const each of ['src', 'workers', 'node_modules']) symlinkSync(join(root, each), join(folder, each));
  for (const each of ['package.json', 'package-lock.json']) cpSync(join(root, each), join(folder, each));
  if (dataDir === undefined)
    cpSync(join(root, 'data/sample'), join(folder, 'data/sample'), { recursive: true });
  else symlinkSync(dataDir, join(folder, 'data'));
  return folder;
}

/** The command line for a block; a longer program gets its own file. */
function commandFor({ language, program }: Block, { address, prelude = '' }: Surroundings): string[] {
  const here = address === undefined ? program : program.replaceAll(address.shown, address.real);
  if (language === 'console') return ['sh', '-c', `${prelude}\n${here}`];
  const path = join(temporaryFolder('docs'), language === 'js' ? 'program.mjs' : 'program.py');
  writeFileSync(path, here);
  return [language === 'js' ? process.execPath : 'python3', path];
}
