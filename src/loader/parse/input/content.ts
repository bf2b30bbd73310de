/** Reads the content of a file: uncompressed, or from its zip or gzip compression. */
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createGunzip, createInflateRaw } from 'node:zlib';
import { reasonOf } from '../../../errors.ts';
import { FileRefusal, limits } from '../file-reader.ts';
import { binaryFormatBytes, binaryFormatOf } from './binary-formats.ts';
import { type FileIdentity, fileChunks } from './file.ts';
import { readZipMember, type ZipMember } from './zip.ts';

export interface FileContent {
  /** Name of the archive's member; null if the file is not an archive. */
  readonly member: string | null;
  /** Whether the file is an archive or compressed. */
  readonly packed: boolean;
  /**
   * The uncompressed bytes from the beginning; a chunk may be overwritten once the next is requested.
   * @param onPacked receives each chunk of the file as given, compressed or not, up to its end
   */
  chunks(onPacked: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array>;
}

/** Digests and counts the bytes of a file as given; pass {@link GivenBytes.take} to {@link FileContent.chunks}. */
export class GivenBytes {
  readonly #hash = new Bun.CryptoHasher('sha256');
  #count = 0;

  readonly take = (chunk: Uint8Array): void => {
    this.#hash.update(chunk);
    this.#count += chunk.length;
  };

  get count(): number {
    return this.#count;
  }

  /** In hexadecimal. Call it once. */
  sha256(): string {
    return this.#hash.digest('hex');
  }
}

/** @throws FileRefusal if the compression is broken from the start */
export async function openContent(path: string, identity: FileIdentity): Promise<FileContent> {
  const format = binaryFormatOf(await beginning(fileChunks(path), binaryFormatBytes));
  if (format === 'gzip') return gzipContent(path, identity);
  if (format === 'zip') return zipContent(path, await readZipMember(path));
  return { member: null, packed: false, chunks: (onPacked) => observed(fileChunks(path), onPacked) };
}

/** The first bytes of a stream, which is then ended; fewer if it has fewer. */
export async function beginning(chunks: AsyncGenerator<Uint8Array>, bytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    parts.push(Uint8Array.prototype.slice.call(chunk));
    length += chunk.length;
    if (length >= bytes) break;
  }
  return Buffer.concat(parts).subarray(0, bytes);
}

function gzipContent(path: string, identity: FileIdentity): FileContent {
  return {
    member: null,
    packed: true,
    chunks: (onPacked) =>
      bounded(inflated(observed(fileChunks(path), onPacked), createGunzip({ chunkSize })), identity.bytes),
  };
}

function zipContent(path: string, member: ZipMember): FileContent {
  refuseBomb(member.unpackedBytes, member.packedBytes);
  return {
    member: member.name,
    packed: true,
    chunks: (onPacked) => {
      const packed = memberBytes(observed(fileChunks(path), onPacked), member);
      return verified(member.deflated ? inflated(packed, createInflateRaw({ chunkSize })) : packed, member);
    },
  };
}

async function* observed(chunks: AsyncGenerator<Uint8Array>, onPacked: (chunk: Uint8Array) => void) {
  for await (const chunk of chunks) {
    onPacked(chunk);
    yield chunk;
  }
}

/** The compressed bytes of a member; reads on to the end of the archive, which is part of the file's digest. */
async function* memberBytes(chunks: AsyncGenerator<Uint8Array>, member: ZipMember) {
  const end = member.start + member.packedBytes;
  let at = 0;
  for await (const chunk of chunks) {
    const from = Math.max(member.start - at, 0);
    const to = Math.min(end - at, chunk.length);
    if (from < to) yield chunk.subarray(from, to);
    at += chunk.length;
  }
}

/** Large, because every chunk crosses between threads: four times as fast as the default of 16 KiB. */
const chunkSize = 512 * 1024;

/** Ends only after `packed` has ended. If the receiver stops early, `packed` is ended too. */
async function* inflated(packed: AsyncIterable<Uint8Array>, inflater: Transform): AsyncGenerator<Uint8Array> {
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
  if (failure instanceof FileRefusal) throw failure;
  if (failure !== undefined)
    throw new FileRefusal(`its compressed data is truncated or broken: ${reasonOf(failure)}`);
}

/** Refuses a content that differs from the archive's directory. */
async function* verified(chunks: AsyncGenerator<Uint8Array>, member: ZipMember) {
  let length = 0;
  let checksum = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > member.unpackedBytes) break;
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (length !== member.unpackedBytes) {
    throw new FileRefusal(
      `its member ${member.name} unpacks to ${length > member.unpackedBytes ? 'more' : 'fewer'} bytes than the ` +
        `${member.unpackedBytes} that the archive states: it is truncated or broken`,
    );
  }
  if (checksum !== member.crc32) {
    throw new FileRefusal(`its member ${member.name} has a wrong CRC: the archive is damaged`);
  }
}

/** For compressions that don't state the uncompressed size beforehand. */
async function* bounded(chunks: AsyncGenerator<Uint8Array>, packedBytes: number) {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    refuseBomb(length, packedBytes);
    yield chunk;
  }
}

function refuseBomb(unpackedBytes: number, packedBytes: number): void {
  if (unpackedBytes > limits.sourceUnpackedBytesMax) {
    throw new FileRefusal(
      `unpacks to more than ${limits.sourceUnpackedBytesMax} bytes (limit sourceUnpackedBytesMax)`,
    );
  }
  const large = unpackedBytes > limits.sourceUnpackRatioFromBytes;
  if (large && unpackedBytes > packedBytes * limits.sourceUnpackRatioMax) {
    throw new FileRefusal(
      `unpacks to more than ${limits.sourceUnpackRatioMax} times its size (limit sourceUnpackRatioMax), ` +
        'as no real file does: it looks like a zip bomb',
    );
  }
}
