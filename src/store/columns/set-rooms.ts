/**
 * Rooms for sets as bits, which lists use one after the other: allocating 430 kB for each set among 3,450,000 companies, whose
 * pages the kernel has to find at the first write, took more than half of the time of a list.
 */

/** Free rooms that are kept: a list has three or four. */
const freeMax = 8;

export class SetRooms {
  /** Of each room. */
  readonly words: number;
  readonly #free: Uint32Array[] = [];
  /** How many lists, and others that keep sets, use each room. */
  readonly #users = new WeakMap<Uint32Array, number>();

  constructor(words: number) {
    this.words = words;
  }

  take(): Uint32Array {
    const room = this.#free.pop() ?? new Uint32Array(this.words);
    this.share(room);
    return room;
  }

  /** Adds a user to a room. */
  share(room: Uint32Array): void {
    this.#users.set(room, (this.#users.get(room) ?? 0) + 1);
  }

  /** Ends one use of a room. It is free after the last one. */
  give(room: Uint32Array): void {
    const users = (this.#users.get(room) ?? 0) - 1;
    this.#users.set(room, users);
    if (users === 0 && this.#free.length < freeMax) this.#free.push(room);
  }
}

/** The rooms that one list uses until it ends. If it never ends, the collector has them. */
export class ListRooms {
  /** Those of all lists. */
  readonly all: SetRooms;
  readonly #used: Uint32Array[] = [];

  constructor(all: SetRooms) {
    this.all = all;
  }

  #take(): Uint32Array {
    const room = this.all.take();
    this.#used.push(room);
    return room;
  }

  /** All bits are 0. */
  empty(): Uint32Array {
    return this.#take().fill(0);
  }

  /** All bits are 1. */
  full(): Uint32Array {
    return this.#take().fill(0xffff_ffff);
  }

  copyOf(words: Uint32Array): Uint32Array {
    const room = this.#take();
    room.set(words);
    return room;
  }

  /** The room of a set that others have too stays as it is until the list ends. */
  share(words: Uint32Array): void {
    this.all.share(words);
    this.#used.push(words);
  }

  /** The list needs a room no longer. */
  give(room: Uint32Array): void {
    const at = this.#used.indexOf(room);
    if (at === -1) return;
    this.#used.splice(at, 1);
    this.all.give(room);
  }

  end(): void {
    for (const room of this.#used.splice(0)) this.all.give(room);
  }
}
