/**
 * Writes the CSV form of the golden copy: every field quoted, empty ones too, line feeds, no byte order mark. The
 * published sizes of the level 1 file and of the relationship file agree with this style (decisions/080).
 */
import { compileText } from '../../lei/compile-fields.ts';
import { asText, type FilePlace, isList, type ListPlace, type TextPlace } from './places.ts';

/** A field in quotes; null gives an empty one. */
function quoted(value: string | null): string {
  if (value === null) return '""';
  return value.includes('"') ? `"${value.replaceAll('"', '""')}"` : `"${value}"`;
}

function quotedText(value: unknown): string {
  return quoted(asText(value));
}

/** A line of fields, with its line end. */
export function csvLine(fields: readonly string[]): string {
  return `${fields.map(quoted).join(',')}\n`;
}

/** The names of the columns of places, with those of the items of lists. */
export function columnsOf(places: readonly FilePlace[], prefix = ''): string[] {
  return places.flatMap((place) => {
    if (place.column === null) return [];
    const column = prefix + place.column;
    if (!isList(place)) return [column];
    const prefixes = Array.from({ length: place.most }, (_, index) => `${column}.${index + 1}`);
    return prefixes.flatMap((of) => columnsOf(place.items, of));
  });
}

/** Writes the fields of an entry or of an item of a list, without a line end. */
export function fieldsOf(places: readonly FilePlace[]): (thing: unknown) => string {
  const inCsv = places.filter(({ column }) => column !== null);
  return compileText(
    inCsv.map(({ path }) => path),
    inCsv.map((place) => (isList(place) ? itemsOf(place) : writerOf(place))),
    ',',
  );
}

/** Nearly all places have one and the same function, which the engine then inlines. */
function writerOf({ textOf }: TextPlace): (value: unknown) => string {
  return textOf === asText ? quotedText : (value) => quoted(textOf(value));
}

/** Writes the items that CSV has room for, then empty fields for those missing. */
function itemsOf({ items, most, listOf }: ListPlace): (value: unknown) => string {
  const itemOf = fieldsOf(items);
  const empty = columnsOf(items)
    .map(() => '""')
    .join(',');
  const missing = new Array<string>(most).fill(empty);
  const none = missing.join(',');
  return (value) => {
    const list = listOf(value);
    if (list.length === 0) return none;
    return [...list.slice(0, most).map(itemOf), ...missing.slice(list.length)].join(',');
  };
}
