/** Runs the command line and the service of one compared checkout. */

import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { leiHere } from '../support/lei-here.ts';
import { endOf } from '../support/run-lei.ts';

/** Common settings of the compared services. Each group of requests has its own client address. */
const environment = {
  LEI_PORT: '0',
  LEI_WORKERS: '1',
  LEI_SAMPLE: 'off',
  LEI_LOG_LEVEL: 'warn',
  LEI_BASE_URL: 'http://compare.test',
  LEI_TRUSTED_PROXIES: '127.0.0.1/32',
  LEI_CURSOR_SECRET: 'the same in every service that is compared',
};

/** When the publication of a comparison was activated. */
const activatedAt = '2026-11-01T08:00:00Z';

/** The checkout of this program: its commands need no process of their own. */
export const ownRoot = join(import.meta.dir, '..', '..');

/** Runs a command of the checkout at `root`. @returns its standard output */
export async function lei(root: string, dataDir: string, ...args: readonly string[]): Promise<string> {
  const settings = { ...environment, LEI_DATA_DIR: dataDir };
  const run = root === ownRoot ? leiHere(settings, args) : leiApart(root, settings, args);
  const { code, stdout, stderr } = await run;
  if (code === 0) return stdout;
  throw new Error(`${root}: lei ${args.join(' ')} failed: ${stderr}`);
}

function leiApart(root: string, settings: Readonly<Record<string, string>>, args: readonly string[]) {
  const ran = Bun.spawn([process.execPath, join(root, 'src', 'cli.ts'), ...args], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  return endOf(ran);
}

export interface Running {
  readonly port: number;
  stop(): Promise<void>;
}

/** Serves a copy of a data folder. */
export async function serveCopy(root: string, dataDir: string, copy: string): Promise<Running> {
  cpSync(dataDir, copy, { recursive: true });
  settleActivation(copy);
  const clock = join(import.meta.dir, 'fixed-clock.ts');
  const running = Bun.spawn(
    [process.execPath, '--preload', clock, join(root, 'src', 'cli.ts'), 'serve', '--json'],
    {
      cwd: root,
      env: { ...process.env, ...environment, LEI_DATA_DIR: copy },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    },
  );
  const port = await portIn(running.stdout);
  return {
    port,
    async stop() {
      running.kill('SIGTERM');
      await running.exited;
    },
  };
}

/** Gives every activation the same time, which Last-Modified and the status show. */
function settleActivation(dataDir: string): void {
  if (!readdirSync(dataDir).includes('active.json')) return;
  const path = join(dataDir, 'active.json');
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/("activatedAt": ")[^"]+/g, `$1${activatedAt}`));
}

async function portIn(output: ReadableStream<Uint8Array>): Promise<number> {
  let text = '';
  for await (const piece of output) {
    text += Buffer.from(piece).toString();
    const port = /"url":\s*"[^"]*:(\d+)"/.exec(text)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error(`A service ended before it listened: ${text}`);
}
