/** Mounts small file systems in memory, for tests with full and with read-only disks. */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../../src/errors.ts';
import { sayNotRun } from './programs.ts';

export interface SmallDisk {
  readonly folder: string;
  /** Writes until the disk is full, or only so many bytes are free. @returns a function that makes room again */
  fill(freeBytes?: number): () => void;
  /** The environment of a loader that fills the disk as it reports a phase; `makeRoom` makes room again. */
  fillAt(phase: string): Readonly<Record<string, string>>;
  makeRoom(): void;
  makeReadOnly(): void;
  makeWritable(): void;
  remove(): void;
}

const pageBytes = 4096;

function appendUntilFull(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'a');
  try {
    while (writeSync(file, bytes) > 0);
  } catch (error) {
    if (errorCode(error) !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

function fillingOf(folder: string): string {
  return join(folder, 'filling');
}

/** Fills the disk of a folder. */
export function fillDisk(folder: string, freeBytes = 0): void {
  const filling = fillingOf(folder);
  for (const bytes of [2 ** 20, pageBytes]) appendUntilFull(filling, new Uint8Array(bytes));
  truncateSync(filling, statSync(filling).size - freeBytes);
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
  const makeRoom = () => rmSync(fillingOf(folder));
  return {
    folder,
    fill(freeBytes) {
      fillDisk(folder, freeBytes);
      return makeRoom;
    },
    fillAt: (phase) => ({
      BUN_OPTIONS: `--preload=${join(import.meta.dir, 'fills-disk.ts')}`,
      FILL_AT: phase,
      FILL_FOLDER: folder,
    }),
    makeRoom,
    makeReadOnly: () => remount('ro'),
    makeWritable: () => remount('rw'),
    remove() {
      // Lazily: a thread that a test's own process has just ended may still hold a file open.
      spawnSync('umount', ['--lazy', folder]);
      rmSync(parent, { recursive: true });
    },
  };
}
