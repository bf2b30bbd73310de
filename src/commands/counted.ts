/** Writes a number with its noun. */

/** `1 key`, `6,930 keys`. @param many the plural, where it is not `one` and an s */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}
