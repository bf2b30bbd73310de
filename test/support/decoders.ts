import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Coding } from '../../src/protocol/questions.ts';

/** Reads a body in each coding that the service sends. */
export const decoders: Readonly<Record<Coding, (coded: Uint8Array) => Buffer>> = {
  zstd: (coded) => zstdDecompressSync(coded),
  br: (coded) => brotliDecompressSync(coded),
  gzip: (coded) => gunzipSync(coded),
};

/** The decoder of a `Content-Encoding`; null for ''. @throws an Error for a coding that the service does not send */
export function decoderOf(coding: string): ((coded: Uint8Array) => Buffer) | null {
  if (coding === '') return null;
  const decode = Object.entries(decoders).find(([name]) => name === coding)?.[1];
  if (decode === undefined) throw new Error(`the service has no coding ${coding}`);
  return decode;
}
