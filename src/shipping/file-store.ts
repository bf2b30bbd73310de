/** Stores objects in a folder: a disk that all nodes see, or the folder that a web server serves. */
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { isMissing } from '../errors.ts';
import { holdLock, LockHeld } from '../publication/lock.ts';
import { unfinished } from '../publication/unfinished.ts';
import { shippingLimits } from './limits.ts';
import { checkLength, type ListedObject, type WritableStore } from './object-store.ts';
import { digestOf } from './segments.ts';

export function fileStore(folder: string): WritableStore {
  const address = `file://${folder}`;
  const read: WritableStore['read'] = async (name, bytesMax) => {
    try {
      const path = join(folder, name);
      checkLength(address, name, (await stat(path)).size, bytesMax);
      const bytes = new Uint8Array(await readFile(path));
      return { bytes, tag: digestOf(bytes) };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };
  const write = (name: string, bytes: Uint8Array) => writeWhole(join(folder, name), bytes);
  return {
    address,
    read,
    write,
    list: (prefix) => listBelow(folder, prefix),
    async replace(name, bytes, tag) {
      const unlock = await lockWhenFree(join(folder, `${name}.lock`));
      try {
        const present = await read(name, Number.POSITIVE_INFINITY);
        if ((present?.tag ?? null) !== tag) return false;
        await write(name, bytes);
        return true;
      } finally {
        unlock();
      }
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
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

async function listBelow(folder: string, prefix: string): Promise<ReadonlyMap<string, ListedObject>> {
  const listed = new Map<string, ListedObject>();
  let names: string[];
  try {
    names = await readdir(join(folder, prefix), { recursive: true });
  } catch (error) {
    if (isMissing(error)) return listed;
    throw error;
  }
  for (const name of names) {
    const path = join(folder, prefix, name);
    const facts = await stat(path);
    if (facts.isFile() && !name.includes('.tmp-')) {
      listed.set(relative(folder, path), { bytes: facts.size, writtenAt: facts.mtimeMs });
    }
  }
  return listed;
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
