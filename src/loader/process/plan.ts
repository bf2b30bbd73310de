/** Defines the terms of the pipeline: the parts of a load, and the steps in which the kinds of load differ. */
import type { Layout } from '../../publication/layout.ts';
import type { BuildResult } from '../build/build.ts';
import type { FileToDigest } from '../digest/digest-files.ts';
import type { LoadReport, LoadRequest } from '../load-request.ts';
import type { Source } from '../source.ts';
import type { Active } from './active.ts';
import type { LoadReading } from './read-rows.ts';

/** What every step may use. */
export interface Load {
  readonly request: LoadRequest;
  readonly report: LoadReport;
  readonly layout: Layout;
  /** By kind, and within a kind from the oldest content to the newest. */
  readonly sources: readonly Source[];
  readonly active: Active | null;
}

/** The folder that a publication is built in. */
export interface StagedPublication {
  readonly id: string;
  readonly folder: string;
}

/** Tables, company file and search index, complete. */
export interface FilledTables {
  readonly reading: LoadReading;
  readonly built: BuildResult;
  /** The company file, if it is digested already; null otherwise. */
  readonly companies: FileToDigest | null;
}

/** One kind of load: a set (full or delta), or the recovery of history. */
export interface LoadPlan {
  readonly sourcePublishedAt: string;
  /** Fills the tables and the search index of the staged environment. */
  fill(staged: StagedPublication): Promise<FilledTables>;
  /** Reads the finished build back. @throws LoadFailure if it must not be sealed */
  verify(staged: StagedPublication, filled: FilledTables): Promise<void>;
}
