/**
 * Numbers the columns of a file kind. A column list names and numbers every column once, in published order; a plan,
 * made once from the header of a file, gives the number of each of its columns.
 */
import type { RowFault } from '../../rows.ts';
import { FileRefusal } from '../file-reader.ts';

/** A repeated element, flattened: the columns of each of its items. */
export interface RepeatedElement<Item> {
  /** Number of the group in {@link ColumnList.groups}. */
  readonly group: number;
  readonly items: readonly { readonly first: number; readonly last: number; readonly columns: Item }[];
}

export class ColumnList {
  /** Column names by number. */
  readonly names: string[] = [];
  /** The group of each column; 0 for columns outside of groups. */
  readonly groups: number[] = [];
  #group = 0;
  #groupCount = 1;

  /** Adds a column that the list lacks. @returns its number */
  column(name: string): number {
    const known = this.names.indexOf(name);
    if (known !== -1) return known;
    this.groups.push(this.#group);
    return this.names.push(name) - 1;
  }

  /** The columns of a repeated element, item by item; `name` has `#` in place of the number. */
  repeated<Item>(name: string, times: number, item: (prefix: string) => Item): RepeatedElement<Item> {
    const outer = this.#group;
    // An element repeated within a repeated one belongs to the outer group, which is read first.
    const group = outer === 0 ? this.#groupCount++ : outer;
    this.#group = group;
    const items = Array.from({ length: times }, (_, index) => {
      const first = this.names.length;
      const columns = item(name.replace('#', String(index + 1)));
      return { first, last: this.names.length - 1, columns };
    });
    this.#group = outer;
    return { group, items };
  }

  get groupCount(): number {
    return this.#groupCount;
  }
}

/** How the header of a file matches a column list. */
export interface ColumnPlan {
  /** The number of each column of the file; -1 if the list lacks it. */
  readonly numbers: Int32Array;
  /** Odd about the header, but acceptable. */
  readonly remarks: readonly RowFault[];
}

/**
 * @param header the column names of the file
 * @param keys numbers of the columns without which no row can be used
 * @throws FileRefusal if a key column is missing or a column occurs twice
 */
export function planColumns(
  header: readonly string[],
  columnList: ColumnList,
  keys: readonly number[],
): ColumnPlan {
  const numberOf = new Map(columnList.names.map((name, number) => [name, number]));
  const numbers = Int32Array.from(header, (name) => numberOf.get(name) ?? -1);
  const present = new Set<number>();
  for (const [index, number] of numbers.entries()) {
    if (number >= 0 && present.has(number))
      throw new FileRefusal(`its header names column ${header[index]} twice`);
    present.add(number);
  }
  for (const key of keys) {
    if (!present.has(key)) throw new FileRefusal(`its header lacks the column ${columnList.names[key]}`);
  }
  return { numbers, remarks: headerRemarks(header, columnList, present) };
}

function headerRemarks(
  header: readonly string[],
  columnList: ColumnList,
  present: ReadonlySet<number>,
): readonly RowFault[] {
  const place = { unit: 'line', number: 1 } as const;
  const remarks: RowFault[] = header
    .filter((name) => !columnList.names.includes(name))
    .map((column) => ({ place, column, reason: 'is not a known column; its values are not used' }));
  const missing = columnList.names.filter((_, number) => !present.has(number));
  if (missing.length > 0) {
    const named = missing.length > 3 ? `${missing.slice(0, 3).join(', ')} …` : missing.join(', ');
    const reason = `lacks ${missing.length} of ${columnList.names.length} columns, whose values are missing: ${named}`;
    remarks.push({ place, column: null, reason });
  }
  return remarks;
}
