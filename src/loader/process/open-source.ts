/** Opens a file of any kind that GLEIF publishes: recognised by content, read once as a stream. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { beginning, type Content, openContent } from '../parse/input/content.ts';
import { type FileIdentity, identify, refuseIfChanged } from '../parse/input/file.ts';
import { dateInNames } from '../parse/name-date.ts';
import { readers, recognise, recognisedBytes } from '../parse/recognise.ts';
import type { Recognised } from '../parse/recognised.ts';
import { RecordReport } from '../parse/record/report.ts';
import { Refusal } from '../parse/refusal.ts';
import { type RowSink, type Source, SourceError, type SourceSummary } from '../rows.ts';

/** Between two calls of a progress listener. */
const progressBytes = 512 * 1024;

/**
 * Looks at the beginning of a file; {@link Source.read} then reads it from the start.
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
      read: (sink, progress) => named(path, () => read(path, identity, content, recognised, sink, progress)),
    };
  });
}

async function read(
  path: string,
  identity: FileIdentity,
  content: Content,
  recognised: Recognised,
  sink: RowSink,
  progress: (bytesRead: number) => void,
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
  const report = new RecordReport(sink, recognised.format === 'csv' ? 'line' : 'record');
  const reader = readers[recognised.format](report);
  for await (const chunk of content.chunks(onPacked)) {
    reader.push(chunk);
    await sink.ready?.();
  }
  reader.end();
  await refuseIfChanged(path, identity);
  progress(bytesRead);
  const { rows, rejected, remarks } = report;
  return { sha256: hash.digest('hex'), rows, rejected, remarks };
}

/** Adds the file to what the parsers refuse. */
async function named<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof Refusal) throw new SourceError(path, error.message);
    throw error;
  }
}
