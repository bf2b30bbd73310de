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
