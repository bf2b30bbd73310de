import { describe, expect, test } from 'bun:test';
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { withLoadLock } from '../../../src/loader/command/load-lock.ts';
import { layout } from '../../../src/publication/layout.ts';
import { lookAt } from '../../../src/publication/lock.ts';
import { temporaryFolder } from '../../support/folders.ts';

const contender = join(import.meta.dir, 'contender.ts');

function startContender(dataDir: string) {
  return Bun.spawn([process.execPath, contender, dataDir, '200'], { stdout: 'ignore', stderr: 'inherit' });
}

/** A program that takes the lock, says so, and keeps it. */
function holdForEver(dataDir: string): string {
  const module = (name: string) => JSON.stringify(join(import.meta.dir, '..', '..', '..', 'src', name));
  return `
    const { withLoadLock } = await import(${module('loader/command/load-lock.ts')});
    const { layout } = await import(${module('publication/layout.ts')});
    await withLoadLock(layout(${JSON.stringify(dataDir)}), async () => {
      console.log('held');
      await new Promise(() => setInterval(() => {}, 1000));
    });`;
}

describe('the load lock', () => {
  test('is held by one process at a time, even if several want it at once', async () => {
    const dataDir = temporaryFolder('locking');
    const contenders = Array.from({ length: 4 }, () => startContender(dataDir));
    expect(await Promise.all(contenders.map(({ exited }) => exited))).toEqual([0, 0, 0, 0]);
    expect(readdirSync(dataDir)).toEqual(['load.lock']);
  });

  test('names its holder from the first moment, and is gone when the holder ends', async () => {
    const paths = layout(temporaryFolder('locking'));
    await withLoadLock(paths, async () => {
      expect(readdirSync(paths.dataDir)).toEqual(['load.lock']);
      expect(JSON.parse(readFileSync(paths.loadLock, 'utf8'))).toMatchObject({ pid: process.pid });
      await expect(withLoadLock(paths, async () => {})).rejects.toMatchObject({
        code: 'load-running',
        message: expect.stringContaining(`process ${process.pid}`),
      });
    });
    expect(readdirSync(paths.dataDir)).toEqual([]);
  });

  test('does not remove a file that has replaced its own', async () => {
    const paths = layout(temporaryFolder('locking'));
    await withLoadLock(paths, async () => {
      rmSync(paths.loadLock);
      writeFileSync(paths.loadLock, 'of another');
    });
    expect(readFileSync(paths.loadLock, 'utf8')).toBe('of another');
  });

  test('is not held in a copy of its folder', async () => {
    const paths = layout(temporaryFolder('locking'));
    const copy = layout(temporaryFolder('locking'));
    await withLoadLock(paths, async () => {
      cpSync(paths.dataDir, copy.dataDir, { recursive: true });
      expect(await withLoadLock(copy, async () => 'loaded')).toBe('loaded');
    });
  });

  test('stays held when its folder is renamed', async () => {
    const paths = layout(temporaryFolder('locking'));
    const renamed = layout(`${paths.dataDir}-renamed`);
    await withLoadLock(paths, async () => {
      renameSync(paths.dataDir, renamed.dataDir);
      await expect(withLoadLock(renamed, async () => {})).rejects.toMatchObject({ code: 'load-running' });
      renameSync(renamed.dataDir, paths.dataDir);
    });
  });

  test('is held as long as a process in another container lives, although its process id means nothing here', async () => {
    const paths = layout(temporaryFolder('locking'));
    const holding = Bun.spawn([process.execPath, '-e', holdForEver(paths.dataDir)], { stdout: 'pipe' });
    try {
      await holding.stdout.getReader().read();
      const text: Record<string, unknown> = JSON.parse(readFileSync(paths.loadLock, 'utf8'));
      expect(text).toMatchObject({ pid: holding.pid, numbering: expect.stringMatching(/^pid:/) });
      // An id as it could be there: no process here has such a high one.
      const elsewhere = JSON.stringify({ ...text, pid: 99999999, numbering: 'pid:[1]' });
      writeFileSync(paths.loadLock, elsewhere);
      await expect(withLoadLock(paths, async () => {})).rejects.toMatchObject({
        code: 'load-running',
        message: expect.stringContaining('(process 99999999 in another container, since '),
      });
      expect(readFileSync(paths.loadLock, 'utf8')).toBe(elsewhere);
    } finally {
      holding.kill('SIGKILL');
    }
    await holding.exited;
    expect(await withLoadLock(paths, async () => 'loaded')).toBe('loaded');
  });

  test('can be taken if nobody holds it, whatever its file says', async () => {
    const paths = layout(temporaryFolder('locking'));
    mkdirSync(paths.dataDir, { recursive: true });
    // Process 1 always runs, and 0 and below mean groups of processes.
    const texts = [
      '',
      'rubbish',
      ...[1, 0, -1, process.pid].map((pid) => JSON.stringify({ pid, since: '' })),
    ];
    for (const text of texts) {
      writeFileSync(paths.loadLock, text);
      expect(await withLoadLock(paths, async () => readdirSync(paths.dataDir))).toEqual(['load.lock']);
    }
  });

  test('is not refused to a load because another process checks it', async () => {
    const paths = layout(temporaryFolder('locking'));
    mkdirSync(paths.dataDir, { recursive: true });
    writeFileSync(paths.loadLock, '');
    const looker = openSync(paths.loadLock, 'r');
    expect(lookAt(looker)).toBe('locked');
    setTimeout(() => closeSync(looker), 0);
    const begun = Bun.spawn([process.execPath, contender, paths.dataDir, '1'], { stderr: 'inherit' });
    expect(await begun.exited).toBe(0);
  });
});
