/**
 * Reads every byte of the served publications, again and again, and compares it with the sealed one. lmdb does not check
 * the bytes that it reads, so this finds the damage of time in `data.mdb`, and in companies that nobody asks for.
 *
 * The first pass compares each file with its digest in the manifest. Later ones compare each segment with a quick hash
 * that was taken in the first: that costs a twentieth and finds damage at the segment, not at the end of the file.
 *
 * A question that fails for no known reason may have met such damage. Its publication is then read at once, beside the pass.
 */
import { randomBytes } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { clauseOf, isMissing } from '../../errors.ts';
import type { Log } from '../../log/log.ts';
import { isCheckedAsRead, type Layout } from '../../publication/layout.ts';
import type { Manifest, SealedFile } from '../../publication/manifest.ts';
import { filesIn } from '../../publication/manifest-facts.ts';
import {
  digestSegment,
  roomForDigests,
  type SegmentDigests,
  sealedDigest,
  segmentBytes,
} from '../../publication/segment-digests.ts';
import type { Damage } from './take-out.ts';

export const scrubLimits = {
  /** The first pass over what is served: soon after a start, at one or two per cent of a core. */
  firstPassMs: 5 * 60_000,
  /** Each further pass. Damage is found within this time. */
  passMs: 60 * 60_000,
  /** Without a publication, look for one this often. */
  idleMs: 1_000,
  /** Pause between two segments of a suspected publication: a hundred megabytes take some seconds and a tenth of a core. */
  suspectedPauseMs: 1,
  /** A publication is not suspected again so soon: a bug fails the same question each time. */
  suspectedAgainMs: 5 * 60_000,
} as const;

interface ScrubParts {
  readonly layout: Layout;
  readonly publications: {
    /** Those that answer questions, the active one first. */
    answering(): readonly Manifest[];
    foundDamaged(id: string, damage: Damage): Promise<void>;
  };
  readonly log: Pick<Log, 'error'>;
  /** Resolves after some milliseconds, or rejects when `signal` aborts. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Milliseconds; never goes back. */
  readonly now?: () => number;
}

export interface Scrubbing {
  /** When the last pass over the active publication ended, epoch milliseconds; null before the first. */
  checkedAt(): number | null;
  /** Reads a publication at once, because a question of it failed for no known reason. Resolves once it is read. */
  suspect(id: string): Promise<void>;
  stop(): Promise<void>;
}

export function scrub(parts: ScrubParts): Scrubbing {
  const stopping = new AbortController();
  const scrubber = new Scrubber(parts, stopping.signal);
  const reportEnd = (message: string) => (error: unknown) => {
    if (!stopping.signal.aborted) parts.log.error(message, { error });
  };
  const ended = scrubber.run().catch(reportEnd('Publications are no longer checked for damage.'));
  let looked = Promise.resolve();
  return {
    checkedAt: () => scrubber.checkedAt,
    suspect(id) {
      const look = () => scrubber.lookAt(id);
      if (scrubber.isDue(id))
        looked = looked
          .then(look)
          .catch(reportEnd('A suspected publication could not be checked for damage.'));
      return looked;
    },
    async stop() {
      stopping.abort();
      await Promise.all([ended, looked]);
    },
  };
}

/** One file of a publication. */
interface ScrubbedFile {
  readonly id: string;
  readonly path: string;
  readonly sealed: SealedFile;
  readonly isContained: boolean;
}

/** The digests of a file that a whole pass has read. */
interface KnownFiles {
  readonly digests: SegmentDigests;
  /** Whether the file was right every time. Otherwise these digests only keep its passes as slow as those of others. */
  isRight: boolean;
}

class Scrubber {
  readonly #parts: ScrubParts;
  readonly #signal: AbortSignal;
  readonly #pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Keyed by the manifest object: a publication that is fetched or activated again is read as a whole again. */
  readonly #known = new WeakMap<SealedFile, KnownFiles>();
  readonly #now: () => number;
  /** When each publication was last suspected. */
  readonly #suspectedAt = new Map<string, number>();
  checkedAt: number | null = null;

  constructor(parts: ScrubParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
    this.#now = parts.now ?? performance.now.bind(performance);
    this.#pause = parts.pause ?? ((ms, aborting) => pauseFor(ms, null, { signal: aborting, ref: false }));
  }

  /** Ends by rejecting, once it is told to stop. */
  async run(): Promise<never> {
    for (;;) {
      const [active] = this.#answering();
      if (active === undefined) await this.#pause(scrubLimits.idleMs, this.#signal);
      else await this.#pass(active);
    }
  }

  /** Whether a suspected publication is to be read now; it is then not due again for some minutes. */
  isDue(id: string): boolean {
    const now = this.#now();
    const before = this.#suspectedAt.get(id) ?? Number.NEGATIVE_INFINITY;
    if (now - before < scrubLimits.suspectedAgainMs) return false;
    // Only those that answer can be suspected, so the map stays small.
    for (const each of this.#suspectedAt.keys())
      if (!this.#answering().some((manifest) => manifest.id === each)) this.#suspectedAt.delete(each);
    this.#suspectedAt.set(id, now);
    return true;
  }

  /** Reads the files whose reads are not checked. Rejects once it is told to stop. */
  async lookAt(id: string): Promise<void> {
    const manifest = this.#answering().find((each) => each.id === id);
    if (manifest === undefined) return;
    for (const file of this.#filesOf(manifest))
      if (!file.isContained) await this.#check(file, scrubLimits.suspectedPauseMs);
  }

  /** Compares a file, and has its publication taken out of service if it is damaged. */
  async #check(file: ScrubbedFile, pauseMs: number): Promise<void> {
    const { id, isContained } = file;
    const message = await this.#damageIn(file, pauseMs);
    if (message !== null) await this.#parts.publications.foundDamaged(id, { message, isContained });
  }

  #answering(): readonly Manifest[] {
    return this.#parts.publications.answering();
  }

  async #pass({ id }: Manifest): Promise<void> {
    const files = this.#answering().flatMap((manifest) => this.#filesOf(manifest));
    for (const file of files) await this.#check(file, this.#pauseMs(files));
    const own = files.filter((file) => file.id === id);
    const isRight = own.every(({ sealed }) => this.#known.get(sealed)?.isRight === true);
    if (isRight && this.#answering()[0]?.id === id) this.checkedAt = Date.now();
  }

  /** The company file last: its reads are checked anyway. */
  #filesOf(manifest: Manifest): readonly ScrubbedFile[] {
    const { id } = manifest;
    const files = filesIn(manifest).map(({ name, sealed }) => ({
      id,
      path: this.#parts.layout.fileOf(id, name),
      sealed,
      isContained: isCheckedAsRead(name),
    }));
    return files.sort((a, b) => Number(a.isContained) - Number(b.isContained));
  }

  #pauseMs(files: readonly ScrubbedFile[]): number {
    const isFirst = files.some(({ sealed }) => !this.#known.has(sealed));
    const segments = files.reduce((sum, { sealed }) => sum + Math.ceil(sealed.bytes / segmentBytes), 0);
    return (isFirst ? scrubLimits.firstPassMs : scrubLimits.passMs) / Math.max(1, segments);
  }

  /** The damage of a file, as a sentence; null if it has none, or if there is no such file. */
  async #damageIn(file: ScrubbedFile, pauseMs: number): Promise<string | null> {
    try {
      await using opened = await open(file.path);
      const known = this.#known.get(file.sealed);
      return known === undefined
        ? await this.#compareWhole(file, opened, pauseMs)
        : await this.#compareSegments(file, opened, known, pauseMs);
    } catch (error) {
      if (this.#signal.aborted) throw error;
      this.#known.delete(file.sealed);
      if (!isMissing(error)) return `${file.path} can't be read: ${clauseOf(error)}.`;
      // Its publication is retired, or somebody has deleted it: threads still answer from their mapping of the file.
      await this.#pause(scrubLimits.idleMs, this.#signal);
      return null;
    }
  }

  async #compareWhole(file: ScrubbedFile, opened: FileHandle, pauseMs: number): Promise<string | null> {
    const { path, sealed } = file;
    const digests = roomForDigests(sealed.bytes, randomBytes(8).readBigUInt64LE());
    for await (const { segment, index } of this.#segments(file, opened, pauseMs))
      digestSegment(segment, index, digests, null);
    if (!this.#isServed(file)) return null;
    const isRight = sealedDigest(digests) === sealed.sha256;
    this.#known.set(sealed, { digests, isRight });
    return isRight ? null : `${path} is damaged: its digest is not the sealed one.`;
  }

  async #compareSegments(
    file: ScrubbedFile,
    opened: FileHandle,
    known: KnownFiles,
    pauseMs: number,
  ): Promise<string | null> {
    const { quick, seed } = known.digests;
    for await (const { segment, index } of this.#segments(file, opened, pauseMs)) {
      if (Bun.hash.xxHash3(segment, seed) === quick[index]) continue;
      const from = index * segmentBytes;
      known.isRight = false;
      return `${file.path} is damaged: bytes ${from} to ${from + segment.length} are not the sealed ones.`;
    }
    return null;
  }

  /** The segments of a file, each valid until the next; ends early if the file is no longer served. */
  async *#segments(file: ScrubbedFile, opened: FileHandle, pauseMs: number) {
    const { bytes } = file.sealed;
    const room = Buffer.allocUnsafeSlow(Math.min(segmentBytes, bytes));
    for (let at = 0; at < bytes && this.#isServed(file); at += segmentBytes) {
      const { bytesRead } = await opened.read(room, 0, Math.min(segmentBytes, bytes - at), at);
      yield { segment: room.subarray(0, bytesRead), index: at / segmentBytes };
      await this.#pause(pauseMs, this.#signal);
    }
  }

  #isServed({ id }: ScrubbedFile): boolean {
    return this.#answering().some((manifest) => manifest.id === id);
  }
}
