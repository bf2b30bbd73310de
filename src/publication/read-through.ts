/** Reads a file for nothing but its being in the kernel's memory afterwards. */
import { open } from 'node:fs/promises';

const blockBytes = 1024 * 1024;

/**
 * Reads a file from one end to the other, block by block, off the thread that asks for it.
 * @returns how many bytes were read: all, unless `aborted` came before
 * @throws where the file can't be read
 */
export async function readThrough(path: string, aborted: AbortSignal): Promise<number> {
  const file = await open(path);
  try {
    const block = Buffer.allocUnsafeSlow(blockBytes);
    let total = 0;
    while (!aborted.aborted) {
      const { bytesRead } = await file.read(block, 0, blockBytes, total);
      if (bytesRead === 0) break;
      total += bytesRead;
    }
    return total;
  } finally {
    await file.close();
  }
}
