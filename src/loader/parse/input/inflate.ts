/** Decompresses a stream with the native zlib. */
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createInflateRaw } from 'node:zlib';
import { reasonOf } from '../../../errors.ts';
import { Refusal } from '../refusal.ts';

/** Large, because every chunk crosses between threads: four times as fast as the default of 16 KiB. */
const chunkSize = 512 * 1024;

export function inflateRaw(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return through(packed, createInflateRaw({ chunkSize }));
}

export function gunzip(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return through(packed, createGunzip({ chunkSize }));
}

/** Ends only after `packed` has ended. If the receiver stops early, `packed` is ended too. */
async function* through(packed: AsyncIterable<Uint8Array>, inflater: Transform): AsyncGenerator<Uint8Array> {
  let failure: unknown;
  const pumped = pipeline(packed, inflater).catch((error: unknown) => {
    failure = error;
  });
  try {
    for await (const chunk of inflater) yield chunk;
    await pumped;
  } catch (error) {
    failure ??= error;
  } finally {
    inflater.destroy();
    await pumped;
  }
  if (failure instanceof Refusal) throw failure;
  if (failure !== undefined)
    throw new Refusal(`its compressed data is truncated or broken: ${reasonOf(failure)}`);
}
