/**
 * Manages the memory that all threads of a service count in: one growing shared buffer, of which shards take pieces. A
 * reference is the number of a 32-bit word; 0 refers to nothing.
 *
 * ```
 * header     bytes taken so far, callers, two seeds
 * shards     256 × lock, free records and seconds, what is left of its piece, records to save
 * heads      256 × 2,048 chains of records
 * pieces …   records (records.ts) and seconds (windows.ts), as shards ask for them
 * ```
 *
 * A shard is changed only by the thread that holds its lock, so that nothing else needs to be atomic. A thread that
 * ends while it holds a lock leaves at worst unused pieces, and sums that records.ts recomputes.
 */
import { ledgerLimits } from '../limits.ts';

export const shardCount = 256;
export const headsPerShard = 2_048;
const header = { top: 0, callers: 1, lowSeed: 2, highSeed: 3, words: 16 } as const;
const shardWords = 16;
/** Words of a shard, from its first one. */
export const shard = {
  lock: 0,
  freeRecord: 1,
  freeSecond: 2,
  pieceNext: 3,
  pieceEnd: 4,
  unsaved: 5,
} as const;
const firstShard = header.words;
const firstHead = firstShard + shardCount * shardWords;
const firstPiece = firstHead + shardCount * headsPerShard;
const pieceWords = 512;
const wordBytes = 4;

/** The buffer of a new ledger. */
export function ledgerMemory(): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(firstPiece * wordBytes, {
    maxByteLength: ledgerLimits.memoryBytesMax,
  });
  const words = new Int32Array(buffer);
  words[header.top] = firstPiece;
  words.set(crypto.getRandomValues(new Int32Array(2)), header.lowSeed);
  return buffer;
}

export class LedgerMemory {
  readonly buffer: SharedArrayBuffer;
  readonly words: Int32Array;
  readonly floats: Float64Array;
  readonly bytes: Uint8Array;
  /** Keys of the hash that finds callers. */
  readonly lowSeed: number;
  readonly highSeed: number;
  /** What this thread writes into locks. */
  readonly #owner: number;
  /** The shard that this thread works in: it has locked it, or a thread that has ended. */
  locked = 0;

  /** @param thread a number that no other thread has or had */
  constructor(buffer: SharedArrayBuffer, thread: number) {
    this.buffer = buffer;
    // Without a length, views follow the growth of the buffer.
    this.words = new Int32Array(buffer);
    this.floats = new Float64Array(buffer);
    this.bytes = new Uint8Array(buffer);
    this.lowSeed = this.words[header.lowSeed] ?? 0;
    this.highSeed = this.words[header.highSeed] ?? 0;
    this.#owner = ownerOf(thread);
  }

  /** Callers with a record. */
  get callers(): number {
    return Atomics.load(this.words, header.callers);
  }

  countCallers(more: 1 | -1): void {
    Atomics.add(this.words, header.callers, more);
  }

  /** Bytes in use, for tests and benches. */
  get bytesTaken(): number {
    return Atomics.load(this.words, header.top) * wordBytes;
  }

  shardAt(number: number): number {
    return firstShard + number * shardWords;
  }

  headAt(number: number, chain: number): number {
    return firstHead + number * headsPerShard + chain;
  }

  /**
   * Locks a shard.
   * @param waitMsMax how long to wait for a thread that has it
   * @returns whether it was locked
   */
  lock(at: number, waitMsMax = Number.POSITIVE_INFINITY): boolean {
    const word = at + shard.lock;
    for (let tries = 0; ; tries++) {
      const holder = Atomics.compareExchange(this.words, word, 0, this.#owner);
      if (holder === 0) {
        this.locked = at;
        return true;
      }
      if (tries < ledgerLimits.lockSpins) continue;
      if (tries - ledgerLimits.lockSpins >= waitMsMax) return false;
      // Sleep: the holder may itself be waiting for a core.
      Atomics.wait(this.words, word, holder, 1);
    }
  }

  unlock(): void {
    Atomics.store(this.words, this.locked + shard.lock, 0);
  }

  /** Whether a thread that has ended holds the lock of this shard. */
  isHeldBy(at: number, thread: number): boolean {
    return Atomics.load(this.words, at + shard.lock) === ownerOf(thread);
  }

  /**
   * Takes words for a record or a second out of the locked shard's piece.
   * @param words an even number
   * @param reserved whether it may use the memory reserved for shared records
   * @returns 0 if there is no memory left
   */
  take(words: number, reserved = false): number {
    const at = this.locked;
    const next = this.words[at + shard.pieceNext] ?? 0;
    if (next + words <= (this.words[at + shard.pieceEnd] ?? 0)) {
      this.words[at + shard.pieceNext] = next + words;
      return next;
    }
    const piece = this.#newPiece(reserved ? 0 : ledgerLimits.memoryReservedBytes);
    if (piece === 0) return 0;
    this.words[at + shard.pieceNext] = piece + words;
    this.words[at + shard.pieceEnd] = piece + pieceWords;
    return piece;
  }

  #newPiece(keptBytes: number): number {
    for (;;) {
      const top = Atomics.load(this.words, header.top);
      if ((top + pieceWords) * wordBytes + keptBytes > this.buffer.maxByteLength) return 0;
      this.#growTo((top + pieceWords) * wordBytes);
      if (Atomics.compareExchange(this.words, header.top, top, top + pieceWords) === top) return top;
    }
  }

  #growTo(bytes: number): void {
    if (bytes <= this.buffer.byteLength) return;
    const wanted = Math.min(bytes + ledgerLimits.memoryGrowthBytes, this.buffer.maxByteLength);
    try {
      this.buffer.grow(wanted);
    } catch (error) {
      // Another thread may have grown it meanwhile.
      if (bytes > this.buffer.byteLength) throw error;
    }
  }
}

/** Never 0, which means an open lock. */
function ownerOf(thread: number): number {
  return thread + 1;
}
