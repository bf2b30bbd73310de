/** Reads a file as given, as a stream of chunks, and checks whether it is still the same file afterwards. */
import { open, stat } from 'node:fs/promises';
import { errorCode } from '../../../errors.ts';
import { FileRefusal } from '../file-reader.ts';

/** What changes when somebody writes to a file or replaces it. */
export interface FileIdentity {
  readonly bytes: number;
  readonly modifiedMs: number;
  readonly inode: number;
}

const chunkBytes = 256 * 1024;

/** @throws FileRefusal where there is no readable file */
export async function identify(path: string): Promise<FileIdentity> {
  const found = await attempt(() => stat(path));
  if (found.isDirectory()) throw new FileRefusal('is a directory; name the files in it');
  if (!found.isFile()) throw new FileRefusal('is not a regular file');
  return { bytes: found.size, modifiedMs: found.mtimeMs, inode: found.ino };
}

/** @throws FileRefusal if the file is no longer as it was */
export async function refuseIfChanged(path: string, before: FileIdentity): Promise<void> {
  const now = await identify(path);
  const same =
    now.bytes === before.bytes && now.modifiedMs === before.modifiedMs && now.inode === before.inode;
  if (!same) throw new FileRefusal('changed while it was read; load it again when nothing writes to it');
}

/** The bytes of a file from its beginning; each chunk belongs to the receiver. */
export async function* fileChunks(path: string): AsyncGenerator<Buffer> {
  const file = await attempt(() => open(path, 'r'));
  try {
    for (;;) {
      const buffer = Buffer.allocUnsafeSlow(chunkBytes);
      const { bytesRead } = await attempt(() => file.read(buffer, 0, chunkBytes));
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Passes a failure of the file system on in the operator's words. */
async function attempt<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw new FileRefusal(reasons[errorCode(error)] ?? `can't be read: ${error}`);
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'does not exist',
  EACCES: "can't be read by this user",
  EPERM: "can't be read by this user",
  EISDIR: 'is a directory; name the files in it',
  ENOTDIR: 'does not exist: a part of the path is not a directory',
};
