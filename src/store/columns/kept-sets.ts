/**
 * Keeps sets of entities for the lists that ask for them again. A small set is kept as a list of its members, so that many
 * sets have room: the bits of one take 430 kB among 3,450,000 companies.
 */
import type { Steps } from '../steps.ts';
import { type EntitySet, entitiesIn, setBit } from './bits.ts';
import type { ListRooms, SetRooms } from './set-rooms.ts';

/** Kept sets together take as much memory as so many sets as bits. */
const wholeMax = 12;
/** Sets that are kept at most: a set that has few members, or none, still takes memory for its name. */
const keptMax = 512;
/** A set with fewer members than one of so many companies is kept as a list, which then takes a quarter of the bits. */
const smallShare = 128;

export class KeptSets {
  readonly #rooms: SetRooms;
  /** The last used ones last. */
  readonly #kept = new Map<string, EntitySet | Uint32Array>();
  #bytes = 0;

  constructor(rooms: SetRooms) {
    this.#rooms = rooms;
  }

  /** Null unless it is kept. It must not be changed: the next list may get it too. */
  get(name: string, rooms: ListRooms): EntitySet | null {
    const kept = this.#kept.get(name);
    if (kept === undefined) return null;
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    if ('words' in kept) {
      rooms.share(kept.words);
      return kept;
    }
    const words = rooms.empty();
    for (let i = 0; i < kept.length; i++) setBit(words, kept[i] ?? 0);
    return { words, count: kept.length };
  }

  /** Keeps a set of a list, and forgets those that were not used for longest. */
  *put(name: string, set: EntitySet): Steps<void> {
    const isSmall = set.count * smallShare < this.#rooms.words * 32;
    const kept = isSmall ? yield* entitiesIn(set) : set;
    // Another list may have kept the same set meanwhile.
    if (this.#kept.has(name)) return;
    if (!isSmall) this.#rooms.share(set.words);
    this.#kept.set(name, kept);
    this.#bytes += bytesOf(kept);
    const bytesMax = wholeMax * this.#rooms.words * Uint32Array.BYTES_PER_ELEMENT;
    for (const [oldest, each] of this.#kept) {
      if (this.#kept.size <= keptMax && this.#bytes <= bytesMax) return;
      this.#kept.delete(oldest);
      this.#bytes -= bytesOf(each);
      if ('words' in each) this.#rooms.give(each.words);
    }
  }
}

function bytesOf(kept: EntitySet | Uint32Array): number {
  return ('words' in kept ? kept.words : kept).byteLength;
}
