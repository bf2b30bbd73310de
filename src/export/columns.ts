/**
 * The columns of an exported table. They follow from the schema of the JSON: every text and number is a column, named by
 * its path as the API's change history names fields (`entity.legalName.name`); every list is a column of JSON.
 */
import type { TSchema } from '@sinclair/typebox';

export type ColumnKind = 'text' | 'integer' | 'json';

export interface Column {
  /** Path from the row, with dots. */
  readonly name: string;
  readonly kind: ColumnKind;
}

/** A cell: a text (also the JSON of a list), a whole number, or null for an absent value. */
export type Cell = string | number | null;

/** The columns of an object's schema, in its order; `without` names members of the row that have none. */
export function columnsOf(schema: TSchema, without: ReadonlySet<string>): readonly Column[] {
  const columns = new Map<string, Column>();
  addColumns(schema, '', (column) => {
    const isLeftOut = [...without].some((name) => column.name === name || column.name.startsWith(`${name}.`));
    // The alternatives of a union may share members.
    if (!isLeftOut && !columns.has(column.name)) columns.set(column.name, column);
  });
  return [...columns.values()];
}

function addColumns(schema: TSchema, name: string, add: (column: Column) => void): void {
  const alternatives: unknown = schema['anyOf'];
  if (Array.isArray(alternatives)) {
    for (const alternative of alternatives) addColumns(alternative, name, add);
    return;
  }
  const members: Readonly<Record<string, TSchema>> | undefined = schema['properties'];
  if (members !== undefined) {
    for (const [member, inner] of Object.entries(members)) addColumns(inner, joined(name, member), add);
    return;
  }
  const kind = kinds.get(String(schema['type']));
  if (kind !== undefined) add({ name, kind });
}

/** `null` is missing: a column holds nulls whatever its kind is. */
const kinds: ReadonlyMap<string, ColumnKind> = new Map([
  ['string', 'text'],
  ['integer', 'integer'],
  ['array', 'json'],
]);

function joined(name: string, member: string): string {
  return name === '' ? member : `${name}.${member}`;
}

/** Reads the cell of a column from rows. */
export function cellReader({ name, kind }: Column): (row: unknown) => Cell {
  const path = name.split('.');
  return (row) => {
    const value = path.reduce(memberOf, row);
    if (value === undefined || value === null) return null;
    if (kind === 'json') return JSON.stringify(value);
    return kind === 'integer' ? Number(value) : String(value);
  };
}

function memberOf(value: unknown, member: string): unknown {
  if (typeof value !== 'object' || value === null) return null;
  return Object.getOwnPropertyDescriptor(value, member)?.value;
}
