/**
 * Manages one record per caller, in the memory of its shard (memory.ts): the day's count and two burst windows.
 *
 * ```
 * words 0 … 13   next of its chain · second half of its hash · day · day before · entry and generation in the journal
 *                · next unsaved · flags · look-ups and searches of the day, and of the day before · last asked (64 bits)
 * 14, 20         windows: look-ups, searches
 * 26             length of its name, and the name in 31 bytes
 * ```
 *
 * A caller is identified by 64 bits of a keyed hash of a name that clients can't choose. Among a million callers, two
 * share a record with a probability of 1 in 37 million.
 */
import { hashText } from '../../../bytes/hash.ts';
import type { BurstWindow } from '../../../ports/ledger.ts';
import { ledgerLimits } from '../limits.ts';
import { headsPerShard, type LedgerMemory, shard, shardCount } from './memory.ts';
import { type KeptSecond, Windows, windowWords } from './windows.ts';

const word = {
  next: 0,
  hash: 1,
  day: 2,
  dayBefore: 3,
  entry: 4,
  generation: 5,
  nextUnsaved: 6,
  flags: 7,
  units: { lookup: 8, search: 9 },
  unitsBefore: { lookup: 10, search: 11 },
} as const;
const wide = { lastAsked: 6 } as const;
/** A day's count of one kind never exceeds this. */
const unitsMax = 2 ** 32 - 1;
const lookupWord = 14;
const searchWord = lookupWord + windowWords;
const nameWord = searchWord + windowWords;
const nameBytesMax = 31;
const recordWords = nameWord + 8;
/** Why a record is to be saved: it has changed, or it began a day before the last one was saved. */
const flag = { unsaved: 1, endedUnsaved: 2 } as const;

/** Units of a day by kind. */
export type Units = Readonly<Record<BurstWindow, number>>;

/** What a row on disk stores about a caller's day. */
export interface Usage {
  readonly units: Units;
  readonly lookup: readonly KeptSecond[];
  readonly search: readonly KeptSecond[];
}

/** Points at one record of a locked shard. A thread needs one such object, and moves it from record to record. */
export class ShardRecords {
  readonly memory: LedgerMemory;
  readonly windows: Windows;
  readonly #callersMax: number;
  readonly #words: Int32Array;
  readonly #floats: Float64Array;
  /** The current record, in the locked shard. */
  #record = 0;

  constructor(memory: LedgerMemory, bounds: { readonly callersMax: number } = ledgerLimits) {
    this.memory = memory;
    this.#callersMax = bounds.callersMax;
    this.windows = new Windows(memory);
    this.#words = memory.words;
    this.#floats = memory.floats;
  }

  /**
   * Locks the shard of a caller and goes to its record, which is created if there is none. If the memory is full, the
   * record is one that later callers share. {@link close} must follow.
   */
  open(caller: string): void {
    if (this.#enter(caller, 'make') || this.#enter(sharedName(caller), 'reserve')) return;
    throw new Error('The memory of the ledger is full.');
  }

  /** The same if the caller has a record. @returns false, with nothing locked, if it has none */
  openKnown(caller: string): boolean {
    return this.#enter(caller, 'leave');
  }

  close(): void {
    this.memory.unlock();
  }

  /**
   * Locks a shard for {@link eachUnsaved} and {@link tidy}.
   * @returns false if a thread holds it for long; it may have ended
   */
  openShard(number: number): boolean {
    return this.memory.lock(this.memory.shardAt(number), ledgerLimits.lockWaitMsMax);
  }

  /**
   * Moves the record on to a UTC day. If the clock is set back over midnight, the earlier day's own count is used
   * again.
   */
  turnTo(day: number): void {
    const known = this.day;
    if (known === day) return;
    const units = this.#word(word.dayBefore) === day ? this.unitsBefore : noUnits;
    this.#words[this.#record + word.dayBefore] = known;
    this.#setUnits(word.unitsBefore, this.units);
    this.#words[this.#record + word.day] = day;
    this.units = units;
    if ((this.#word(word.flags) & flag.unsaved) !== 0)
      this.#words[this.#record + word.flags] = flag.unsaved | flag.endedUnsaved;
  }

  /** Days since 1970-01-01 UTC that `used` belongs to. */
  get day(): number {
    return this.#word(word.day);
  }

  /** Units of the day, of both kinds. */
  get used(): number {
    return this.unitsOf('lookup') + this.unitsOf('search');
  }

  unitsOf(kind: BurstWindow): number {
    return this.#word(word.units[kind]) >>> 0;
  }

  /** @param units negative for refunds */
  count(kind: BurstWindow, units: number): void {
    const counted = Math.max(0, Math.min(unitsMax, this.unitsOf(kind) + units));
    this.#words[this.#record + word.units[kind]] = counted;
  }

  get units(): Units {
    return this.#units(word.units);
  }

  set units(units: Units) {
    this.#setUnits(word.units, units);
  }

  /** Epoch ms of the last request. */
  get lastAsked(): number {
    return this.#floats[(this.#record >> 1) + wide.lastAsked] ?? 0;
  }

  set lastAsked(time: number) {
    this.#floats[(this.#record >> 1) + wide.lastAsked] = time;
  }

  /** The reference of a window. */
  window(name: BurstWindow): number {
    return this.#record + (name === 'lookup' ? lookupWord : searchWord);
  }

  windowUsed(name: BurstWindow, now: number): number {
    return this.windows.used(this.window(name), now);
  }

  /** The seconds of a window that count at this moment. */
  secondsOf(name: BurstWindow, now: number): readonly KeptSecond[] {
    this.windowUsed(name, now);
    return [...this.windows.seconds(this.window(name))];
  }

  /** Its latest entry in the journal, and that entry's generation. */
  get entry(): number {
    return this.#word(word.entry);
  }

  get entryGeneration(): number {
    return this.#word(word.generation);
  }

  setEntry(entry: number, generation: number): void {
    this.#words[this.#record + word.entry] = entry;
    this.#words[this.#record + word.generation] = generation;
  }

  get caller(): string {
    const at = (this.#record + nameWord) * 4;
    const { bytes } = this.memory;
    let name = '';
    for (let place = 1; place <= (bytes[at] ?? 0); place++)
      name += String.fromCharCode(bytes[at + place] ?? 0);
    return name;
  }

  /** Adds the record to those that the next save writes. */
  markUnsaved(): void {
    if ((this.#word(word.flags) & flag.unsaved) !== 0) return;
    this.#words[this.#record + word.nextUnsaved] = this.#words[this.memory.locked + shard.unsaved] ?? 0;
    this.#words[this.memory.locked + shard.unsaved] = this.#record;
    this.#words[this.#record + word.flags] = this.#word(word.flags) | flag.unsaved;
  }

  /** The same, with the count of the previous day. */
  markAllUnsaved(): void {
    this.markUnsaved();
    if (this.dayBefore > 0) this.#words[this.#record + word.flags] = flag.unsaved | flag.endedUnsaved;
  }

  get dayBefore(): number {
    return this.#word(word.dayBefore);
  }

  get unitsBefore(): Units {
    return this.#units(word.unitsBefore);
  }

  /** Loads a row from disk. Rows come earlier days first. */
  load(day: number, { units, lookup, search }: Usage): void {
    if (this.day > 0) this.turnTo(day);
    else this.#words[this.#record + word.day] = day;
    this.units = units;
    this.windows.fill(this.window('lookup'), lookup);
    this.windows.fill(this.window('search'), search);
    this.lastAsked = Math.max(
      this.windows.lastAt(this.window('lookup')),
      this.windows.lastAt(this.window('search')),
    );
  }

  /** Goes to each unsaved record of the locked shard, which then counts as saved. */
  eachUnsaved(visit: (endedUnsaved: boolean) => void): void {
    let next = this.#words[this.memory.locked + shard.unsaved] ?? 0;
    this.#words[this.memory.locked + shard.unsaved] = 0;
    while (next !== 0) {
      this.#record = next;
      next = this.#word(word.nextUnsaved);
      const flags = this.#word(word.flags);
      this.#words[this.#record + word.flags] = 0;
      visit((flags & flag.endedUnsaved) !== 0);
    }
  }

  /** Frees expired seconds of the locked shard's records, and the records of days before this one. */
  tidy(number: number, now: number, forgetBefore: number): void {
    for (let chain = 0; chain < headsPerShard; chain++) {
      let link = this.memory.headAt(number, chain);
      for (let each = this.#words[link] ?? 0; each !== 0; each = this.#words[link] ?? 0) {
        this.#record = each;
        this.windowUsed('lookup', Math.max(now, this.lastAsked));
        this.windowUsed('search', Math.max(now, this.lastAsked));
        if (Math.max(this.day, this.dayBefore) < forgetBefore && this.#word(word.flags) === 0)
          this.#forget(link);
        else link = each + word.next;
      }
    }
  }

  /** After a thread ended in the middle of a change in this shard: recomputes sums, and marks everything as unsaved. */
  repair(number: number): void {
    this.memory.locked = this.memory.shardAt(number);
    this.#words[this.memory.locked + shard.unsaved] = 0;
    for (let chain = 0; chain < headsPerShard; chain++) {
      for (
        let each = this.#words[this.memory.headAt(number, chain)] ?? 0;
        each !== 0;
        each = this.#words[each + word.next] ?? 0
      ) {
        this.#record = each;
        this.windows.repair(this.window('lookup'));
        this.windows.repair(this.window('search'));
        this.#words[each + word.flags] = 0;
        this.markAllUnsaved();
      }
    }
  }

  /** @returns false, with nothing locked, if there is no record */
  #enter(caller: string, missing: MissingRecord): boolean {
    const { memory } = this;
    const low = hashText(caller, memory.lowSeed);
    const hash = hashText(caller, memory.highSeed) | 0;
    const number = low % shardCount;
    const chain = memory.headAt(number, (low >>> 8) % headsPerShard);
    memory.lock(memory.shardAt(number));
    this.#record = this.#find(chain, hash);
    const isReserved = missing === 'reserve';
    if (this.#record === 0 && (isReserved || (missing === 'make' && memory.callers < this.#callersMax))) {
      this.#record = this.#make(chain, hash, caller, isReserved);
    }
    if (this.#record === 0) this.close();
    return this.#record !== 0;
  }

  #find(chain: number, hash: number): number {
    let each = this.#words[chain] ?? 0;
    while (each !== 0 && this.#words[each + word.hash] !== hash) each = this.#words[each + word.next] ?? 0;
    return each;
  }

  /** @param reserved whether it may be made of the reserved memory @returns 0 if there is no memory */
  #make(chain: number, hash: number, caller: string, reserved: boolean): number {
    const words = this.#words;
    let made = words[this.memory.locked + shard.freeRecord] ?? 0;
    if (made === 0) made = this.memory.take(recordWords, reserved);
    else words[this.memory.locked + shard.freeRecord] = words[made + word.next] ?? 0;
    if (made === 0) return 0;
    words.fill(0, made, made + recordWords);
    words[made + word.hash] = hash;
    this.#writeName(made, caller);
    words[made + word.next] = words[chain] ?? 0;
    // Link it last: before this nobody finds it.
    words[chain] = made;
    this.memory.countCallers(1);
    return made;
  }

  #writeName(record: number, caller: string): void {
    const at = (record + nameWord) * 4;
    const length = Math.min(caller.length, nameBytesMax);
    this.memory.bytes[at] = length;
    for (let place = 0; place < length; place++) this.memory.bytes[at + 1 + place] = caller.charCodeAt(place);
  }

  /** @param link the word that refers to the record */
  #forget(link: number): void {
    this.windows.clear(this.window('lookup'));
    this.windows.clear(this.window('search'));
    this.#words[link] = this.#word(word.next);
    this.#words[this.#record + word.next] = this.#words[this.memory.locked + shard.freeRecord] ?? 0;
    this.#words[this.memory.locked + shard.freeRecord] = this.#record;
    this.memory.countCallers(-1);
  }

  #units({ lookup, search }: Units): Units {
    return { lookup: this.#word(lookup) >>> 0, search: this.#word(search) >>> 0 };
  }

  #setUnits(places: Units, { lookup, search }: Units): void {
    this.#words[this.#record + places.lookup] = lookup;
    this.#words[this.#record + places.search] = search;
  }

  #word(place: number): number {
    return this.#words[this.#record + place] ?? 0;
  }
}

/** For a caller without a record none is made, one is made within the limits, or one is made beyond them. */
type MissingRecord = 'leave' | 'make' | 'reserve';

const noUnits: Units = { lookup: 0, search: 0 };

/** When every limit is reached, newcomers share records instead of growing the memory. */
function sharedName(caller: string): string {
  return `shared_${hashText(caller, 0) % ledgerLimits.sharedRecords}`;
}
