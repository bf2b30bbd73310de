/**
 * Decides whether an item of a repeated element is empty. Empty items are left out, because the CSV form cannot show
 * them: `<OtherAddress/>` would otherwise be an address without a line.
 */
export function holdsAnything(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== null;
  return Object.values(value).some(holdsAnything);
}
