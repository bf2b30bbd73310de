/**
 * How values are joined into one compact text.
 *
 * A packed value is the JSON text of a string without its quotes. JSON text never holds a raw control character,
 * so those are free to separate: slots of a record, rows of a list, fields of a row, elements of a field.
 */

export const slotSeparator = '\n';
export const rowSeparator = '\u001e';
export const fieldSeparator = '\t';
export const elementSeparator = '\u001f';

/** A lone quote can begin no packed value, so it stands for the empty string; '' stands for null. */
const emptyString = '"';

const needsEscape = /[\u0000-\u001f"\\\ud800-\udfff]/;

/** The packed form of a value. */
export function pack(value: string | null): string {
  if (value === null) return '';
  if (value === '') return emptyString;
  return needsEscape.test(value) ? JSON.stringify(value).slice(1, -1) : value;
}

/** The JSON text of a packed value. */
export function packedToJson(packed: string): string {
  if (packed === '') return 'null';
  return packed === emptyString ? '""' : `"${packed}"`;
}

/** The value itself. */
export function unpack(packed: string): string | null {
  if (packed === '') return null;
  if (packed === emptyString) return '';
  return packed.includes('\\') ? String(JSON.parse(`"${packed}"`)) : packed;
}

/** A list of strings as one field. */
export function packElements(values: readonly string[]): string {
  return values.length === 1 ? pack(values[0] ?? '') : values.map(pack).join(elementSeparator);
}

/** The JSON text of a packed list of strings. */
export function elementsToJson(packed: string): string {
  if (packed === '') return '[]';
  if (!packed.includes(elementSeparator)) return `[${packedToJson(packed)}]`;
  return `[${packed.split(elementSeparator).map(packedToJson).join(',')}]`;
}

/** One row; it has at least two fields, so that it is never the empty text. */
export function packFields(fields: readonly (string | null)[]): string {
  return fields.map(pack).join(fieldSeparator);
}

/** A list of things as one slot: '' where it is empty. */
export function packRows<T>(items: readonly T[], fields: (item: T) => readonly (string | null)[]): string {
  if (items.length === 0) return '';
  return items.map((item) => packFields(fields(item))).join(rowSeparator);
}

/** The rows of a packed list, each as its packed fields. */
export function unpackRows(packed: string): string[][] {
  if (packed === '') return [];
  return packed.split(rowSeparator).map((row) => row.split(fieldSeparator));
}

/** The JSON text of a packed list, each row rendered from its packed fields. */
export function rowsToJson(packed: string, render: (fields: readonly string[]) => string): string {
  return packed === '' ? '[]' : `[${unpackRows(packed).map(render).join(',')}]`;
}
