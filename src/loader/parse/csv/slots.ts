/** The values of one row by slot, refilled row by row. */
import type { ColumnPlan, Layout, Repeated } from './columns.ts';
import { type CsvScanner, fieldText } from './scanner.ts';

export class RowSlots {
  /** By slot; null where the field is empty. */
  readonly #values: (string | null)[];
  readonly #plan: ColumnPlan;
  readonly #groupOf: Uint8Array;
  /** 1 for each group with a value in this row. */
  readonly #groupFilled: Uint8Array;
  readonly #filled: Int32Array;
  #filledCount = 0;

  constructor(layout: Layout, plan: ColumnPlan) {
    this.#values = new Array<string | null>(layout.names.length).fill(null);
    this.#plan = plan;
    this.#groupOf = Uint8Array.from(layout.groups);
    this.#groupFilled = new Uint8Array(layout.groupCount);
    this.#filled = new Int32Array(layout.names.length);
  }

  /** Takes over the fields of the row that the scanner holds. */
  fill(bytes: Buffer, scanner: CsvScanner): void {
    this.#clear();
    for (let index = 0; index < scanner.filledCount; index++) {
      const slot = this.#plan.slots[scanner.columns[index] ?? 0] ?? -1;
      if (slot < 0) continue;
      const text = fieldText(bytes, scanner, index);
      if (text === '') continue;
      this.#values[slot] = text;
      this.#filled[this.#filledCount++] = slot;
      this.#groupFilled[this.#groupOf[slot] ?? 0] = 1;
    }
  }

  /** The value of a slot, null where absent. */
  at(slot: number): string | null {
    return this.#values[slot] ?? null;
  }

  /** Calls `read` for each item of a repeated element that holds anything, in order. */
  list<Item, Value>(repeated: Repeated<Item>, read: (slots: Item) => Value): Value[] {
    if (this.#groupFilled[repeated.group] === 0) return [];
    const list: Value[] = [];
    for (const item of repeated.items) {
      if (this.#anyIn(item.first, item.last)) list.push(read(item.slots));
    }
    return list;
  }

  #anyIn(first: number, last: number): boolean {
    for (let slot = first; slot <= last; slot++) if (this.at(slot) !== null) return true;
    return false;
  }

  #clear(): void {
    for (let index = 0; index < this.#filledCount; index++) this.#values[this.#filled[index] ?? 0] = null;
    this.#filledCount = 0;
    this.#groupFilled.fill(0);
  }
}
