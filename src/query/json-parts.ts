/** Parts of JSON that several answers are made of. */
import { type JsonBytes, type Piece, piece } from '../protocol/json-bytes.ts';
import type { EntitySummary, SummaryField } from '../store/publication-reader.ts';

const listStart = 0x5b;
const listEnd = 0x5d;
const comma = 0x2c;

/** A list, each item as `put` writes it. */
export function putList<Item>(out: JsonBytes, items: readonly Item[], put: (item: Item) => void): void {
  out.byte(listStart);
  items.forEach((item, index) => {
    if (index > 0) out.byte(comma);
    put(item);
  });
  out.byte(listEnd);
}

/** A member that shows a field of a company: the text before its value, and the field. */
interface ShownField {
  readonly before: Piece;
  readonly field: SummaryField;
}

export function shown(before: string, field: SummaryField): ShownField {
  return { before: piece(before), field };
}

export function putShown(out: JsonBytes, summary: EntitySummary, members: readonly ShownField[]): void {
  for (const { before, field } of members) {
    out.put(before);
    summary.put(out, field);
  }
}
