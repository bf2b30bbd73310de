/** Lua is read as text. */
declare module '*.lua' {
  const source: string;
  export default source;
}
