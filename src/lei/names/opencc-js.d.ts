/** opencc-js describes its converters and not the dictionaries they are made of. */
declare module 'opencc-js/dict/*' {
  /** Entries joined by "|": characters, a space, and what they become; of several readings the most common first. */
  const entries: string;
  export default entries;
}
