/** Reads a file completely, so that the kernel has it in memory. */
import { open } from 'node:fs/promises';

const blockBytes = 1024 * 1024;

/**
 * Reads a file from end to end, block by block, in the background.
 * @returns how many bytes were read: all, unless `aborted` came before
 * @throws if the file can't be read
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
