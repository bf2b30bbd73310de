/** Room in buffers that grow: at least twice as long each time, so that an item is copied about once on average. */

interface Buffered<Items> {
  readonly length: number;
  set(source: Items): void;
  subarray(from: number, to: number): Items;
}

/**
 * The buffer itself where it has room for `needed` items, else a longer one that begins with its first `used`.
 * @param make makes a buffer of a length; of zeros where places that were never written are read
 */
export function withRoom<Items extends Buffered<Items>>(
  items: Items,
  used: number,
  needed: number,
  make: (length: number) => Items,
): Items {
  return needed <= items.length ? items : longer(items, used, needed, make);
}

/** A function of its own: the check alone is short enough for the engine to inline. */
function longer<Items extends Buffered<Items>>(
  items: Items,
  used: number,
  needed: number,
  make: (length: number) => Items,
): Items {
  const made = make(Math.max(items.length * 2, needed));
  made.set(items.subarray(0, used));
  return made;
}
