/** Packs a finished body for a client that accepts it; here because a large one would hold up the front. */
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { bytesOf, type Octets } from '../protocol/octets.ts';
import type { Coding } from '../protocol/questions.ts';

/** Levels that pack fast: a body is packed once per answer, never kept. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const gzipOptions = { level: 6 };
const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };

/** The octets in the given content coding, in a buffer of their own that may be handed over. */
export function compress(coding: Coding, body: Octets): Uint8Array<ArrayBuffer> {
  // A view of a shared pool would drag the whole pool across the thread boundary.
  return new Uint8Array(pack(coding, bytesOf(body)));
}

function pack(coding: Coding, bytes: Buffer): Buffer {
  switch (coding) {
    case 'zstd':
      return zstdCompressSync(bytes, zstdOptions);
    case 'br':
      return brotliCompressSync(bytes, brotliOptions);
    case 'gzip':
      return gzipSync(bytes, gzipOptions);
  }
}
