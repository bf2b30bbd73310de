/** Compresses a finished body, in a query thread because a large one would block the front. */
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import type { Coding } from '../protocol/questions.ts';

/** Fast levels, because a body is compressed for one answer and not kept. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const gzipOptions = { level: 6 };
const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** The bytes in the given content coding. */
export function compress(coding: Coding, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  switch (coding) {
    case 'zstd':
      return zstdCompressSync(bytes, zstdOptions);
    case 'br':
      return brotliCompressSync(bytes, brotliOptions);
    case 'gzip':
      return gzipSync(bytes, gzipOptions);
  }
}
