/** Removes from a record what is blank in a file. */

/**
 * Decides whether an item of a repeated element is empty. Empty items are left out, because the CSV form cannot show
 * them: `<OtherAddress/>` would otherwise be an address without a line.
 */
export function holdsAnything(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== null;
  return Object.values(value).some(holdsAnything);
}

/** Removes XML's white space around a text, which means nothing in these formats; other spaces are part of the text. */
export function trimmed(text: string): string {
  if (text.charCodeAt(0) > 32 && text.charCodeAt(text.length - 1) > 32) return text;
  return text.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
}
