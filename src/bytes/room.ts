/** Makes room in growing buffers: at least doubles the length, so that an item is copied about once on average. */

interface ItemArray<Items> {
  readonly length: number;
  set(source: Items): void;
  subarray(from: number, to: number): Items;
}

/**
 * The buffer itself if it has room for `needed` items, otherwise a longer one that begins with its first `used` items.
 * @param make makes a buffer of a length; filled with zeros if unwritten places are read
 */
export function withRoom<Items extends ItemArray<Items>>(
  items: Items,
  used: number,
  needed: number,
  make: (length: number) => Items,
): Items {
  return needed <= items.length ? items : longer(items, used, needed, make);
}

/** A separate function, so that the check alone is short enough for the engine to inline. */
function longer<Items extends ItemArray<Items>>(
  items: Items,
  used: number,
  needed: number,
  make: (length: number) => Items,
): Items {
  const made = make(Math.max(items.length * 2, needed));
  made.set(items.subarray(0, used));
  return made;
}
