/** Finds the values of a table of fields in the columns of a CSV row. */
import { holdsAnything } from '../record/blank.ts';
import type { Format } from '../record/fields.ts';
import type { ColumnList } from './columns.ts';
import type { RowValues } from './row-values.ts';

const itemsMax = 5;
const additionalLinesMax = 3;

/** @param columnList gets the columns of the table */
export function csvFormat(columnList: ColumnList): Format<RowValues> {
  return {
    text(_at, name) {
      const column = columnList.column(name);
      return (row) => row.at(column);
    },
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
  };
}

function numbered(name: string): string[] {
  return Array.from({ length: additionalLinesMax }, (_, index) => `${name}.${index + 1}`);
}
