/** Reads the values of a record of any format by the table of their fields. */
import type { EventGroup } from '../../../lei/company-parts.ts';
import { compileObject } from '../../../lei/compile-fields.ts';
import {
  type AnyFields,
  columnOf,
  type Field,
  type FieldsOf,
  isField,
  isShown,
  type LinesField,
  type ListField,
  type PositionField,
  type PublishedEvent,
  type TextField,
  type WholeField,
} from '../../../lei/fields.ts';
import { type RecordReport, shortQuoted } from './report.ts';
import { holdsAnything } from './values.ts';

/**
 * Reads a part of a record.
 * @param number the item of a list that the part is in, from 1; any number if the format has separate columns for each
 */
type FieldReader<Node, Value = unknown> = (node: Node, report: RecordReport, number: number) => Value;

/** How a format finds the table's values in a record. Everything is prepared once for all records. */
export interface FieldFormat<Node> {
  /** A text at a place in the file, which CSV names by a column. */
  text(at: string, column: string): (node: Node) => string | null;
  /** The texts of a repeated element. @param column prefix of the names of its columns */
  texts(at: string, column: string): (node: Node) => string[];
  /** @param column prefix of the names of its columns */
  lines(field: LinesField, column: string): (node: Node) => string[];
  /**
   * A repeated element.
   * @param itemOf prepares the reading of an item whose columns begin with a prefix; `#` stands for its number if all
   *   items are read alike
   */
  list(
    field: ListField,
    column: string,
    itemOf: (column: string) => FieldReader<Node>,
  ): FieldReader<Node, unknown[]>;
  /** Registers a column that is not used, so that it counts as known. */
  unused?(column: string): void;
}

/** Reads the fields of a table: an object with exactly its members, as its type says. */
export function fieldsReader<Node, Thing>(
  format: FieldFormat<Node>,
  fields: FieldsOf<Thing>,
): FieldReader<Node, Thing>;
export function fieldsReader<Node>(format: FieldFormat<Node>, fields: AnyFields): FieldReader<Node> {
  return objectReader(format, fields, '');
}

function objectReader<Node>(format: FieldFormat<Node>, fields: AnyFields, prefix: string): FieldReader<Node> {
  const readers = Object.values(fields).map((field) =>
    isField(field) ? fieldReader(format, field, prefix) : objectReader(format, field, prefix),
  );
  return compileObject(Object.keys(fields), readers);
}

function fieldReader<Node>(format: FieldFormat<Node>, field: Field, prefix: string): FieldReader<Node> {
  switch (field.is) {
    case 'whole':
    case 'optional':
      return wholeReader(format, field, prefix);
    case 'lines':
      return format.lines(field, prefix);
    case 'list':
      return listReader(format, field, prefix);
    case 'events': {
      const list = eventsReader(format, field, prefix);
      return (node, report, number) => groupEvents(list(node, report, number));
    }
    default:
      return valueReader(format, field, columnOf(field, prefix));
  }
}

function valueReader<Node>(
  { text }: FieldFormat<Node>,
  field: TextField | PositionField,
  column: string,
): FieldReader<Node, string | number | null> {
  const textOf = text(field.at, column);
  if (field.is === 'position') {
    return (node, report, number) => readSequence(textOf(node), ofItem(column, number), report);
  }
  const { missing } = field;
  if (missing !== undefined) return (node) => textOf(node) ?? missing;
  if (field.is !== 'time') return textOf;
  if (!column.includes(anyNumber)) return (node, report) => report.date(textOf(node), column);
  return (node, report, number) => report.date(textOf(node), ofItem(column, number));
}

/** In the name of a column, the number of an item that is read like all others. */
export const anyNumber = '#';

function ofItem(column: string, number: number): string {
  return column.replace(anyNumber, String(number));
}

function wholeReader<Node>(
  format: FieldFormat<Node>,
  { is, members, unused = [] }: WholeField,
  prefix: string,
): FieldReader<Node> {
  const read = objectReader(format, members, prefix);
  for (const column of unused) format.unused?.(column);
  if (is === 'whole') return read;
  return (node, report, number) => {
    const thing = read(node, report, number);
    return holdsAnything(thing) ? thing : null;
  };
}

/** The table has exactly the members of an event, as its type says. */
function eventsReader<Node>(
  format: FieldFormat<Node>,
  field: ListField,
  prefix: string,
): FieldReader<Node, PublishedEvent[]>;
function eventsReader<Node>(
  format: FieldFormat<Node>,
  field: ListField,
  prefix: string,
): FieldReader<Node, unknown[]> {
  return listReader(format, field, prefix);
}

function listReader<Node>(
  format: FieldFormat<Node>,
  field: ListField,
  prefix: string,
): FieldReader<Node, unknown[]> {
  const itemOf = (column: string) => objectReader(format, field.members, column);
  const read = format.list(field, columnOf(field, prefix), itemOf);
  const members = Object.entries(field.members);
  const shown = members.flatMap(([name, member]) => (isShown(member) ? [name] : []));
  if (shown.length === members.length) return read;
  return (node, report, number) => read(node, report, number).filter((item) => hasAny(item, shown));
}

/** Whether one of the named members of an item has a value. */
function hasAny(item: unknown, names: readonly string[]): boolean {
  const members: [string, unknown][] = Object.entries(item ?? {});
  return members.some(([name, value]) => names.includes(name) && holdsAnything(value));
}

/**
 * Groups legal entity events, which are published as one flat list whose items name their group.
 *
 * Events with the same group type and id belong together. A STANDALONE event without an id stays alone. The parts of
 * any other type, such as CHANGE_LEGAL_FORM_AND_NAME, are joined even without an id, because a group of that type with
 * one part is meaningless.
 * @returns groups in the order of their first event; events by sequence number if all of a group have one
 */
export function groupEvents(published: readonly PublishedEvent[]): EventGroup[] {
  const groups: EventGroup[] = [];
  for (const { groupType, groupId, event } of published) {
    const alone = groupId === null && (groupType === null || groupType === 'STANDALONE');
    const group = alone
      ? undefined
      : groups.find((other) => other.groupType === groupType && other.groupId === groupId);
    if (group === undefined) groups.push({ groupType, groupId, events: [event] });
    else group.events.push(event);
  }
  for (const { events } of groups) {
    if (events.length > 1 && events.every((event) => event.sequence !== null)) {
      events.sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
    }
  }
  return groups;
}

/**
 * The position of an event within its group; a text that is not a positive whole number becomes absent, with a remark.
 */
function readSequence(text: string | null, column: string, report: RecordReport): number | null {
  if (text === null) return null;
  if (/^\+?0*[1-9]\d{0,8}$/.test(text)) return Number(text);
  report.remark(column, `${shortQuoted(text)} is not a positive whole number; the event is kept without it`);
  return null;
}
