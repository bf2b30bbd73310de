/** Tells where a row file (layout.ts) has room: free parts of it by size, and its end. */

/** A part of the file: both numbers count units of eight bytes. */
export interface FilePart {
  readonly place: number;
  readonly room: number;
}

/** A packed number stands for fewer units. */
const roomRange = 2 ** 21;

/** Appends a part as one or several numbers that sort by place. */
export function packPart({ place, room }: FilePart, into: number[]): void {
  for (let done = 0; done < room; done += roomRange - 1)
    into.push((place + done) * roomRange + Math.min(room - done, roomRange - 1));
}

/** The inverse of {@link packPart} for one number. */
export function unpackPart(packed: number): FilePart {
  return { place: Math.floor(packed / roomRange), room: packed % roomRange };
}

/** Parts of this many units and more are listed together. */
const sizesMost = 1024;
/** Smaller ones are left: only short lists fit there. */
const smallest = 8;
/** The number of the last large parts among which one is looked for. */
const lookedMost = 16;

export class FreeSpace {
  /** The end of the file. */
  end: number;
  readonly #bySize: FilePart[][] = Array.from({ length: sizesMost + 1 }, () => []);

  /** @param used all parts in use, packed, in any order */
  constructor(used: readonly number[]) {
    let end = 0;
    for (const packed of Float64Array.from(used).sort()) {
      const { place, room } = unpackPart(packed);
      this.give({ place: end, room: place - end });
      end = place + room;
    }
    this.end = end;
  }

  /** Marks a part as free. */
  give(part: FilePart): void {
    if (part.room >= smallest) this.#bySize[Math.min(sizesMost, part.room)]?.push(part);
  }

  /**
   * Takes room: from the smallest free part that has it, of large ones from one of the last, or else at the end. @returns its place
   */
  take(room: number): number {
    const found = this.#taken(room);
    if (found === null) {
      this.end += room;
      return this.end - room;
    }
    this.give({ place: found.place + room, room: found.room - room });
    return found.place;
  }

  #taken(room: number): FilePart | null {
    for (let size = room; size < sizesMost; size++) {
      const part = this.#bySize[size]?.pop();
      if (part !== undefined) return part;
    }
    const large = this.#bySize[sizesMost] ?? [];
    const first = Math.max(0, large.length - lookedMost);
    const at = large.findIndex((part, place) => place >= first && part.room >= room);
    return at < 0 ? null : (large.splice(at, 1)[0] ?? null);
  }
}
