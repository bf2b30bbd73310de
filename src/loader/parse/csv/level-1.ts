/** Reads the 338 columns of the level 1 golden copy CSV (LEI-CDF 3.1) as legal entity records. */
import { level1Fields } from '../../../lei/level-1-fields.ts';
import { holdsAnything } from '../record/blank.ts';
import { level1Reader } from '../record/level-1.ts';
import { ColumnList } from './columns.ts';
import type { RowValues } from './row-values.ts';

export const columnList = new ColumnList();
const itemsMax = 5;
const additionalLinesMax = 3;

/** Reads one row; what makes it unusable or odd goes to the report. */
export const readLevel1 = level1Reader<RowValues>({
  text: (_at, column) => textAt(column),
  lines({ first, additional }, prefix) {
    const columns = [first, ...numbered(additional)].map((name) => columnList.column(prefix + name));
    return (row) => {
      const lines: string[] = [];
      for (const column of columns) {
        const line = row.at(column);
        if (line !== null) lines.push(line);
      }
      return lines;
    };
  },
  list({ unused }, prefix, itemOf) {
    const items = columnList.repeated(`${prefix}.#`, itemsMax, itemOf);
    return (row, report) => {
      const list = row.list(items, (read) => read(row, report, 0));
      // Some items contain only unused values, such as the language of a missing name.
      return unused === undefined ? list : list.filter(holdsAnything);
    };
  },
  unused: (column) => columnList.column(column),
});

function textAt(name: string): (row: RowValues) => string | null {
  const column = columnList.column(name);
  return (row) => row.at(column);
}

function numbered(name: string): string[] {
  return Array.from({ length: additionalLinesMax }, (_, index) => `${name}.${index + 1}`);
}

export const keys = [columnList.names.indexOf(level1Fields.lei.at)];
