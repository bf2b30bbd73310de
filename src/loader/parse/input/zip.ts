/** Reads the directory of a zip archive: the place of its one member, and the size and checksum of its content. */
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { reasonOf } from '../../../errors.ts';
import { FileRefusal } from '../file-reader.ts';

export interface ZipMember {
  readonly name: string;
  /** First byte of the compressed data within the archive. */
  readonly start: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly crc32: number;
  readonly deflated: boolean;
}

const stored = 0;
const deflated = 8;

/** @throws FileRefusal unless the archive has exactly one readable file */
export async function readZipMember(path: string): Promise<ZipMember> {
  try {
    return await memberOf(path);
  } catch (error) {
    if (error instanceof FileRefusal) throw error;
    throw new FileRefusal(`is a truncated or broken zip archive: ${reasonOf(error)}`);
  }
}

async function memberOf(path: string): Promise<ZipMember> {
  const archive = await openPromise(path, { autoClose: false });
  try {
    const entry = await onlyFile(archive);
    if (entry.isEncrypted())
      throw new FileRefusal(`its member ${entry.fileName} is encrypted; unpack it first`);
    if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated) {
      throw new FileRefusal(
        `its member ${entry.fileName} uses compression method ${entry.compressionMethod}; only deflate is supported`,
      );
    }
    const { fileDataStart } = await archive.readLocalFileHeaderPromise(entry, { minimal: true });
    return {
      name: entry.fileName,
      start: fileDataStart,
      packedBytes: entry.compressedSize,
      unpackedBytes: entry.uncompressedSize,
      crc32: entry.crc32,
      deflated: entry.compressionMethod === deflated,
    };
  } finally {
    archive.close();
  }
}

/** Ignores directories. Refuses two files, because either could be meant. */
async function onlyFile(archive: ZipFile): Promise<Entry> {
  let found: Entry | undefined;
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    if (found !== undefined) {
      throw new FileRefusal(
        `is a zip archive with more than one file (${found.fileName}, ${entry.fileName}); GLEIF's hold exactly one`,
      );
    }
    found = entry;
  }
  if (found === undefined) throw new FileRefusal('is a zip archive that contains no file');
  return found;
}
