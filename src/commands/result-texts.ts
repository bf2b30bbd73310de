/** Formats results for the terminal: tables, sizes, and numbers with their nouns. */

/** One line for the headings and one for each row. Each column is as wide as its longest cell. */
export function textTable(heads: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const lines = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/** `1 key`, `6,930 keys`. @param many the plural, where it is not `one` and an s */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}
