/** Writes cells of CSV after RFC 4180, also in a way that is safe to open in a spreadsheet. */

/** By which Excel recognises a file of UTF-8. */
export const byteOrderMark = '\ufeff';

/** A text, a whole number, or null for an absent value. */
export type CellValue = string | number | null;

/** An empty text is quoted, to distinguish it from null, an absent value. */
export function csvField(cell: CellValue, separator = ','): string {
  if (cell === null) return '';
  const text = String(cell);
  return text === '' || text.includes(separator) || /["\r\n]/.test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}

/**
 * The same with an apostrophe before a text that a spreadsheet would run as a formula: companies and registers choose
 * their names and numbers freely.
 */
export function safeCsvField(cell: CellValue, separator = ','): string {
  return csvField(typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell, separator);
}
