/** The values of one row by column, and where the values of a table of fields are among them. */
import type { FieldFormat } from '../record/fields.ts';
import type { ColumnList, ColumnPlan, RepeatedElement } from './columns.ts';
import { RepeatedTexts } from './repeated-texts.ts';
import { type CsvScanner, fieldText, isPlain } from './scanner.ts';

/** Refilled row by row. */
export class RowValues {
  /** By number of the column; null if the field is empty. */
  readonly #values: (string | null)[];
  readonly #plan: ColumnPlan;
  readonly #groupOf: Uint8Array;
  /** 1 for each group with a value in this row. */
  readonly #groupFilled: Uint8Array;
  readonly #filled: Int32Array;
  #filledCount = 0;
  readonly #repeated: RepeatedTexts;
  /** Fields of the row whose texts are not known. */
  readonly #others: Int32Array;

  constructor(columnList: ColumnList, plan: ColumnPlan) {
    this.#values = new Array<string | null>(columnList.names.length).fill(null);
    this.#plan = plan;
    this.#groupOf = Uint8Array.from(columnList.groups);
    this.#groupFilled = new Uint8Array(columnList.groupCount);
    this.#filled = new Int32Array(columnList.names.length);
    this.#repeated = new RepeatedTexts(columnList.names.length);
    this.#others = new Int32Array(plan.numbers.length);
  }

  /** Takes the fields of the row that the scanner has read: first the texts that are known, then slices of the others. */
  fill(bytes: Buffer, scanner: CsvScanner): void {
    this.#clear();
    let others = 0;
    for (let index = 0; index < scanner.filledCount; index++) {
      const column = this.#plan.numbers[scanner.columns[index] ?? 0] ?? -1;
      const known = column < 0 ? null : this.#knownText(bytes, scanner, index, column);
      if (known === null && column >= 0) this.#others[others++] = index;
      else scanner.leaveOut(index);
      if (known !== null) this.#take(column, known);
    }
    this.#takeOthers(bytes, scanner, others);
  }

  #takeOthers(bytes: Buffer, scanner: CsvScanner, count: number): void {
    for (let other = 0; other < count; other++) {
      const index = this.#others[other] ?? 0;
      const text = fieldText(bytes, scanner, index);
      if (text !== '') this.#take(this.#plan.numbers[scanner.columns[index] ?? 0] ?? 0, text);
    }
  }

  #knownText(bytes: Buffer, scanner: CsvScanner, index: number, column: number): string | null {
    return isPlain(bytes, scanner, index)
      ? this.#repeated.find(bytes, scanner.starts[index] ?? 0, scanner.ends[index] ?? 0, column)
      : null;
  }

  #take(column: number, text: string): void {
    this.#values[column] = text;
    this.#filled[this.#filledCount++] = column;
    this.#groupFilled[this.#groupOf[column] ?? 0] = 1;
  }

  /** The value in a column, null if absent. */
  at(column: number): string | null {
    return this.#values[column] ?? null;
  }

  /** Calls `read` for each non-empty item of a repeated element, in order. */
  list<Item, Value>(repeated: RepeatedElement<Item>, read: (columns: Item) => Value): Value[] {
    if (this.#groupFilled[repeated.group] === 0) return [];
    const list: Value[] = [];
    for (const item of repeated.items) {
      if (this.#anyIn(item.first, item.last)) list.push(read(item.columns));
    }
    return list;
  }

  #anyIn(first: number, last: number): boolean {
    for (let column = first; column <= last; column++) if (this.at(column) !== null) return true;
    return false;
  }

  #clear(): void {
    for (let index = 0; index < this.#filledCount; index++) this.#values[this.#filled[index] ?? 0] = null;
    this.#filledCount = 0;
    this.#groupFilled.fill(0);
  }
}

const itemsMax = 5;
const additionalLinesMax = 3;

/** Finds the values of a table of fields in the columns of a row. @param columnList gets the columns of the table */
export function csvFormat(columnList: ColumnList): FieldFormat<RowValues> {
  return {
    text(_at, name) {
      const column = columnList.column(name);
      return (row) => row.at(column);
    },
    texts(_at, column) {
      const items = columnList.repeated(`${column}.#`, itemsMax, (name) => columnList.column(name));
      return (row) => row.list(items, (item) => row.at(item) ?? '');
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
    list(_field, prefix, itemOf) {
      const items = columnList.repeated(`${prefix}.#`, itemsMax, itemOf);
      return (row, report) => row.list(items, (read) => read(row, report, 0));
    },
    unused: (column) => columnList.column(column),
  };
}

function numbered(name: string): string[] {
  return Array.from({ length: additionalLinesMax }, (_, index) => `${name}.${index + 1}`);
}
