/**
 * Defines the messages between a command and the loader process: plain data, one JSON object per line in each
 * direction.
 */
import type { Config } from '../config.ts';
import { ExpectedFailure } from '../errors.ts';
import type { Manifest, SourceKind } from '../publication/manifest.ts';
import { loaderLimits } from './limits.ts';

/** Gates that a finished build must pass before it is sealed; an operator can skip each by its name. */
export const gateNames = [
  'entity-count',
  'bad-rows',
  'resolvable-relationships',
  'sampled-records',
  'company-names',
  'canary-queries',
] as const;
export type GateName = (typeof gateNames)[number];

/** Shares from 0 to 1. */
export interface GateLimits {
  /** Least number of entities, as a share of the active publication's. */
  readonly entitiesShareMin: number;
  /** Greatest share of bad rows over the whole load. */
  readonly badRowsShareMax: number;
  /** Greatest drop in the share of relationships with a record at both ends; 0.01 is one percentage point. */
  readonly resolvableDropMax: number;
}

export const gateDefaults = { entitiesShareMin: 0.95, resolvableDropMax: 0.01 } as const;

export interface LoadRequest {
  readonly dataDir: string;
  /** `history` recovers snapshots from older level 1 files into a copy of the active publication. */
  readonly purpose: 'load' | 'history';
  /** Paths; relative ones start at the process's folder. */
  readonly files: readonly string[];
  /** Apply the files to the active publication instead of replacing it. */
  readonly delta: boolean;
  /** Source time, UTC; overrides the files' own. */
  readonly publishedAt: string | null;
  /** Built from the bundled sample. */
  readonly sample: boolean;
  /** Whether a wrong RecordCount in a header fails the load; otherwise it is a warning. */
  readonly strictRecordCount: boolean;
  /** Latest time that a file may state for itself, in milliseconds since 1970: a later one fails the load. */
  readonly contentTimeMax?: number;
  /** Earliest time that a file of a golden copy may state for itself: an earlier one fails the load. */
  readonly contentTimeMin?: number;
  /** Records that the publisher announced for a file, by file name; another count fails the load. */
  readonly recordCounts?: Readonly<Record<string, number>>;
  readonly limits: GateLimits;
  readonly skippedGates: readonly GateName[];
  /** Cores that the load may fill, 1 to loaderLimits.threadsMax; by default the starter of the loader decides. */
  readonly threads?: number;
}

/**
 * Threads of a load in addition to its own and the search thread: one fewer than its cores, because those two have time
 * left.
 */
export function furtherThreads({ threads = 1 }: Pick<LoadRequest, 'threads'>): number {
  return threads < loaderLimits.threadsToRead ? 0 : threads - 1;
}

/** A request with every default. */
export function loadRequest(
  { dataDir, maxBadRows }: Pick<Config, 'dataDir' | 'maxBadRows'>,
  files: readonly string[],
): LoadRequest {
  return {
    dataDir,
    purpose: 'load',
    files,
    delta: false,
    publishedAt: null,
    sample: false,
    strictRecordCount: false,
    limits: { ...gateDefaults, badRowsShareMax: maxBadRows },
    skippedGates: [],
  };
}

export type KindCounts = Partial<Record<SourceKind, number>>;

export interface LoadOutcome {
  readonly manifest: Manifest;
  /** Rows used, by kind of file. */
  readonly rows: KindCounts;
  /** Rows that could not be used, by kind of file. */
  readonly rejected: KindCounts;
  /** Rows that another record of the same key replaced, in either reading order. */
  readonly superseded: number;
  /** Records that a delta deleted. */
  readonly deleted: number;
}

export interface LoadProgress {
  readonly phase: string;
  /** 0 to 1, of the whole load. */
  readonly progress: number;
  readonly bytes: number;
  readonly bytesTotal: number;
  readonly rows: number;
}

export type LoadEvent =
  | ({ readonly event: 'progress' } & LoadProgress)
  /** A sentence for the operator. */
  | { readonly event: 'message'; readonly message: string }
  | { readonly event: 'done'; readonly outcome: LoadOutcome }
  | { readonly event: 'failed'; readonly code: string; readonly phase: string; readonly message: string };

/** A load failed as expected; nothing has changed. */
export class LoadFailure extends ExpectedFailure {
  override readonly name = 'LoadFailure';
}

/** Receives the pipeline's progress and its sentences for the operator. */
export interface LoadReport {
  progress(progress: LoadProgress): void;
  message(message: string): void;
}
