import { describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLoadLock } from '../../../src/loader/command/load-lock.ts';
import { layout } from '../../../src/publication/layout.ts';
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
  test('is held by one process at a time, also where several take over what a dead one left', async () => {
    const dataDir = temporaryFolder('locking');
    const contenders = Array.from({ length: 4 }, () => startContender(dataDir));
    expect(await Promise.all(contenders.map(({ exited }) => exited))).toEqual([0, 0, 0, 0]);
    expect(readdirSync(dataDir)).toEqual(['load.lock']);
  }, 30_000);

  test('names its holder from its first moment, and is gone with it', async () => {
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

  test('of another stays where it is when a holder is done', async () => {
    const paths = layout(temporaryFolder('locking'));
    await withLoadLock(paths, async () => writeFileSync(paths.loadLock, 'of another'));
    expect(readFileSync(paths.loadLock, 'utf8')).toBe('of another');
  });

  test('that was copied with its folder while it was held is held by nobody there', async () => {
    const paths = layout(temporaryFolder('locking'));
    const copy = layout(temporaryFolder('locking'));
    await withLoadLock(paths, async () => {
      cpSync(paths.dataDir, copy.dataDir, { recursive: true });
      expect(await withLoadLock(copy, async () => 'loaded')).toBe('loaded');
    });
  });

  test('stays held where its folder is renamed', async () => {
    const paths = layout(temporaryFolder('locking'));
    const renamed = layout(`${paths.dataDir}-renamed`);
    await withLoadLock(paths, async () => {
      renameSync(paths.dataDir, renamed.dataDir);
      await expect(withLoadLock(renamed, async () => {})).rejects.toMatchObject({ code: 'load-running' });
      renameSync(renamed.dataDir, paths.dataDir);
    });
  });

  test('of a number that another process has now is taken over, whoever that one belongs to', async () => {
    const paths = layout(temporaryFolder('locking'));
    await withLoadLock(paths, async () => {
      const own: Record<string, unknown> = JSON.parse(readFileSync(paths.loadLock, 'utf8'));
      // Process 1 belongs to the system, and began at another time.
      writeFileSync(paths.loadLock, JSON.stringify({ ...own, pid: 1 }));
      expect(await withLoadLock(paths, async () => 'loaded')).toBe('loaded');
    });
  });

  test('of a process in another container, whose number says nothing here, is held for as long as it lives', async () => {
    const paths = layout(temporaryFolder('locking'));
    const holding = Bun.spawn([process.execPath, '-e', holdForEver(paths.dataDir)], { stdout: 'pipe' });
    try {
      await holding.stdout.getReader().read();
      const text: Record<string, unknown> = JSON.parse(readFileSync(paths.loadLock, 'utf8'));
      expect(text).toMatchObject({ pid: holding.pid, numbering: expect.stringMatching(/^pid:/) });
      // As it would stand there: no process here has so high a number.
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

  test('is taken over where it names nobody, and where whoever took over before was killed at it', async () => {
    const paths = layout(temporaryFolder('locking'));
    mkdirSync(paths.dataDir, { recursive: true });
    for (const name of ['load.lock', 'load.lock.takeover']) writeFileSync(join(paths.dataDir, name), '');
    expect(await withLoadLock(paths, async () => readdirSync(paths.dataDir))).toEqual(['load.lock']);
    await withLoadLock(paths, async () => {
      const own: Record<string, unknown> = JSON.parse(readFileSync(paths.loadLock, 'utf8'));
      // To the system, 0 and below are groups of processes, of which there is always one.
      for (const pid of [0, -1]) {
        writeFileSync(paths.loadLock, JSON.stringify({ ...own, pid }));
        expect(await withLoadLock(paths, async () => 'loaded')).toBe('loaded');
      }
    });
  });

  test('of a process that has ended is taken over before its parent has asked how it ended', async () => {
    const paths = layout(temporaryFolder('locking'));
    const read = (pid: number, what: string) => readFileSync(`/proc/${pid}/${what}`, 'utf8').trim();
    const stat = (pid: number) => read(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
    // The shell becomes a program that never asks for its child, which ends with its input.
    const program = 'exec 3<&0; cat <&3 & echo $!; exec sleep 1000';
    const parent = Bun.spawn(['sh', '-c', program], { stdin: 'pipe', stdout: 'pipe' });
    try {
      const { value } = await parent.stdout.getReader().read();
      const pid = Number(new TextDecoder().decode(value));
      while (read(parent.pid, 'comm') !== 'sleep') await new Promise(setImmediate);
      await parent.stdin.end();
      while (stat(pid)[0] !== 'Z') await new Promise(setImmediate);
      mkdirSync(paths.dataDir, { recursive: true });
      const { dev, ino } = statSync(paths.dataDir);
      const folder = `${dev}:${ino}`;
      const holder = { pid, began: stat(pid)[19], since: '2024-05-04T00:00:00Z', folder };
      writeFileSync(paths.loadLock, JSON.stringify(holder));
      expect(await withLoadLock(paths, async () => 'loaded')).toBe('loaded');
    } finally {
      parent.kill();
    }
  });
});
