/**
 * Changes of counts since the last save, in a file mapped into memory: the kernel keeps them when the process is killed,
 * and a change costs a few writes to memory. After a power failure the rows on disk hold all but the last second.
 *
 * An entry has the day's count and the newest second of one burst window as they are, not the difference: applying it
 * twice, or after a save, changes nothing. Entries fill one half of the file until a save begins, then the other one:
 *
 *     half 0   entries of generation 6 ── being saved ──► free once the save is done
 *     half 1   entries of generation 7 ◄── written meanwhile
 */
import { existsSync, statSync, writeFileSync } from 'node:fs';
import type { BurstWindow } from '../../ports/ledger.ts';
import type { Bucket } from './bucket.ts';
import { ledgerLimits } from './limits.ts';
import { secondOf } from './sliding-window.ts';

export interface JournalEntry {
  readonly caller: string;
  readonly day: number;
  /** Units of the day. */
  readonly used: number;
  readonly window: BurstWindow;
  /** Last arrival in the second, epoch ms. */
  readonly at: number;
  /** Units of the second. */
  readonly units: number;
}

const entryBytes = 64;
/** Positions in an entry, counted in numbers of their width. */
const wide = { used: 0, at: 1, units: 2 } as const;
const narrow = { generation: 6, day: 7 } as const;
const byte = { window: 32, length: 33, caller: 34 } as const;
const callerBytesMax = entryBytes - byte.caller;
/** The first entry is the header: a sign of the format, and the generations that count. */
const header = { sign: 0, current: 1, oldest: 2 } as const;
const sign = 0x6c656a31;

export class Journal {
  readonly #bytes: Uint8Array;
  readonly #wide: Float64Array;
  readonly #narrow: Uint32Array;
  /** Entries of the current generation. */
  #written = 0;

  /** @throws the system's error where the file can't be made or mapped */
  constructor(path: string) {
    const length = (1 + 2 * ledgerLimits.journalEntriesMax) * entryBytes;
    // Written rather than left sparse: a mapping that finds no room on a full disk ends the process.
    if (!existsSync(path) || statSync(path).size !== length) {
      writeFileSync(path, new Uint8Array(length), { mode: 0o600 });
    }
    this.#bytes = Bun.mmap(path, { shared: true });
    this.#wide = new Float64Array(this.#bytes.buffer, this.#bytes.byteOffset, length / 8);
    this.#narrow = new Uint32Array(this.#bytes.buffer, this.#bytes.byteOffset, length / 4);
    const generations = this.#current - this.#oldest;
    if (this.#narrow[header.sign] !== sign || generations < 0 || generations > 1) this.#begin();
    while (this.#isOf(this.#entryAt(this.#current, this.#written), this.#current)) this.#written++;
  }

  /** Writes down what a bucket holds after a change in one window. When the half is full, nothing. */
  note(bucket: Bucket, window: BurstWindow): void {
    const generation = this.#current;
    const seconds = bucket.window(window);
    const at = seconds.lastAt();
    let entry = bucket.entry;
    if (bucket.entryGeneration !== generation || !this.#isAbout(entry, bucket.day, window, at)) {
      if (this.#written >= ledgerLimits.journalEntriesMax || bucket.caller.length > callerBytesMax) return;
      entry = this.#entryAt(generation, this.#written);
      this.#name(entry, bucket, window);
    }
    this.#wide[(entry * entryBytes) / 8 + wide.used] = bucket.used;
    this.#wide[(entry * entryBytes) / 8 + wide.at] = at;
    this.#wide[(entry * entryBytes) / 8 + wide.units] = seconds.newest();
    if (bucket.entryGeneration === generation && bucket.entry === entry) return;
    // Last: until now the entry does not count.
    this.#narrow[(entry * entryBytes) / 4 + narrow.generation] = generation;
    bucket.entry = entry;
    bucket.entryGeneration = generation;
    this.#written++;
  }

  /** The entries that no save has confirmed, oldest first. */
  *unsaved(): Iterable<JournalEntry> {
    for (let generation = this.#oldest; generation <= this.#current; generation++) {
      for (let index = 0; index < ledgerLimits.journalEntriesMax; index++) {
        const entry = this.#entryAt(generation, index);
        if (!this.#isOf(entry, generation)) break;
        yield this.#read(entry);
      }
    }
  }

  /** A save begins. Entries go to the other half from now on, unless that holds what an earlier save did not confirm. */
  saveBegins(): void {
    if (this.#oldest !== this.#current) return;
    this.#narrow[header.current] = this.#current + 1;
    this.#written = 0;
  }

  /** Everything that changed before the last {@link saveBegins} is on disk. */
  saved(): void {
    this.#narrow[header.oldest] = this.#current;
  }

  get #current(): number {
    return this.#narrow[header.current] ?? 0;
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

  #name(entry: number, { caller, day }: Bucket, window: BurstWindow): void {
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
      used: this.#wide[start / 8 + wide.used] ?? 0,
      window: this.#bytes[start + byte.window] === windowCode('lookup') ? 'lookup' : 'search',
      at: this.#wide[start / 8 + wide.at] ?? 0,
      units: this.#wide[start / 8 + wide.units] ?? 0,
    };
  }
}

function windowCode(window: BurstWindow): number {
  return window === 'lookup' ? 0 : 1;
}
