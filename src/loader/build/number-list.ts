/** Growing lists of 32-bit numbers and of flags, indexed from 0; a place never written holds 0. */
export interface NumberList {
  readonly length: number;
  get(index: number): number;
  set(index: number, value: number): void;
  push(value: number): void;
  /** The numbers so far; valid until the next push or set. */
  values(): Uint32Array;
}

export function createNumberList(expected = 1024): NumberList {
  let items: Uint32Array = new Uint32Array(expected);
  let length = 0;
  const reserve = (index: number) => {
    if (index < items.length) return;
    const wider = new Uint32Array(Math.max(items.length * 2, index + 1));
    wider.set(items);
    items = wider;
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
   * How many numbers a value has. With {@link Groups.at} it spares the view where most groups hold one number or
   * none: millions of views are more garbage than what they show.
   */
  count(value: number): number;
  /** The number of a value at a place from 0. */
  at(value: number, place: number): number;
  /** The numbers of a value, as a view that may be sorted. */
  of(value: number): Uint32Array;
}

/**
 * Groups numbers by a value each has: a counting sort, so numbers of a group keep their order.
 * @param valuesOf the value of each number; its index is the number
 * @param lastValue the greatest value
 */
export function groupNumbers(numbers: Uint32Array, valuesOf: Uint32Array, lastValue: number): Groups {
  return group(numbers.length, (index) => numbers[index] ?? 0, valuesOf, lastValue);
}

/** Groups all indexes of `valuesOf`; see {@link groupNumbers}. */
export function groupIndexes(valuesOf: Uint32Array, lastValue: number): Groups {
  return group(valuesOf.length, (index) => index, valuesOf, lastValue);
}

function group(
  count: number,
  numberAt: (index: number) => number,
  valuesOf: Uint32Array,
  lastValue: number,
): Groups {
  const ends = new Uint32Array(lastValue + 2);
  for (let index = 0; index < count; index++) {
    const value = valuesOf[numberAt(index)] ?? 0;
    ends[value + 1] = (ends[value + 1] ?? 0) + 1;
  }
  for (let value = 0; value <= lastValue; value++)
    ends[value + 1] = (ends[value + 1] ?? 0) + (ends[value] ?? 0);
  // What is now where each group starts moves to where it ends as its numbers are placed.
  const grouped = new Uint32Array(count);
  for (let index = 0; index < count; index++) {
    const number = numberAt(index);
    const value = valuesOf[number] ?? 0;
    const place = ends[value] ?? 0;
    grouped[place] = number;
    ends[value] = place + 1;
  }
  const start = (value: number) => (value === 0 ? 0 : (ends[value - 1] ?? 0));
  return {
    count: (value) => (ends[value] ?? 0) - start(value),
    at: (value, place) => grouped[start(value) + place] ?? 0,
    of: (value) => grouped.subarray(start(value), ends[value] ?? 0),
  };
}
