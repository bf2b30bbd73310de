/**
 * Defines how tables list the fields of a record, each once: its place in the JSON, its type, and its place in GLEIF's
 * files. Reading, packing, rendering and comparing follow from these tables.
 *
 * A value is named by its elements, from the record or the item of a list down, with `@` before an attribute, as in XML
 * and JSON. The CSV column has the same name, with a dot for the `@`, unless another name is given.
 */
import type { EventGroup, LegalEntityEvent } from './company-parts.ts';

interface InFiles {
  /** Elements and attribute; a value inside an item begins with a dot or `@`, and the text of the item itself is ''. */
  readonly at: string;
  /** Name of the CSV column if it differs. */
  readonly column?: string | undefined;
}

/**
 * A string or null. A code is one of a few values, a time is a date with its time of day. A time is two members of the
 * JSON: itself in UTC, and the day as written (written-days.ts).
 */
export interface TextField extends InFiles {
  readonly is: 'text' | 'code' | 'time';
  /** The value if a file lacks the text; null by default. */
  readonly missing?: string | undefined;
  /** Stored for GLEIF's API alone: the service's own answers don't show it. Such members stand last in their object. */
  readonly isHidden?: boolean | undefined;
}
/** A position from 1, or null. */
export interface PositionField extends InFiles {
  readonly is: 'position';
}
/** The first and the additional lines of an address, as one list. */
export interface LinesField {
  readonly is: 'lines';
  readonly first: string;
  readonly additional: string;
}
/** An element that repeats. */
export interface ListField<Members = AnyFields> extends InFiles {
  /** The items of `events` are joined into groups. */
  readonly is: 'list' | 'events';
  readonly members: Members;
}
/** An object that is stored as one. */
export interface WholeField<Members = AnyFields> {
  /** An `optional` one is null if files have nothing of it. */
  readonly is: 'whole' | 'optional';
  readonly members: Members;
  /** CSV columns that are not part of the record. */
  readonly unused?: readonly string[] | undefined;
}

export type Field = TextField | PositionField | LinesField | ListField | WholeField;
/** The members of an object. Some are objects too, whose members are stored one by one. */
export interface AnyFields {
  readonly [name: string]: Field | AnyFields;
}
export function isField(member: Field | AnyFields): member is Field {
  return typeof member.is === 'string';
}
/** True if the service's own answers show a member. */
export function isShown(member: Field | AnyFields): boolean {
  return !('isHidden' in member) || member.isHidden !== true;
}

/** An event as files list it: with its group. */
export interface PublishedEvent {
  readonly groupType: string | null;
  readonly groupId: string | null;
  readonly event: LegalEntityEvent;
}

/** The table of an object: exactly its members. */
export type FieldsOf<Thing> = { readonly [Name in keyof Thing]: FieldOf<Thing[Name]> };
type FieldOf<Value> = [Value] extends [string | null]
  ? TextField
  : [Value] extends [number | null]
    ? PositionField
    : [Value] extends [readonly string[]]
      ? LinesField
      : [Value] extends [readonly EventGroup[]]
        ? ListField<FieldsOf<PublishedEvent>>
        : [Value] extends [readonly (infer Item)[]]
          ? ListField<FieldsOf<Item>>
          : null extends Value
            ? WholeField<FieldsOf<NonNullable<Value>>> & { readonly is: 'optional' }
            : FieldsOf<Value> | (WholeField<FieldsOf<Value>> & { readonly is: 'whole' });

export const text = (at: string, column?: string): TextField => ({ is: 'text', at, column });
export const code = (at: string, column?: string): TextField => ({ is: 'code', at, column });
export const time = (at: string, column?: string): TextField => ({ is: 'time', at, column });
export const hiddenText = (at: string, column?: string): TextField => ({
  ...text(at, column),
  isHidden: true,
});

export function list<Members>(at: string, members: Members): ListField<Members> {
  return { is: 'list', at, members };
}

/** Paths of the fields that are stored each by itself, as `entity.legalName.name`. */
export type PathsIn<Fields, Prefix extends string = ''> = {
  [Name in keyof Fields & string]: Fields[Name] extends { readonly is: string }
    ? `${Prefix}${Name}`
    : PathsIn<Fields[Name], `${Prefix}${Name}.`>;
}[keyof Fields & string];

/** Name of the CSV column of a field; of a list, the beginning of the names of its items' columns. */
export function columnOf(field: InFiles, prefix = ''): string {
  return prefix + (field.column ?? field.at.replace('@xml:lang', '.xmllang').replace('@', '.'));
}
