/** Stores objects in a folder: a disk that all nodes see, or the folder that a web server serves. */
import type { Dirent } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { clauseOf, isMissing } from '../errors.ts';
import { enterFolder, entryOf, makeFolder } from '../publication/entries.ts';
import { unfinished } from '../publication/files.ts';
import { holdLock, LockHeld } from '../publication/lock.ts';
import { readRegular, UnreadableFile } from '../publication/read-regular.ts';
import { shippingLimits } from './limits.ts';
import {
  damagedObject,
  endOfRead,
  type ListedObject,
  StoreFailure,
  type WritableStore,
} from './object-store.ts';
import { digestOf } from './segments.ts';

export function fileStore(folder: string): WritableStore {
  const address = `file://${folder}`;
  const read: WritableStore['read'] = async (name, bytesMax, signal) => {
    const path = pathIn(folder, name);
    try {
      const bytes = await readRegular(path, bytesMax, endOfRead(signal));
      return { bytes, tag: digestOf(bytes) };
    } catch (error) {
      if (isMissing(error)) return null;
      if (error instanceof UnreadableFile) throw damagedObject(address, name, error.message);
      throw new StoreFailure('unreachable', `${address}: ${name} can't be read: ${clauseOf(error)}.`);
    }
  };
  const write: WritableStore['write'] = async (name, bytes) => {
    await mkdir(folder, { recursive: true });
    await writeWhole(await placeIn(folder, name, makeFolder), bytes);
  };
  return {
    address,
    read,
    write,
    list: (prefix) => listBelow(folder, prefix),
    async replace(name, bytes, tag) {
      const unlock = await lockWhenFree(join(folder, `${name}.lock`));
      try {
        const present = await read(name, shippingLimits.announcementBytesMax);
        if ((present?.tag ?? null) !== tag) return false;
        await write(name, bytes);
        return true;
      } finally {
        unlock();
      }
    },
    async remove(name) {
      await rm(await placeIn(folder, name, enterFolder), { force: true });
    },
  };
}

/** @throws LeadsElsewhere if the name leads out of the folder */
function pathIn(folder: string, name: string): string {
  return name.split('/').reduce(entryOf, folder);
}

/** The path of an object that is written or removed: no folder on the way is a symbolic link. */
async function placeIn(folder: string, name: string, enter: typeof makeFolder): Promise<string> {
  const parts = name.split('/');
  let path = folder;
  for (const part of parts.slice(0, -1)) path = await enter(path, part);
  return entryOf(path, parts.at(-1) ?? '');
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${unfinished(path)}-${crypto.randomUUID()}`;
  try {
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Enters no symbolic links. */
async function listBelow(folder: string, prefix: string): Promise<ReadonlyMap<string, ListedObject>> {
  const listed = new Map<string, ListedObject>();
  for (const entry of await entriesOf(join(folder, prefix))) {
    const name = `${prefix}${entry.name}`;
    if (entry.isDirectory()) for (const each of await listBelow(folder, `${name}/`)) listed.set(...each);
    if (!entry.isFile() || name.includes('.tmp-')) continue;
    const { size, mtimeMs } = await stat(join(folder, name));
    listed.set(name, { bytes: size, writtenAt: mtimeMs });
  }
  return listed;
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Waits for another writer of the same machine. @throws LockHeld after {@link shippingLimits.lockWaitMs} */
async function lockWhenFree(path: string): Promise<() => void> {
  const end = performance.now() + shippingLimits.lockWaitMs;
  for (;;) {
    try {
      return holdLock(path, 'announcement');
    } catch (error) {
      if (!(error instanceof LockHeld) || performance.now() > end) throw error;
      await Bun.sleep(50);
    }
  }
}
