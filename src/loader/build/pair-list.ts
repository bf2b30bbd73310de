/** Pairs of an identifier and an entity number, as read from a mapping file, and their two orders. */
import { ownMemory, withRoom } from '../../bytes/memory.ts';
import { createNumberList, type Groups } from './number-list.ts';

/** Pairs as plain data. */
export interface PairColumns {
  /** Bytes of each identifier; null if they vary. */
  readonly width: number | null;
  /** Identifiers one after the other. */
  readonly bytes: Uint8Array;
  readonly entities: Uint32Array;
  /** The end of each identifier, if they vary. */
  readonly ends: Uint32Array;
}

export type GrowingPairs = ReturnType<typeof createPairs>;

/** Collects pairs while they are read. @param width bytes of each identifier; null where they vary */
export function createPairs(width: number | null, memory = ownMemory) {
  const room = (length: number) => bufferOf(memory.bytes(length));
  let bytes = room(16 * 1024);
  let used = 0;
  const entities = createNumberList(memory);
  const ends = createNumberList(memory);
  return {
    push(identifier: string, entity: number): void {
      // UTF-8 needs at most three bytes for each UTF-16 unit.
      bytes = withRoom(bytes, used, used + identifier.length * 3, room);
      if (width === null) used += bytes.write(identifier, used);
      // Identifiers of fixed width are ASCII, and copied faster here than by eleven million calls.
      else for (let i = 0; i < width; i++) bytes[used++] = identifier.charCodeAt(i);
      entities.push(entity);
      if (width === null) ends.push(used);
    },
    /** The pairs so far, not copied. */
    columns: (): PairColumns => ({
      width,
      bytes: bytes.subarray(0, used),
      entities: entities.values(),
      ends: ends.values(),
    }),
  };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

export type PairList = ReturnType<typeof openPairs>;

export function openPairs({ width, bytes: identifierBytes, entities, ends }: PairColumns) {
  const bytes = bufferOf(identifierBytes);
  const end = (pair: number) => (width === null ? (ends[pair] ?? 0) : (pair + 1) * width);
  const start = (pair: number) => (pair === 0 ? 0 : end(pair - 1));
  return {
    size: entities.length,
    identifier: (pair: number): string =>
      bytes.toString(width === null ? 'utf8' : 'latin1', start(pair), end(pair)),
    /** Identifiers one after the other (of fixed width only), and the entity of each. */
    identifierBytes: bytes,
    entities,
    /** Ascending order of the identifiers of two pairs. */
    compare(a: number, b: number): number {
      const aStart = start(a);
      const bStart = start(b);
      const aLength = end(a) - aStart;
      const bLength = end(b) - bStart;
      for (let i = 0; i < aLength && i < bLength; i++) {
        const difference = (bytes[aStart + i] ?? 0) - (bytes[bStart + i] ?? 0);
        if (difference !== 0) return difference;
      }
      return aLength - bLength;
    },
  };
}

/** The distinct identifiers of an entity whose group is sorted, one after the other (of fixed width only). */
export function sortedIdentifiers(pairs: PairList, groups: Groups, entity: number): Uint8Array {
  const bytes = pairs.identifierBytes;
  const width = bytes.length / pairs.size;
  const sorted = new Uint8Array(groups.count(entity) * width);
  let length = 0;
  let before = -1;
  for (const pair of groups.of(entity)) {
    if (before >= 0 && pairs.compare(before, pair) === 0) continue;
    for (let i = 0; i < width; i++) sorted[length++] = bytes[pair * width + i] ?? 0;
    before = pair;
  }
  return sorted.subarray(0, length);
}

/** Files mostly have the identifiers of a company in order. */
function isSorted(pairs: PairList, groups: Groups, entity: number, size: number): boolean {
  for (let place = 1; place < size; place++)
    if (pairs.compare(groups.at(entity, place - 1), groups.at(entity, place)) > 0) return false;
  return true;
}

/** The number of distinct identifiers in an entity's group, and the first of them, ascending. */
export function distinctIdentifiers(
  pairs: PairList,
  groups: Groups,
  entity: number,
  shownMax: number,
): { first: string[]; count: number } {
  const size = groups.count(entity);
  if (size > 1 && !isSorted(pairs, groups, entity, size)) groups.of(entity).sort(pairs.compare);
  const first: string[] = [];
  let count = 0;
  let before = -1;
  for (let place = 0; place < size; place++) {
    const pair = groups.at(entity, place);
    if (before < 0 || pairs.compare(before, pair) !== 0) {
      count++;
      if (count <= shownMax) first.push(pairs.identifier(pair));
    }
    before = pair;
  }
  return { first, count };
}
