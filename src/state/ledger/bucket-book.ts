/**
 * Every caller's counts in memory, saved behind. A request finds its caller among the buckets or among the resting
 * counts; the disk is read once, before the first request.
 *
 *     asked for ──► bucket, dirty ──save──► saving ──done──► clean ──idle──► resting counts, and a row on disk
 *                       ▲                      │ failed         │                  │
 *                       └──────────────────────┘ ◄──asked for───┴──────────────────┘
 */
import { burstMs, dayMs } from '../../ports/ledger.ts';
import { Bucket, dayOf, lastArrival, pack, type Usage, unpack, unused } from './bucket.ts';
import type { CountRow, CountRows } from './count-rows.ts';
import { ledgerLimits } from './limits.ts';
import { RestingDays, withoutBursts } from './resting-counts.ts';

export class BucketBook {
  readonly #rows: CountRows;
  readonly #buckets = new Map<string, Bucket>();
  readonly #resting = new RestingDays();
  #dirty: Bucket[] = [];
  /** Counts of days that ended while they were unsaved, by day and caller. */
  readonly #ended = new Map<string, CountRow>();
  /** Goes round the buckets like the hand of a clock. */
  #hand = this.#buckets.values();

  /** Reads every row. */
  constructor(rows: CountRows) {
    this.#rows = rows;
    this.#readAll();
  }

  /** Buckets in memory. */
  get size(): number {
    return this.#buckets.size;
  }

  /** The caller's bucket, turned over to the UTC day of this moment. */
  open(caller: string, now: number): Bucket {
    const day = dayOf(now);
    const bucket = this.#buckets.get(caller) ?? this.#wake(caller, day, now);
    if (bucket.day !== day) this.#turnOver(bucket, day, now);
    bucket.lastAsked = now;
    return bucket;
  }

  /** Epoch ms of a caller's latest request, as far as that matters to one that came at `since` or shortly before. */
  lastAsked(caller: string, since: number): number {
    const bucket = this.#buckets.get(caller);
    if (bucket !== undefined) return bucket.lastAsked;
    const day = dayOf(since);
    const resting = [this.#resting.get(day, caller), this.#resting.get(day + 1, caller)];
    return Math.max(0, ...resting.flatMap((usage) => (usage === null ? [] : lastArrival(usage))));
  }

  /** To be called after a bucket was changed. */
  changed(bucket: Bucket): void {
    if (bucket.dirty) return;
    bucket.dirty = true;
    this.#dirty.push(bucket);
  }

  /** Writes what changed, then puts idle buckets to rest. Rejects where the disk refuses; the next save has it all. */
  async save(now: number): Promise<void> {
    try {
      await this.#saveEnded();
      await this.#saveDirty(now);
    } finally {
      this.#rest(ledgerLimits.bucketsSweptPerSave, ledgerLimits.bucketIdleMs, now);
    }
  }

  async forgetBefore(day: number): Promise<void> {
    this.#resting.forgetBefore(day);
    await this.#rows.forgetBefore(day);
  }

  /**
   * Rows of the last minute before the service ended become buckets, whose bursts count by the second; all others come
   * to rest. The newest arrival of a day tells that minute: whatever the clock says now.
   */
  #readAll(): void {
    let day = Number.NaN;
    let newest = 0;
    let recent: Bucket[] = [];
    const adoptRecent = () => {
      for (const bucket of recent) if (newest - bucket.lastAsked < burstMs) this.#adopt(bucket);
      recent = [];
    };
    for (const row of this.#rows.all()) {
      const usage = unpack(row.value);
      if (usage === null) continue;
      if (row.day !== day) {
        adoptRecent();
        day = row.day;
        newest = 0;
      }
      const lastAsked = lastArrival(usage);
      newest = Math.max(newest, lastAsked);
      const bucket = new Bucket(row.caller, day, usage, lastAsked);
      const rests = this.#resting.put(day, row.caller, usage);
      if (!rests) this.#adopt(bucket);
      else if (newest - lastAsked < burstMs) recent.push(bucket);
    }
    adoptRecent();
  }

  #adopt(bucket: Bucket): void {
    if (this.#buckets.size < ledgerLimits.bucketsMax) this.#buckets.set(bucket.caller, bucket);
  }

  /** Makes a bucket for a caller that has none. */
  #wake(caller: string, day: number, now: number): Bucket {
    if (this.#buckets.size >= ledgerLimits.bucketsMax / 2) {
      this.#rest(ledgerLimits.bucketsSweptPerNewcomer, ledgerLimits.bucketIdleCrowdedMs, now);
    }
    const name = this.#buckets.size < ledgerLimits.bucketsMax ? caller : sharedName(caller);
    const bucket = this.#buckets.get(name) ?? new Bucket(name, day, this.#usageOf(name, day, now), now);
    this.#buckets.set(name, bucket);
    return bucket;
  }

  /** Just after midnight the count of the day before still knows what the burst windows hold. */
  #usageOf(caller: string, day: number, now: number): Usage {
    const today = this.#resting.get(day, caller);
    if (today !== null || now - day * dayMs >= burstMs) return today ?? unused();
    const before = this.#resting.get(day - 1, caller);
    return before === null ? unused() : { ...before, used: 0 };
  }

  /** Puts idle buckets to rest, looking at a bounded number of them. */
  #rest(looks: number, idleMs: number, now: number): void {
    for (let looked = 0; looked < looks; looked++) {
      const { value: bucket, done } = this.#hand.next();
      if (done === true) {
        this.#hand = this.#buckets.values();
        return;
      }
      const idle = Math.abs(now - bucket.lastAsked) >= idleMs;
      if (idle && !bucket.dirty && !bucket.saving) this.#putToRest(bucket, now);
    }
  }

  /** Where the resting counts have no room, the bucket stays. */
  #putToRest(bucket: Bucket, now: number): void {
    bucket.lookup.used(now);
    bucket.search.used(now);
    if (this.#resting.put(bucket.day, bucket.caller, bucket)) this.#buckets.delete(bucket.caller);
  }

  #turnOver(bucket: Bucket, day: number, now: number): void {
    const { caller } = bucket;
    if ((bucket.dirty || bucket.saving) && this.#ended.size < ledgerLimits.bucketsMax) {
      this.#ended.set(`${bucket.day} ${caller}`, { caller, day: bucket.day, value: pack(bucket, now) });
    }
    this.#resting.put(bucket.day, caller, withoutBursts(bucket.used));
    // A clock put back over midnight finds the earlier day's own count again. The bursts know no midnight.
    bucket.used = this.#resting.get(day, caller)?.used ?? 0;
    bucket.day = day;
  }

  async #saveEnded(): Promise<void> {
    if (this.#ended.size === 0) return;
    const saving = [...this.#ended];
    await this.#rows.save(saving.map(([, row]) => row));
    for (const [name, row] of saving) if (this.#ended.get(name) === row) this.#ended.delete(name);
  }

  async #saveDirty(now: number): Promise<void> {
    const saving = this.#dirty;
    this.#dirty = [];
    let done = 0;
    try {
      while (done < saving.length) {
        await this.#savePart(saving.slice(done, done + ledgerLimits.rowsPerSave), now);
        done += ledgerLimits.rowsPerSave;
      }
    } finally {
      // Buckets of a failed part have marked themselves again; those of later parts are still marked.
      for (const bucket of saving.slice(done + ledgerLimits.rowsPerSave)) this.#dirty.push(bucket);
    }
  }

  async #savePart(part: readonly Bucket[], now: number): Promise<void> {
    const rows = part.map((bucket) => ({
      caller: bucket.caller,
      day: bucket.day,
      // Use the latest time: the bucket may have been asked while others were saved, and an older time would be taken
      // for a clock put back, which ends its admissions too soon.
      value: pack(bucket, Math.max(now, bucket.lastAsked)),
    }));
    for (const bucket of part) {
      bucket.dirty = false;
      bucket.saving = true;
    }
    try {
      await this.#rows.save(rows);
    } catch (error) {
      for (const bucket of part) this.changed(bucket);
      throw error;
    } finally {
      for (const bucket of part) bucket.saving = false;
    }
  }
}

/** When every bound is reached, newcomers share buckets rather than grow the memory. */
function sharedName(caller: string): string {
  return `shared_${Bun.hash.crc32(caller) % ledgerLimits.sharedBuckets}`;
}
