/** Growing lists of 32-bit numbers and of flags, indexed from 0; a place never written holds 0. */
import { type Memory, ownMemory } from '../../bytes/memory.ts';
import { withRoom } from '../../bytes/room.ts';
import { type Grouped, groupByBucket } from '../../store/buckets.ts';

export interface NumberList {
  readonly length: number;
  get(index: number): number;
  set(index: number, value: number): void;
  push(value: number): void;
  /** The numbers so far; valid until the next push or set. */
  values(): Uint32Array;
}

export function createNumberList(memory = ownMemory): NumberList {
  let items = memory.numbers(1024);
  let length = 0;
  const reserve = (index: number) => {
    items = withRoom(items, length, index + 1, memory.numbers);
  };
  return {
    get length() {
      return length;
    },
    get: (index) => items[index] ?? 0,
    set(index, value) {
      reserve(index);
      items[index] = value;
      if (index >= length) length = index + 1;
    },
    push(value) {
      reserve(length);
      items[length] = value;
      length++;
    },
    values: () => items.subarray(0, length),
  };
}

export interface Groups {
  /**
   * How many numbers a value has. With {@link Groups.at} it avoids the view if most groups have one number or none:
   * millions of views are more garbage than what they show.
   */
  count(value: number): number;
  /** The number of a value at a place from 0. */
  at(value: number, place: number): number;
  /** The numbers of a value, as a view that may be sorted. */
  of(value: number): Uint32Array;
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
export function groupIndexes(valuesOf: Uint32Array, lastValue: number, memory?: Memory): Grouped {
  return groupByBucket(valuesOf.length, lastValue + 1, (index) => valuesOf[index] ?? 0, memory);
}

export function groupsOf({ order: grouped, starts }: Grouped): Groups {
  const start = (value: number) => starts[value] ?? 0;
  return {
    count: (value) => start(value + 1) - start(value),
    at: (value, place) => grouped[start(value) + place] ?? 0,
    of: (value) => grouped.subarray(start(value), start(value + 1)),
  };
}
