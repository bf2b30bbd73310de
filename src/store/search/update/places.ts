/**
 * Tracks the document numbers of companies while a delta changes them. Companies stay in order of rank: a company is
 * inserted between its neighbours, and if no number is free there, those up to the nearest free number move by one.
 */
import { uint32At } from '../../../bytes/numbers-in-bytes.ts';
import { namesPerChunk, type SearchTables } from '../format.ts';

/** Numbers of one grade: from `from` to below `to`. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/** The index has no free number left where a company belongs. */
export class NoRoom extends Error {}

export class DocumentPlaces {
  private readonly names: SearchTables['names'];
  private readonly leiOf: (entity: number) => string;
  /** How many companies may still be moved by one. */
  private movesLeft: number;
  /** Entity numbers by document, chunk by chunk; 0 for a free document. */
  private readonly chunks = new Map<number, Uint32Array>();
  /** The former documents of companies that have moved. */
  private readonly origins = new Map<number, number>();
  /** Where companies stand that were put or moved. */
  private readonly puts = new Map<number, number>();
  private readonly leis = new Map<number, string>();

  constructor(names: SearchTables['names'], leiOf: (entity: number) => string, movesMax: number) {
    this.names = names;
    this.leiOf = leiOf;
    this.movesLeft = movesMax;
  }

  /** Companies that have moved or were removed, with their former documents. */
  get moved(): ReadonlyMap<number, number> {
    return this.origins;
  }

  /** Where a company stands now that was put or moved. */
  placeOf(entity: number): number | undefined {
    return this.puts.get(entity);
  }

  entityAt(document: number): number {
    return this.chunkOf(document)[document % namesPerChunk] ?? 0;
  }

  private chunkOf(document: number): Uint32Array {
    const number = Math.floor(document / namesPerChunk);
    const known = this.chunks.get(number);
    if (known !== undefined) return known;
    if (this.names.read(number) === 0) throw new Error(`The search index has no names ${number}.`);
    const row = this.names.bytes;
    const entities = new Uint32Array(namesPerChunk);
    for (let i = 0; i < namesPerChunk; i++) {
      const start = uint32At(row, i * 4);
      if (start > 0) entities[i] = uint32At(row, start);
    }
    this.chunks.set(number, entities);
    return entities;
  }

  private set(document: number, entity: number): void {
    this.chunkOf(document)[document % namesPerChunk] = entity;
    if (entity > 0) this.puts.set(entity, document);
  }

  /** Removes a company. */
  remove(entity: number, document: number): void {
    this.origins.set(entity, document);
    this.set(document, 0);
  }

  /** Inserts a company where its LEI belongs. @throws NoRoom */
  insert(entity: number, lei: string, stretch: NumberRange): void {
    const after = this.firstAfter(lei, stretch);
    const left = this.lastBefore(after, stretch);
    const right = this.nextTaken(after, stretch.to);
    if (right - left > 1) {
      // Use the middle number, so that there is room on both sides; at the end, keep the rest in one piece.
      const middle = right === stretch.to ? left + 1 : (left + right) >>> 1;
      this.set(Math.max(middle, stretch.from), entity);
      return;
    }
    this.set(this.makeRoom(left, right, stretch), entity);
  }

  /** The first document whose company, and those of all later documents in the range, have greater LEIs. */
  private firstAfter(lei: string, { from, to }: NumberRange): number {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const taken = this.nextTaken(middle, high);
      if (taken < high && this.lei(taken) < lei) low = taken + 1;
      else high = middle;
    }
    return low;
  }

  private lei(document: number): string {
    const entity = this.entityAt(document);
    const known = this.leis.get(entity) ?? this.leiOf(entity);
    this.leis.set(entity, known);
    return known;
  }

  /** The first used document from `document` on; `end` if there is none. */
  private nextTaken(document: number, end: number): number {
    let next = document;
    while (next < end && this.entityAt(next) === 0) next++;
    return next;
  }

  /** The last used document before `document`; one less than the first of the stretch if there is none. */
  private lastBefore(document: number, { from }: NumberRange): number {
    let last = document - 1;
    while (last >= from && this.entityAt(last) === 0) last--;
    return last;
  }

  /** Moves companies by one up to the nearest free document. @returns the document that is then free */
  private makeRoom(left: number, right: number, { from, to }: NumberRange): number {
    for (let step = 1; step <= this.movesLeft; step++) {
      const [down, up] = [left - step, right + step];
      if (up < to && this.entityAt(up) === 0) return this.shift(up, right, -1);
      if (down >= from && this.entityAt(down) === 0) return this.shift(down, left, 1);
      if (up >= to && down < from) break;
    }
    throw new NoRoom();
  }

  /** Moves the companies between a free document and `last` (inclusive) by one towards the free one. */
  private shift(free: number, last: number, direction: 1 | -1): number {
    for (let to = free; to !== last; to += direction) {
      const from = to + direction;
      const entity = this.entityAt(from);
      if (!this.origins.has(entity)) this.origins.set(entity, from);
      this.set(to, entity);
      this.movesLeft--;
    }
    return last;
  }
}
