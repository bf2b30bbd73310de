/** Reads files of any size completely: to digest them, and to make the kernel keep them in memory. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const blockBytes = 1024 * 1024;

/**
 * Reads a file block by block, in the background. All reads share one buffer; a stream would make one for each.
 * @param take a block is valid only during the call
 * @returns how many bytes were read: all, unless `aborted` came before
 * @throws if the file can't be read
 */
export async function readThrough(
  path: string,
  aborted: AbortSignal | null,
  take?: (block: Uint8Array) => void,
): Promise<number> {
  const file = await open(path);
  try {
    const block = Buffer.allocUnsafeSlow(blockBytes);
    let total = 0;
    while (aborted?.aborted !== true) {
      const { bytesRead } = await file.read(block, 0, blockBytes, total);
      if (bytesRead === 0) break;
      take?.(block.subarray(0, bytesRead));
      total += bytesRead;
    }
    return total;
  } finally {
    await file.close();
  }
}

/** SHA-256 of a file, in hexadecimal. */
export async function digestFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await readThrough(path, null, (block) => hash.update(block));
  return hash.digest('hex');
}
