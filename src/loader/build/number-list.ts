/** Growing lists of 32-bit numbers, indexed from 0; a place never written holds 0. Marks and groups of numbers. */
import { type Memory, ownMemory, withRoom } from '../../bytes/memory.ts';
import { type BucketGroups, groupByBucket } from '../../store/buckets.ts';

export function createNumberList(memory = ownMemory) {
  let items = memory.numbers(1024);
  let length = 0;
  const reserve = (index: number) => {
    items = withRoom(items, length, index + 1, memory.numbers);
  };
  return {
    get length(): number {
      return length;
    },
    get: (index: number): number => items[index] ?? 0,
    set(index: number, value: number): void {
      reserve(index);
      items[index] = value;
      if (index >= length) length = index + 1;
    },
    push(value: number): void {
      reserve(length);
      items[length] = value;
      length++;
    },
    /** The numbers so far, not copied. */
    values: () => items.subarray(0, length),
  };
}

/** Marks of numbers: of nearly all up to the greatest, or of few among millions. */
interface Marks {
  /** 0 if there is none. */
  get(number: number): number;
  /** @param mark above 0 */
  set(number: number, mark: number): void;
  /** Numbers with a mark, from the lowest. */
  marked(): Iterable<number>;
}

/** @param few whether so few are marked that a list up to the greatest number would cost more than the marks */
export function createMarks(few: boolean): Marks {
  return few ? createFewMarks() : createManyMarks();
}

function createFewMarks(): Marks {
  const marks = new Map<number, number>();
  return {
    get: (number) => marks.get(number) ?? 0,
    set: (number, mark) => void marks.set(number, mark),
    marked: () => [...marks.keys()].sort((a, b) => a - b),
  };
}

function createManyMarks(): Marks {
  const marks = createNumberList();
  return {
    get: marks.get,
    set: marks.set,
    *marked() {
      for (let number = 0; number < marks.length; number++) if (marks.get(number) > 0) yield number;
    },
  };
}

/**
 * Groups numbers by a value of each; numbers of a group keep their order.
 * @param valuesOf the value of each number; its index is the number
 * @param lastValue the greatest value
 */
export function groupNumbers(numbers: Uint32Array, valuesOf: Uint32Array, lastValue: number): Groups {
  const valueAt = (index: number) => valuesOf[numbers[index] ?? 0] ?? 0;
  const { order, starts } = groupByBucket(numbers.length, lastValue + 1, valueAt);
  for (let place = 0; place < order.length; place++) order[place] = numbers[order[place] ?? 0] ?? 0;
  return groupsOf({ order, starts });
}

/** Groups all indexes of `valuesOf`, for {@link groupsOf}. */
export function groupIndexes(valuesOf: Uint32Array, lastValue: number, memory?: Memory): BucketGroups {
  return groupByBucket(valuesOf.length, lastValue + 1, (index) => valuesOf[index] ?? 0, memory);
}

export type Groups = ReturnType<typeof groupsOf>;

export function groupsOf({ order: grouped, starts }: BucketGroups) {
  const start = (value: number) => starts[value] ?? 0;
  return {
    /**
     * How many numbers a value has. With {@link Groups.at} it avoids the view if most groups have one number or none:
     * millions of views are more garbage than what they show.
     */
    count: (value: number): number => start(value + 1) - start(value),
    /** The number of a value at a place from 0. */
    at: (value: number, place: number): number => grouped[start(value) + place] ?? 0,
    /** The numbers of a value, as a view that may be sorted. */
    of: (value: number): Uint32Array => grouped.subarray(start(value), start(value + 1)),
  };
}
