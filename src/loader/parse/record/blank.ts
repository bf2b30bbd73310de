/**
 * Whether an item of a repeated element says anything. One that says nothing is left out, since the CSV form has no
 * trace of it: `<OtherAddress/>` would otherwise be an address without a line.
 */
export function holdsAnything(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== null;
  return Object.values(value).some(holdsAnything);
}
