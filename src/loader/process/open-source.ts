/** Opens a file of any kind that GLEIF publishes: recognises it by its content, reads it once as a stream. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { loaderLimits } from '../limits.ts';
import type { ChunkReader } from '../parse/chunk-reader.ts';
import { beginning, type Content, openContent } from '../parse/input/content.ts';
import { type FileIdentity, identify, refuseIfChanged } from '../parse/input/file.ts';
import { dateInNames } from '../parse/name-date.ts';
import { readers, recognise, recognisedBytes } from '../parse/recognise.ts';
import type { Recognised } from '../parse/recognised.ts';
import { RecordReport } from '../parse/record/report.ts';
import { Refusal } from '../parse/refusal.ts';
import { type RowSink, type Source, SourceError, type SourceSummary } from '../rows.ts';
import { readInThreads } from '../threads/read-in-threads.ts';
import type { ReadingThreads } from '../threads/reading-threads.ts';

/** Bytes read between two calls of a progress listener. */
const progressBytes = 512 * 1024;

/**
 * Recognises a file by its beginning; {@link Source.read} then reads it from the start.
 * @throws SourceError where it can't be read or is of no known kind
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

interface Opened {
  readonly path: string;
  readonly identity: FileIdentity;
  readonly content: Content;
  readonly recognised: Recognised;
}

async function read(
  { path, identity, content, recognised }: Opened,
  sink: RowSink,
  progress: (bytesRead: number) => void,
  threads: ReadingThreads | null,
): Promise<SourceSummary> {
  const hash = createHash('sha256');
  let bytesRead = 0;
  let bytesTold = 0;
  const onPacked = (chunk: Uint8Array): void => {
    hash.update(chunk);
    bytesRead += chunk.length;
    if (bytesRead - bytesTold < progressBytes) return;
    bytesTold = bytesRead;
    progress(bytesRead);
  };
  await refuseIfChanged(path, identity);
  const { format } = recognised;
  const report = new RecordReport(sink, format === 'csv' ? 'line' : 'record');
  const ready = () => sink.ready?.();
  const chunks = content.chunks(onPacked);
  if (threads !== null && format === 'csv' && isLarge(identity, content)) {
    await readInThreads(chunks, report, threads, ready);
  } else {
    await readThrough(chunks, readers[format](report), ready);
  }
  await refuseIfChanged(path, identity);
  progress(bytesRead);
  const { rows, rejected, remarks } = report;
  return { sha256: hash.digest('hex'), rows, rejected, remarks };
}

/** Whether a file is worth the threads. */
function isLarge({ bytes }: FileIdentity, { packed }: Content): boolean {
  const { threadedPackedBytesMin, threadedPlainBytesMin } = loaderLimits;
  return bytes >= (packed ? threadedPackedBytesMin : threadedPlainBytesMin);
}

async function readThrough(
  chunks: AsyncIterable<Uint8Array>,
  reader: ChunkReader,
  ready: () => Promise<void> | undefined,
): Promise<void> {
  for await (const chunk of chunks) {
    reader.push(chunk);
    await ready();
  }
  reader.end();
}

/** Puts the file's path in front of a parser's refusal. */
async function named<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof Refusal) throw new SourceError(path, error.message);
    throw error;
  }
}
