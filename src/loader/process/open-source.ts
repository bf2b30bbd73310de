/** Opens a file of any kind that GLEIF publishes: recognises it by its content, reads it once as a stream. */
import { basename } from 'node:path';
import { dateInNames } from '../../lei/dates.ts';
import { loaderLimits } from '../limits.ts';
import { type ChunkReader, FileRefusal, type PieceReader } from '../parse/file-reader.ts';
import { beginning, type FileContent, GivenBytes, openContent } from '../parse/input/content.ts';
import { type FileIdentity, identify, refuseIfChanged } from '../parse/input/file.ts';
import { type RecognisedFile, readers, recognise, recognisedBytes } from '../parse/recognise.ts';
import { RecordReport } from '../parse/record/report.ts';
import { families } from '../parse/tree/tree.ts';
import { type RowSink, SourceError } from '../rows.ts';
import type { ReadingProgress, Source, SourceSummary } from '../source.ts';
import type { CutRule } from '../threads/pieces.ts';
import { type PieceReading, readInThreads } from '../threads/read-in-threads.ts';
import type { ReadingThreads } from '../threads/reading-threads.ts';
import { type UnpackedFile, unpack } from '../threads/unpack.ts';

/** Bytes read between two calls of a progress listener. The end of a small file is then its first call. */
const progressBytes = 512 * 1024;

/**
 * Recognises a file by its beginning; {@link Source.read} then reads it from the start.
 * @throws SourceError if it can't be read or is of no known kind
 */
export async function openSource(path: string): Promise<Source> {
  return named(path, async () => {
    const identity = await identify(path);
    const content = await openContent(path, identity);
    const recognised = recognise(
      await beginning(
        content.chunks(() => {}),
        recognisedBytes,
      ),
    );
    const name = basename(path);
    const { format, kind, header } = recognised;
    const contentDate = header.contentDate ?? dateInNames(name, content.member);
    return {
      name,
      kind,
      format,
      bytes: identity.bytes,
      packed: content.packed,
      header: { ...header, contentDate },
      read: (sink, progress, threads) =>
        named(path, () => read({ path, identity, content, recognised }, sink, progress, threads ?? null)),
    };
  });
}

interface OpenSource {
  readonly path: string;
  readonly identity: FileIdentity;
  readonly content: FileContent;
  readonly recognised: RecognisedFile;
}

async function read(
  { path, identity, content, recognised }: OpenSource,
  sink: RowSink,
  progress: ReadingProgress,
  threads: ReadingThreads | null,
): Promise<SourceSummary> {
  await refuseIfChanged(path, identity);
  const { format } = recognised;
  const report = new RecordReport(sink, format === 'csv' ? 'line' : 'record');
  const reader = readers[format](report);
  const ready = () => sink.ready?.();
  let bytesReported = 0;
  const onBytes = (bytesRead: number): void => {
    if (bytesRead - bytesReported < progressBytes) return;
    bytesReported = bytesRead;
    progress(bytesRead, report.rows);
  };
  const sha256 =
    threads !== null && isLarge(identity, content)
      ? await readInPieces(unpack({ path, identity, cut: cutOf(recognised) }, threads, onBytes), reader, {
          report,
          threads,
          ready,
        })
      : await readHere(content, reader, onBytes, ready);
  await refuseIfChanged(path, identity);
  progress(identity.bytes, report.rows);
  const { rows, rejected, remarks } = report;
  return { sha256, rows, rejected, remarks };
}

function cutOf({ format, kind }: RecognisedFile): CutRule {
  const family = families.find((one) => one.kind === kind);
  if (format === 'csv' || family === undefined) return { after: 'line' };
  return format === 'xml'
    ? { after: 'element', name: family.record }
    : { after: 'record', list: family.jsonList };
}

/** Whether a file is large enough for threads. */
function isLarge({ bytes }: FileIdentity, { packed }: FileContent): boolean {
  const { threadedPackedBytesMin, threadedPlainBytesMin } = loaderLimits;
  return bytes >= (packed ? threadedPackedBytesMin : threadedPlainBytesMin);
}

/** @returns the digest of the file as given */
async function readInPieces(file: UnpackedFile, reader: PieceReader, reading: PieceReading): Promise<string> {
  try {
    await readInThreads(file, reader, reading);
    return file.sha256();
  } finally {
    file.end();
  }
}

/** The same in this thread. */
async function readHere(
  content: FileContent,
  reader: ChunkReader,
  progress: (bytesRead: number) => void,
  ready: () => Promise<void> | undefined,
): Promise<string> {
  const given = new GivenBytes();
  const onPacked = (chunk: Uint8Array): void => {
    given.take(chunk);
    progress(given.count);
  };
  for await (const chunk of content.chunks(onPacked)) {
    reader.push(chunk);
    await ready();
  }
  reader.end();
  return given.sha256();
}

/** Puts the file's path in front of a parser's refusal. */
async function named<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof FileRefusal) throw new SourceError(path, error.message);
    throw error;
  }
}
