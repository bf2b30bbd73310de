/** Types of opencc-js's dictionaries, which its own types lack. */
declare module 'opencc-js/dict/*' {
  /** Entries joined by "|": characters, a space, and their replacements; of several readings the most common first. */
  const entries: string;
  export default entries;
}
