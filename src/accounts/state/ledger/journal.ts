/**
 * Records changes of counts since the last save, in a file mapped into memory: the kernel keeps them when the process
 * is killed, and a change costs a few writes to memory. After a power failure the rows on disk lack only the last
 * second.
 *
 * An entry has the absolute values of the day's count and of the newest second of one burst window: applying it twice,
 * or after a save, changes nothing. Entries fill one half of the file until a save begins, then the other one:
 *
 *     half 0   entries of generation 6 ── being saved ──► free once the save is done
 *     half 1   entries of generation 7 ◄── written meanwhile
 *
 * Every thread maps the file. The thread that opened it first moves from one generation to the next; all share the
 * words with the generation and the numbers of entries in each half. A thread reads them while it holds the lock of
 * what it records, and a save reads everything under these locks. What a save does not see therefore belongs to the
 * next generation.
 */
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { atPath } from '../../../errors.ts';
import type { BurstWindow } from '../../../ports/ledger.ts';
import type { JournalShare } from '../../../ports/state.ts';
import { ledgerLimits } from '../limits.ts';
import type { ShardRecords, Units } from './records.ts';
import { secondOf } from './windows.ts';

interface JournalEntry {
  readonly caller: string;
  readonly day: number;
  /** Of the day. */
  readonly used: Units;
  readonly window: BurstWindow;
  /** Last arrival in the second, epoch ms. */
  readonly at: number;
  /** Units of the second. */
  readonly units: number;
}

const entryBytes = 64;
/** Positions in an entry, counted in numbers of their width. */
const wide = { at: 1, units: 2 } as const;
const narrow = { lookups: 0, searches: 1, generation: 6, day: 7 } as const;
const byte = { window: 32, length: 33, caller: 34 } as const;
const callerBytesMax = entryBytes - byte.caller;
/** The first entry is the header: a magic number, and the generations that count. */
const header = { sign: 0, current: 1, oldest: 2 } as const;
const sign = 0x6c656a32;

/** The current generation, and the entries in each half. */
const shared = { generation: 0, written: 1, words: 3 } as const;

/** @throws the system's error, and leaves no part of the file */
function writeEmpty(path: string, length: number): void {
  try {
    writeFileSync(path, new Uint8Array(length), { mode: 0o600 });
  } catch (error) {
    rmSync(path, { force: true });
    throw atPath(error, path);
  }
}

export class Journal {
  readonly share: JournalShare;
  readonly #bytes: Uint8Array;
  readonly #wide: Float64Array;
  readonly #narrow: Uint32Array;
  readonly #shared: Int32Array;

  /**
   * @param words of the thread that opened it first
   * @throws the system's error if the file can't be created or mapped
   */
  constructor(path: string, words?: SharedArrayBuffer) {
    const length = (1 + 2 * ledgerLimits.journalEntriesMax) * entryBytes;
    // Write the file instead of leaving it sparse: writing to a mapping on a full disk ends the process.
    if (!existsSync(path) || statSync(path).size !== length) writeEmpty(path, length);
    this.#bytes = Bun.mmap(path, { shared: true });
    this.#wide = new Float64Array(this.#bytes.buffer, this.#bytes.byteOffset, length / 8);
    this.#narrow = new Uint32Array(this.#bytes.buffer, this.#bytes.byteOffset, length / 4);
    this.share = { path, words: words ?? new SharedArrayBuffer(shared.words * 4) };
    this.#shared = new Int32Array(this.share.words);
    if (words === undefined) this.#resume();
  }

  #resume(): void {
    const oldest = this.#narrow[header.oldest] ?? 0;
    const current = this.#narrow[header.current] ?? 0;
    if (this.#narrow[header.sign] !== sign || current < oldest || current - oldest > 1) this.#begin();
    this.#shared[shared.generation] = this.#narrow[header.current] ?? 0;
    for (const generation of [this.#oldest, this.#current]) {
      for (const index of this.#entriesOf(generation)) this.#shared[writtenIn(generation)] = index + 1;
    }
  }

  /** Records the open record's content after a change in one window. Does nothing when the half is full. */
  note(record: ShardRecords, window: BurstWindow): void {
    const generation = this.#current;
    const { windows } = record;
    const place = record.window(window);
    const at = windows.lastAt(place);
    let { entry } = record;
    const goesOn = record.entryGeneration === generation && this.#isAbout(entry, record.day, window, at);
    if (!goesOn) {
      entry = this.#newEntry(generation);
      if (entry === 0) return;
      this.#name(entry, record.caller, record.day, window);
    }
    this.#narrow[(entry * entryBytes) / 4 + narrow.lookups] = record.unitsOf('lookup');
    this.#narrow[(entry * entryBytes) / 4 + narrow.searches] = record.unitsOf('search');
    this.#wide[(entry * entryBytes) / 8 + wide.at] = at;
    this.#wide[(entry * entryBytes) / 8 + wide.units] = windows.newest(place);
    if (goesOn) return;
    // Write this last: before this the entry does not count.
    this.#narrow[(entry * entryBytes) / 4 + narrow.generation] = generation;
    record.setEntry(entry, generation);
  }

  /** @returns 0 if the half is full */
  #newEntry(generation: number): number {
    const written = writtenIn(generation);
    if (Atomics.load(this.#shared, written) >= ledgerLimits.journalEntriesMax) return 0;
    const index = Atomics.add(this.#shared, written, 1);
    return index < ledgerLimits.journalEntriesMax ? this.#entryAt(generation, index) : 0;
  }

  /** The entries that no save has confirmed, oldest first. */
  *unsaved(): Iterable<JournalEntry> {
    for (let generation = this.#oldest; generation <= this.#current; generation++) {
      for (const index of this.#entriesOf(generation)) yield this.#read(this.#entryAt(generation, index));
    }
  }

  /** A thread that ended while it wrote one leaves an entry out. */
  *#entriesOf(generation: number): Iterable<number> {
    for (let index = 0; index < ledgerLimits.journalEntriesMax; index++) {
      if (this.#isOf(this.#entryAt(generation, index), generation)) yield index;
    }
  }

  /**
   * A save begins. Entries go to the other half from now on, unless that contains entries that an earlier save did not
   * confirm.
   */
  saveBegins(): void {
    const next = this.#current + 1;
    if (this.#oldest !== this.#current) return;
    Atomics.store(this.#shared, writtenIn(next), 0);
    this.#narrow[header.current] = next;
    Atomics.store(this.#shared, shared.generation, next);
  }

  /** Everything that changed before the last {@link saveBegins} is on disk. */
  saved(): void {
    this.#narrow[header.oldest] = this.#current;
  }

  get #current(): number {
    return Atomics.load(this.#shared, shared.generation);
  }

  get #oldest(): number {
    return this.#narrow[header.oldest] ?? 0;
  }

  /** Generations begin at 1: free entries have 0. */
  #begin(): void {
    this.#bytes.fill(0);
    this.#narrow[header.current] = 1;
    this.#narrow[header.oldest] = 1;
    this.#narrow[header.sign] = sign;
  }

  #entryAt(generation: number, index: number): number {
    return 1 + (generation % 2) * ledgerLimits.journalEntriesMax + index;
  }

  #isOf(entry: number, generation: number): boolean {
    return this.#narrow[(entry * entryBytes) / 4 + narrow.generation] === generation;
  }

  #isAbout(entry: number, day: number, window: BurstWindow, at: number): boolean {
    const start = entry * entryBytes;
    return (
      this.#narrow[start / 4 + narrow.day] === day &&
      this.#bytes[start + byte.window] === windowCode(window) &&
      secondOf(this.#wide[start / 8 + wide.at] ?? 0) === secondOf(at)
    );
  }

  #name(entry: number, name: string, day: number, window: BurstWindow): void {
    const caller = name.slice(0, callerBytesMax);
    const start = entry * entryBytes;
    this.#narrow[start / 4 + narrow.day] = day;
    this.#bytes[start + byte.window] = windowCode(window);
    this.#bytes[start + byte.length] = caller.length;
    for (let at = 0; at < caller.length; at++) this.#bytes[start + byte.caller + at] = caller.charCodeAt(at);
  }

  #read(entry: number): JournalEntry {
    const start = entry * entryBytes;
    const callerStart = start + byte.caller;
    const caller = this.#bytes.subarray(callerStart, callerStart + (this.#bytes[start + byte.length] ?? 0));
    return {
      caller: Buffer.from(caller).toString('latin1'),
      day: this.#narrow[start / 4 + narrow.day] ?? 0,
      used: {
        lookup: this.#narrow[start / 4 + narrow.lookups] ?? 0,
        search: this.#narrow[start / 4 + narrow.searches] ?? 0,
      },
      window: this.#bytes[start + byte.window] === windowCode('lookup') ? 'lookup' : 'search',
      at: this.#wide[start / 8 + wide.at] ?? 0,
      units: this.#wide[start / 8 + wide.units] ?? 0,
    };
  }
}

/** The word with the number of entries in the half of a generation. */
function writtenIn(generation: number): number {
  return shared.written + (generation % 2);
}

function windowCode(window: BurstWindow): number {
  return window === 'lookup' ? 0 : 1;
}
