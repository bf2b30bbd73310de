/** What crosses the boundary to the loader process: plain data, one JSON object a line each way. */
import type { Config } from '../config.ts';
import { ExpectedFailure } from '../errors.ts';
import type { Manifest, SourceKind } from '../publication/manifest.ts';

/** Checks between a finished build and its sealing; each can be skipped by name. */
export const gateNames = [
  'entity-count',
  'bad-rows',
  'resolvable-relationships',
  'sampled-records',
  'company-names',
  'canary-queries',
] as const;
export type GateName = (typeof gateNames)[number];

export interface GateLimits {
  /** Least share of the active publication's entities. */
  readonly entitiesShareMin: number;
  /** Greatest share of bad rows over the whole load. */
  readonly badRowsShareMax: number;
  /** Greatest drop of the share of relationships with a record at both ends; 0.01 is one percentage point. */
  readonly resolvableDropMax: number;
}

export const gateDefaults = { entitiesShareMin: 0.95, resolvableDropMax: 0.01 } as const;

export interface LoadRequest {
  readonly dataDir: string;
  /** `history` recovers snapshots from older level 1 files into a copy of the active publication. */
  readonly purpose: 'load' | 'history';
  /** Paths; a relative one is the caller's. */
  readonly files: readonly string[];
  /** Apply on the active publication. */
  readonly delta: boolean;
  /** UTC; overrides what the files say. */
  readonly publishedAt: string | null;
  /** Built from the bundled sample. */
  readonly sample: boolean;
  /** Whether a header's RecordCount that differs fails the load instead of being warned of. */
  readonly strictRecordCount: boolean;
  /** Records that the publisher says a file holds, by file name: another count fails the load. */
  readonly recordCounts?: Readonly<Record<string, number>>;
  readonly limits: GateLimits;
  readonly skippedGates: readonly GateName[];
}

/** A request with every default; whoever asks sets what differs. */
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
  /** Rows used, per kind of file. */
  readonly rows: KindCounts;
  /** Rows that could not be used, per kind. */
  readonly rejected: KindCounts;
  /** Rows that gave way to a later record of the same key, in whichever order they were read. */
  readonly superseded: number;
  /** Records that a delta took away. */
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
  /** Something the operator should know, as a sentence. */
  | { readonly event: 'message'; readonly message: string }
  | { readonly event: 'done'; readonly outcome: LoadOutcome }
  | { readonly event: 'failed'; readonly code: string; readonly phase: string; readonly message: string };

/** A load ended, and nothing has changed. */
export class LoadFailure extends ExpectedFailure {
  override readonly name = 'LoadFailure';
}

/** How the pipeline tells what it does. */
export interface LoadReport {
  progress(progress: LoadProgress): void;
  message(message: string): void;
}
