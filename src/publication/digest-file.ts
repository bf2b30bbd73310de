/** SHA-256 digests of files. */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const bytesPerRead = 1024 * 1024;

/** SHA-256 of a file of any size, in hexadecimal. All reads share one buffer; a stream would make one for each. */
export async function digestFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path);
  try {
    const buffer = Buffer.allocUnsafeSlow(bytesPerRead);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, bytesPerRead);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
