/** A number as people read it: `12,345`. */
export function count(number: number): string {
  return number.toLocaleString('en');
}
