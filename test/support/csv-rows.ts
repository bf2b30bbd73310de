/** Reads CSV independently of the loader's reader. */

/** Fields by the name of their column; '' where a row has none. */
export type CsvRow = Readonly<Record<string, string>>;

/** The rows of a CSV text, each field in quotes or not. Quoted fields have no line breaks. */
export function rowsOfCsv(csv: string): CsvRow[] {
  const [header = [], ...lines] = csv
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) =>
      Array.from(line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g), ([, quoted, plain]) =>
        quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
      ),
    );
  return lines.map((line) => Object.fromEntries(header.map((name, index) => [name, line[index] ?? ''])));
}
