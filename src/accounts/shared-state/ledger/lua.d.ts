/** Declares Lua files, which are imported as text. */
declare module '*.lua' {
  const source: string;
  export default source;
}
