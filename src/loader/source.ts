/** A file of a load, recognised and ready to be read. */
import type { SourceKind } from '../publication/manifest.ts';
import type { RowSink, SourceFormat, SourceHeader } from './rows.ts';
import type { ReadingThreads } from './threads/reading-threads.ts';

/** A file recognised by its content, ready to be read once. */
export interface Source {
  /** Name without folder. */
  readonly name: string;
  readonly kind: SourceKind;
  readonly format: SourceFormat;
  readonly bytes: number;
  /** Whether the file is compressed. */
  readonly packed: boolean;
  /** From the beginning of the file. */
  readonly header: SourceHeader;
  /**
   * Reads the whole file into the sink, in bounded memory.
   * @param progress receives the bytes of the file (compressed) and its usable rows so far, every few hundred kilobytes
   * @param threads parse its rows if it is large; without them this thread does it
   * @throws SourceError if the file itself is broken (truncated, wrong CRC, not UTF-8, changed meanwhile …)
   */
  read(sink: RowSink, progress: ReadingProgress, threads?: ReadingThreads): Promise<SourceSummary>;
}

export type ReadingProgress = (bytesRead: number, rows: number) => void;

export interface SourceSummary {
  readonly sha256: string;
  readonly rows: number;
  readonly rejected: number;
  readonly remarks: number;
}
