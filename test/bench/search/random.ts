/** Seeded random choices, the same on every machine. */
export interface Random {
  /** From 0 to below 1. */
  number(): number;
  /** From 0 to below `below`. */
  whole(below: number): number;
  of<T>(items: readonly T[]): T;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    number,
    whole: (below) => Math.floor(number() * below),
    of: (items) => {
      const item = items[Math.floor(number() * items.length)];
      if (item === undefined) throw new Error('Nothing to choose from.');
      return item;
    },
  };
}
