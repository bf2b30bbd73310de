/**
 * Where the columns of a file kind go. A layout names every column once, in published order, and gives each a slot;
 * a plan, made once from the header of a file, says which slot each of its columns fills.
 */
import type { RowFault } from '../../rows.ts';
import { Refusal } from '../refusal.ts';

/** A repeated element, flattened to numbered columns: the slots of each of its items. */
export interface Repeated<Item> {
  /** Number of the group in {@link Layout.groups}. */
  readonly group: number;
  readonly items: readonly { readonly first: number; readonly last: number; readonly slots: Item }[];
}

export class Layout {
  /** Column names by slot. */
  readonly names: string[] = [];
  /** The group of each slot; 0 for columns outside of groups. */
  readonly groups: number[] = [];
  #group = 0;
  #groupCount = 1;

  /** The next column. */
  column(name: string): number {
    this.groups.push(this.#group);
    return this.names.push(name) - 1;
  }

  /** The columns of a repeated element, item by item; `name` holds `#` where the number stands. */
  repeated<Item>(name: string, times: number, item: (prefix: string) => Item): Repeated<Item> {
    const outer = this.#group;
    // An element repeated within a repeated one counts to the outer group, which is looked at first.
    const group = outer === 0 ? this.#groupCount++ : outer;
    this.#group = group;
    const items = Array.from({ length: times }, (_, index) => {
      const first = this.names.length;
      const slots = item(name.replace('#', String(index + 1)));
      return { first, last: this.names.length - 1, slots };
    });
    this.#group = outer;
    return { group, items };
  }

  get groupCount(): number {
    return this.#groupCount;
  }
}

/** Which slot each column of a file fills; -1 for a column that the layout does not know. */
export interface ColumnPlan {
  readonly slots: Int32Array;
  /** Odd about the header, but no hindrance. */
  readonly remarks: readonly RowFault[];
}

/**
 * @param header the column names of the file
 * @param keys slots without which no row can be used
 * @throws Refusal where a key column is missing or a column comes twice
 */
export function planColumns(header: readonly string[], layout: Layout, keys: readonly number[]): ColumnPlan {
  const slotOf = new Map(layout.names.map((name, slot) => [name, slot]));
  const slots = Int32Array.from(header, (name) => slotOf.get(name) ?? -1);
  const present = new Set<number>();
  for (const [column, slot] of slots.entries()) {
    if (slot >= 0 && present.has(slot)) throw new Refusal(`its header names column ${header[column]} twice`);
    present.add(slot);
  }
  for (const key of keys) {
    if (!present.has(key)) throw new Refusal(`its header lacks the column ${layout.names[key]}`);
  }
  return { slots, remarks: headerRemarks(header, layout, present) };
}

function headerRemarks(
  header: readonly string[],
  layout: Layout,
  present: ReadonlySet<number>,
): readonly RowFault[] {
  const place = { unit: 'line', number: 1 } as const;
  const remarks: RowFault[] = header
    .filter((name) => !layout.names.includes(name))
    .map((column) => ({ place, column, reason: 'is not a known column; its values are not used' }));
  const missing = layout.names.filter((_, slot) => !present.has(slot));
  if (missing.length > 0) {
    const named = missing.length > 3 ? `${missing.slice(0, 3).join(', ')} …` : missing.join(', ');
    const reason = `lacks ${missing.length} of ${layout.names.length} columns, whose values are absent: ${named}`;
    remarks.push({ place, column: null, reason });
  }
  return remarks;
}
