/** Without the white space of XML around it, which means nothing in these formats; other spaces belong to the text. */
export function trimmed(text: string): string {
  if (text.charCodeAt(0) > 32 && text.charCodeAt(text.length - 1) > 32) return text;
  return text.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
}
