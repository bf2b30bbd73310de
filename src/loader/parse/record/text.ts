/** Removes XML's white space around a text, which means nothing in these formats; other spaces are part of the text. */
export function trimmed(text: string): string {
  if (text.charCodeAt(0) > 32 && text.charCodeAt(text.length - 1) > 32) return text;
  return text.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
}
