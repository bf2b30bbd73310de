/** Mounts small file systems in memory, for tests with full and with read-only disks. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sayNotRun } from './programs.ts';

export interface SmallDisk {
  readonly folder: string;
  /** Writes until the disk is full, or only so many bytes are free. @returns a function that makes room again */
  fill(freeBytes?: number): () => void;
  makeReadOnly(): void;
  makeWritable(): void;
  remove(): void;
}

/** Mounts a small disk; returns null, with a visible message, if this user may not mount one. */
export function smallDisk(megabytes: number): SmallDisk | null {
  const parent = mkdtempSync(join(tmpdir(), 'lei-disk-'));
  const folder = join(parent, 'mount');
  mkdirSync(folder);
  const mount = (...args: readonly string[]) => spawnSync('mount', [...args]).status === 0;
  if (!mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder)) {
    rmSync(parent, { recursive: true });
    sayNotRun(`tests with a disk of ${megabytes} MB: this user may not mount a tmpfs`);
    return null;
  }
  const remount = (mode: 'ro' | 'rw') => {
    if (!mount('-o', `remount,${mode}`, folder)) throw new Error(`${folder} could not be made ${mode}.`);
  };
  return {
    folder,
    fill(freeBytes = 0) {
      const filling = join(folder, 'filling');
      try {
        for (const page = new Uint8Array(4096); ; ) writeFileSync(filling, page, { flag: 'a' });
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      }
      truncateSync(filling, statSync(filling).size - freeBytes);
      return () => rmSync(filling);
    },
    makeReadOnly: () => remount('ro'),
    makeWritable: () => remount('rw'),
    remove() {
      // Lazily: a thread that a test's own process has just ended may still hold a file open.
      spawnSync('umount', ['--lazy', folder]);
      rmSync(parent, { recursive: true });
    },
  };
}
