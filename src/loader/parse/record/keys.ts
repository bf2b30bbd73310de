/** Reads the values without which a record can't be used: its identifiers and types. */
import { checkLei, type IdentifierCheck, isLei } from '../../../lei/identifiers.ts';
import { relationshipFields } from '../../../lei/level-2-fields.ts';
import { exceptionCategories } from '../../../lei/relationship.ts';
import { quoted, type RecordReport } from './report.ts';

/** The LEI of a key field, or null after rejecting the record. */
export function keyLei(text: string | null, column: string, report: RecordReport): string | null {
  // Fast path: nearly all LEIs pass here without an allocation.
  if (text !== null && isLei(text)) return text;
  return keyIdentifier(text, column, checkLei, report);
}

/** Any identifier of a key field, or null after rejecting the record. */
export function keyIdentifier(
  text: string | null,
  column: string,
  check: (text: string) => IdentifierCheck,
  report: RecordReport,
): string | null {
  const present = keyText(text, column, report);
  if (present === null) return null;
  const checked = check(present);
  if (checked.ok) return checked.value;
  report.reject(column, checked.reason);
  return null;
}

/** A key field that may be any text, or null after rejecting the record. */
function keyText(text: string | null, column: string, report: RecordReport): string | null {
  if (text === null) report.reject(column, 'is empty, but it is the key of the record');
  return text;
}

/** Where the key of a relationship record is, in every format. */
export const relationshipKey = {
  start: 'Relationship.StartNode.NodeID',
  end: 'Relationship.EndNode.NodeID',
  type: relationshipFields.type.at,
} as const;

/** The ends of a relationship record, or null after rejecting it; its type is part of the key too. */
export function readRelationshipKey(
  startText: string | null,
  endText: string | null,
  typeText: string | null,
  report: RecordReport,
): { readonly start: string; readonly end: string } | null {
  const start = keyLei(startText, relationshipKey.start, report);
  if (start === null) return null;
  const end = keyLei(endText, relationshipKey.end, report);
  if (end === null) return null;
  const type = keyText(typeText, relationshipKey.type, report);
  return type === null ? null : { start, end };
}

const categories: ReadonlySet<string> = new Set(Object.values(exceptionCategories));

/** The key of a reporting exception, or null after rejecting it. */
export function readExceptionKey(
  leiText: string | null,
  categoryText: string | null,
  report: RecordReport,
): { readonly lei: string; readonly category: string } | null {
  const lei = keyLei(leiText, 'LEI', report);
  if (lei === null) return null;
  const category = keyText(categoryText, 'Exception.Category', report);
  if (category === null) return null;
  if (categories.has(category)) return { lei, category };
  // The category says which of the two parents is not reported; any other category is useless.
  report.reject('Exception.Category', `${quoted(category)} is not one of ${[...categories].join(', ')}`);
  return null;
}
