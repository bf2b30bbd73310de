/**
 * A zip archive of one member, written as a stream: the publisher's containers. Node has deflate but no zip
 * writer; this one knows its only member's sizes at the end and then completes the header it left open, so the
 * archive needs no data descriptor and every reader can check it. Times in it are given, never the clock's.
 */
import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';

const max32 = 0xffffffff;
const extraLength = 20;

export interface ZipMember {
  readonly name: string;
  /** Seconds since 1970, UTC. */
  readonly time: number;
  /** Members that may pass 4 GiB get Zip64 sizes from the start, since the header's length is fixed by then. */
  readonly large: boolean;
}

export interface ZipResult {
  /** Uncompressed. */
  readonly bytes: number;
  readonly packedBytes: number;
}

interface Sizes {
  crc: number;
  bytes: number;
  packed: number;
}

/** @throws where a member not announced as large passes 4 GiB, and on any fault of the disk */
export async function writeZip(
  path: string,
  member: ZipMember,
  chunks: Iterable<Uint8Array>,
): Promise<ZipResult> {
  const file = await open(path, 'w');
  try {
    const sizes: Sizes = { crc: 0, bytes: 0, packed: 0 };
    const local = localHeader(member, sizes);
    await file.write(local, 0, local.length, 0);
    await deflateInto(file, local.length, chunks, sizes);
    if (!member.large && Math.max(sizes.bytes, sizes.packed) >= max32) {
      throw new RangeError(`${member.name} passed 4 GiB without having been announced as large`);
    }
    const end = Buffer.concat(ending(member, sizes, local.length + sizes.packed));
    await file.write(end, 0, end.length, local.length + sizes.packed);
    const complete = localHeader(member, sizes);
    await file.write(complete, 0, complete.length, 0);
    return { bytes: sizes.bytes, packedBytes: local.length + sizes.packed + end.length };
  } finally {
    await file.close();
  }
}

/** Deflates one chunk on zlib's thread while the next is being made: both cores work. */
async function deflateInto(
  file: FileHandle,
  start: number,
  chunks: Iterable<Uint8Array>,
  sizes: Sizes,
): Promise<void> {
  const deflate = createDeflateRaw({ level: 6, chunkSize: 256 * 1024 });
  const output = writeOutput(file, start, deflate, sizes);
  let working: Promise<void> = Promise.resolve();
  for (const chunk of chunks) {
    sizes.crc = crc32(chunk, sizes.crc);
    sizes.bytes += chunk.length;
    await working;
    working = new Promise((resolve, reject) => {
      deflate.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
  }
  await working;
  deflate.end();
  await output;
}

async function writeOutput(
  file: FileHandle,
  start: number,
  deflate: DeflateRaw,
  sizes: Sizes,
): Promise<void> {
  const ended = once(deflate, 'end');
  // Writes are chained, not awaited one by one, so that deflating never waits for the disk.
  let written: Promise<unknown> = Promise.resolve();
  deflate.on('data', (packed: Buffer) => {
    const position = start + sizes.packed;
    sizes.packed += packed.length;
    written = written.then(() => file.write(packed, 0, packed.length, position));
    // It is waited for at the end, and until then nobody would hear of its failure.
    written.catch(() => undefined);
  });
  await ended;
  await written;
}

function dosTime(seconds: number): { date: number; time: number } {
  const at = new Date(seconds * 1000);
  return {
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  };
}

/** What the local and the central header share: version needed to name length (APPNOTE 4.3.7, 4.3.12). */
function commonFields(member: ZipMember, sizes: Sizes, extra: number): Buffer {
  const { date, time } = dosTime(member.time);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(member.large ? 45 : 20, 0);
  // Bit 11: the name is UTF-8.
  fields.writeUInt16LE(0x0800, 2);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt16LE(time, 6);
  fields.writeUInt16LE(date, 8);
  fields.writeUInt32LE(sizes.crc, 10);
  fields.writeUInt32LE(member.large ? max32 : sizes.packed, 14);
  fields.writeUInt32LE(member.large ? max32 : sizes.bytes, 18);
  fields.writeUInt16LE(Buffer.byteLength(member.name), 22);
  fields.writeUInt16LE(extra, 24);
  return fields;
}

function zip64Extra(member: ZipMember, sizes: Sizes): Buffer {
  if (!member.large) return Buffer.alloc(0);
  const extra = Buffer.alloc(extraLength);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(16, 2);
  extra.writeBigUInt64LE(BigInt(sizes.bytes), 4);
  extra.writeBigUInt64LE(BigInt(sizes.packed), 12);
  return extra;
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function localHeader(member: ZipMember, sizes: Sizes): Buffer {
  const extra = zip64Extra(member, sizes);
  return Buffer.concat([
    signature(0x04034b50),
    commonFields(member, sizes, extra.length),
    Buffer.from(member.name),
    extra,
  ]);
}

/** The central directory with its one entry, and the end records. */
function ending(member: ZipMember, sizes: Sizes, offset: number): Buffer[] {
  const extra = zip64Extra(member, sizes);
  const rest = Buffer.alloc(14);
  const made = Buffer.alloc(2);
  made.writeUInt16LE(member.large ? 45 : 20);
  const entry = Buffer.concat([
    signature(0x02014b50),
    made,
    commonFields(member, sizes, extra.length),
    rest,
    Buffer.from(member.name),
    extra,
  ]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(entry.length, 8);
  end.writeUInt32LE(Math.min(offset, max32), 12);
  const zip64 = offset >= max32 ? zip64End(entry.length, offset) : [];
  return [entry, ...zip64, signature(0x06054b50), end];
}

function zip64End(size: number, offset: number): Buffer[] {
  const record = Buffer.alloc(52);
  record.writeBigUInt64LE(44n, 0);
  record.writeUInt16LE(45, 8);
  record.writeUInt16LE(45, 10);
  record.writeBigUInt64LE(1n, 20);
  record.writeBigUInt64LE(1n, 28);
  record.writeBigUInt64LE(BigInt(size), 36);
  record.writeBigUInt64LE(BigInt(offset), 44);
  const locator = Buffer.alloc(16);
  locator.writeBigUInt64LE(BigInt(offset + size), 4);
  locator.writeUInt32LE(1, 12);
  return [signature(0x06064b50), record, signature(0x07064b50), locator];
}
