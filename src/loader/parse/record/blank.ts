/** Leaves out of a record what is blank in a file. */

/**
 * Whether an item of a repeated element says anything. One that says nothing is left out, since the CSV form has no
 * trace of it: `<OtherAddress/>` would otherwise be an address without a line.
 */
export function holdsAnything(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== null;
  return Object.values(value).some(holdsAnything);
}

/** Without the white space of XML around it, which means nothing in these formats; other spaces belong to the text. */
export function trimmed(text: string): string {
  if (text.charCodeAt(0) > 32 && text.charCodeAt(text.length - 1) > 32) return text;
  return text.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
}
