/**
 * The buckets in memory, saved behind. A bucket that nobody asks for leaves the memory once its counts are on
 * disk and comes back from there; none ever comes back full.
 *
 *     asked for ──► in memory, dirty ──save──► saving ──done──► clean ──idle──► on disk only
 *                        ▲                       │ failed            │
 *                        └───────────────────────┘ ◄──── asked for ──┘
 */
import type { CounterRow, CounterTable } from '../../state/counters.ts';
import { Bucket, burstsReachIntoDay, type Kept, pack, unpack, unused } from './bucket.ts';
import { accessLimits, dayMs } from './limits.ts';

export class BucketBook {
  readonly #counters: CounterTable;
  readonly #buckets = new Map<string, Bucket>();
  #dirty: Bucket[] = [];
  /** Counts of days that ended while they were unsaved, by day and subject. */
  readonly #ended = new Map<string, CounterRow>();
  /** Goes round the buckets like the hand of a clock. */
  #hand = this.#buckets.values();

  constructor(counters: CounterTable) {
    this.#counters = counters;
  }

  /** Buckets in memory. */
  get size(): number {
    return this.#buckets.size;
  }

  /** The caller's bucket, turned over to the UTC day of this moment. */
  open(subject: string, now: number): Bucket {
    const day = Math.floor(now / dayMs);
    const bucket = this.#buckets.get(subject) ?? this.#admit(subject, day, now);
    if (bucket.day !== day) this.#turnOver(bucket, day, now);
    bucket.lastAsked = now;
    return bucket;
  }

  /** To be called after a bucket was changed. */
  changed(bucket: Bucket): void {
    if (bucket.dirty) return;
    bucket.dirty = true;
    this.#dirty.push(bucket);
  }

  /** Writes down what changed. Rejects where the disk refuses; nothing is lost then, the next save has it. */
  async save(now: number): Promise<void> {
    await this.#saveEnded();
    const saving = this.#dirty;
    this.#dirty = [];
    let done = 0;
    try {
      while (done < saving.length) {
        await this.#saveRows(saving.slice(done, done + accessLimits.rowsPerSave), now);
        done += accessLimits.rowsPerSave;
      }
    } finally {
      // Those of a failed part have marked themselves again; the parts never begun are still marked.
      for (const bucket of saving.slice(done + accessLimits.rowsPerSave)) this.#dirty.push(bucket);
    }
  }

  /** Lets go of idle buckets, looking at a bounded number of them. */
  sweep(now: number): void {
    this.#evict(accessLimits.bucketsSweptPerTick, accessLimits.bucketIdleMs, now);
  }

  #admit(subject: string, day: number, now: number): Bucket {
    if (this.#buckets.size >= accessLimits.bucketsMax / 2) {
      this.#evict(accessLimits.bucketsSweptPerNewcomer, accessLimits.bucketIdleCrowdedMs, now);
    }
    const name = this.#buckets.size < accessLimits.bucketsMax ? subject : sharedName(subject);
    const bucket = this.#buckets.get(name) ?? new Bucket(name, day, this.#load(name, day, now), now);
    this.#buckets.set(name, bucket);
    return bucket;
  }

  #evict(looks: number, idleMs: number, now: number): void {
    for (let looked = 0; looked < looks; looked++) {
      const { value: bucket, done } = this.#hand.next();
      if (done === true) {
        this.#hand = this.#buckets.values();
        return;
      }
      const idle = Math.abs(now - bucket.lastAsked) >= idleMs;
      if (idle && !bucket.dirty && !bucket.saving) this.#buckets.delete(bucket.subject);
    }
  }

  #load(subject: string, day: number, now: number): Kept {
    const today = this.#row(subject, day);
    if (today !== null || !burstsReachIntoDay(now, day * dayMs)) return today ?? unused();
    const before = this.#row(subject, day - 1);
    return before === null ? unused() : { ...before, used: 0 };
  }

  /** A read of the memory map, made only for a caller that is not in memory. */
  #row(subject: string, day: number): Kept | null {
    const value = this.#ended.get(`${day} ${subject}`)?.value ?? this.#counters.read(subject, day);
    return value === undefined ? null : unpack(value);
  }

  #turnOver(bucket: Bucket, day: number, now: number): void {
    const { subject } = bucket;
    if ((bucket.dirty || bucket.saving) && this.#ended.size < accessLimits.bucketsMax) {
      this.#ended.set(`${bucket.day} ${subject}`, { subject, day: bucket.day, value: pack(bucket, now) });
    }
    // A clock put back over midnight finds the earlier day's own count again. The bursts know no midnight.
    bucket.used = this.#load(subject, day, now).used;
    bucket.day = day;
  }

  async #saveEnded(): Promise<void> {
    if (this.#ended.size === 0) return;
    const saving = [...this.#ended];
    await this.#counters.save(saving.map(([, row]) => row));
    for (const [name, row] of saving) if (this.#ended.get(name) === row) this.#ended.delete(name);
  }

  async #saveRows(part: readonly Bucket[], now: number): Promise<void> {
    const rows = part.map((bucket) => ({
      subject: bucket.subject,
      day: bucket.day,
      // Others may have waited for the disk before this one, and its windows were asked since: looked at as they
      // were when the round began, they would take it for a clock put back, and their admissions would end too soon.
      value: pack(bucket, Math.max(now, bucket.lastAsked)),
    }));
    for (const bucket of part) {
      bucket.dirty = false;
      bucket.saving = true;
    }
    try {
      await this.#counters.save(rows);
    } catch (error) {
      for (const bucket of part) this.changed(bucket);
      throw error;
    } finally {
      for (const bucket of part) bucket.saving = false;
    }
  }
}

/** Where memory is full of counts that the disk does not take, newcomers share buckets rather than grow it. */
function sharedName(subject: string): string {
  return `shared_${Bun.hash.crc32(subject) % accessLimits.sharedBuckets}`;
}
