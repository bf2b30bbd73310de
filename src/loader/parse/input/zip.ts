/** Reads the directory of a zip archive: where its one member is and what it should decompress to. */
import { type Entry, open, type ZipFile } from 'yauzl';
import { Refusal } from '../refusal.ts';

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

/** @throws Refusal unless the archive has exactly one readable file */
export async function readZipMember(path: string): Promise<ZipMember> {
  const archive = await openArchive(path);
  try {
    const entry = await onlyFile(archive);
    if (entry.isEncrypted()) throw new Refusal(`its member ${entry.fileName} is encrypted; unpack it first`);
    if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated) {
      throw new Refusal(
        `its member ${entry.fileName} uses compression method ${entry.compressionMethod}; only deflate is supported`,
      );
    }
    return {
      name: entry.fileName,
      start: await dataStart(archive, entry),
      packedBytes: entry.compressedSize,
      unpackedBytes: entry.uncompressedSize,
      crc32: entry.crc32,
      deflated: entry.compressionMethod === deflated,
    };
  } finally {
    archive.close();
  }
}

function openArchive(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open(path, { lazyEntries: true, autoClose: false }, (error, archive) => {
      if (error === null) resolve(archive);
      else reject(broken(error));
    });
  });
}

/** Ignores directories. Refuses two files, because either could be meant. */
function onlyFile(archive: ZipFile): Promise<Entry> {
  return new Promise((resolve, reject) => {
    let found: Entry | undefined;
    archive.on('error', (error: Error) => reject(broken(error)));
    archive.on('end', () => {
      if (found === undefined) reject(new Refusal('is a zip archive that contains no file'));
      else resolve(found);
    });
    archive.on('entry', (entry: Entry) => {
      if (entry.fileName.endsWith('/')) return archive.readEntry();
      if (found === undefined) {
        found = entry;
        return archive.readEntry();
      }
      reject(
        new Refusal(
          `is a zip archive with more than one file (${found.fileName}, ${entry.fileName}); GLEIF's hold exactly one`,
        ),
      );
    });
    archive.readEntry();
  });
}

function dataStart(archive: ZipFile, entry: Entry): Promise<number> {
  return new Promise((resolve, reject) => {
    archive.readLocalFileHeader(entry, { minimal: true }, (error, header) => {
      if (error === null) resolve(header.fileDataStart);
      else reject(broken(error));
    });
  });
}

function broken(error: Error): Refusal {
  return new Refusal(`is a truncated or broken zip archive: ${error.message}`);
}
