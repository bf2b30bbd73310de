/**
 * Checks single values of a record. A record with a bad key is rejected. Of other values there are only remarks: codes
 * are added and withdrawn over the years, so no code is refused.
 */
import { checkLei, type IdentifierCheck, isLei } from '../../../lei/identifiers.ts';
import { type RecordReport, shortQuoted } from './report.ts';

/** The LEI that passed last: files have the rows of one company together. */
let lastLei: string | null = null;

/** The LEI of a key field, or null after rejecting the record. */
export function keyLei(text: string | null, column: string, report: RecordReport): string | null {
  // Fast path: nearly all LEIs pass here without an allocation.
  if (text !== null && (text === lastLei || isLei(text))) {
    lastLei = text;
    return text;
  }
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
export function keyText(text: string | null, column: string, report: RecordReport): string | null {
  if (text === null) report.reject(column, 'is empty, but it is the key of the record');
  return text;
}

/** A required code that should be known. */
export function checkCode(
  code: string | null,
  known: ReadonlySet<string>,
  column: string,
  report: RecordReport,
): void {
  if (code === null) report.remark(column, 'is missing');
  else checkOptionalCode(code, known, column, report);
}

/** An optional code that should be known. */
export function checkOptionalCode(
  code: string | null,
  known: ReadonlySet<string>,
  column: string,
  report: RecordReport,
): void {
  if (code !== null && !known.has(code)) {
    report.remark(column, `${shortQuoted(code)} is not one of ${[...known].join(', ')}; kept as published`);
  }
}

/** An LEI that is not a key. */
export function checkLeiValue(lei: string | null, column: string, report: RecordReport): void {
  if (lei !== null && !isLei(lei))
    report.remark(column, `${shortQuoted(lei)} is not an LEI; kept as published`);
}

/**
 * Decides whether an item of a repeated element is empty. Empty items are left out, because the CSV form cannot show
 * them: `<OtherAddress/>` would otherwise be an address without a line.
 */
export function holdsAnything(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value !== null;
  return Object.values(value).some(holdsAnything);
}

/** Removes XML's white space around a text, which means nothing in these formats; other spaces are part of the text. */
export function trimmed(text: string): string {
  if (text.charCodeAt(0) > 32 && text.charCodeAt(text.length - 1) > 32) return text;
  return text.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
}
