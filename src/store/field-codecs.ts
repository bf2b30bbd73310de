/** Packs and renders the fields of a table: values, lists of objects, and objects that are one field. */
import { compileList, compileText } from '../lei/compile-fields.ts';
import { type AnyFields, type Field, isField, isShown, type ListField, list } from '../lei/fields.ts';
import { dayNameOf } from '../lei/written-days.ts';
import {
  eventsMark,
  eventsPutter,
  type Member,
  member,
  objectOf,
  orNull,
  type PutPart,
  putElements,
  putNumber,
  putValue,
  rowsOf,
  timeAndDay,
} from './packed-json.ts';
import {
  fieldSeparator,
  type ListSeparators,
  listSeparators,
  pack,
  packCode,
  packElements,
  packRows,
  packTime,
} from './packing.ts';

/** A field with its own packed text: a slot of a company, or a field of a row. */
interface PackedField {
  /** The member names on the path to the field. */
  readonly path: readonly string[];
  /** The packed text of the value. */
  readonly pack: ToText;
  /** Writes the JSON of the packed field. */
  readonly put: PutPart;
  readonly isShown: boolean;
}

/**
 * The places of fields in order. An object that is not one field has the places of its members.
 * @param depth how many lists the fields are within
 */
export function placesOf(fields: AnyFields, depth = 0): PackedField[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    isField(field)
      ? [
          {
            path: [name],
            pack: textOfField(field, depth),
            put: putterOf(field, name, depth),
            isShown: isShown(field),
          },
        ]
      : placesOf(field, depth).map((place) => ({ ...place, path: [name, ...place.path] })),
  );
}

/** @returns a function that packs an object into one text per place, in order */
export function packerOf(fields: AnyFields, depth = 0): (thing: unknown) => string[] {
  const places = placesOf(fields, depth);
  return compileList(
    places.map(({ path }) => path),
    places.map(({ pack }) => pack),
  );
}

/** @returns a function that packs an object into one field */
function joinerOf(fields: AnyFields): ToText {
  const places = placesOf(fields);
  const paths = places.map(({ path }) => path);
  return compileText(
    paths,
    places.map(({ pack }) => pack),
    fieldSeparator,
  );
}

type ToText = (value: unknown) => string;

/** The packed text of a field: '' for null and for an empty list. */
function textOfField(field: Field, depth: number): ToText {
  switch (field.is) {
    case 'text':
      return (value) => (typeof value === 'string' ? pack(value) : '');
    case 'code':
      return (value) => (typeof value === 'string' ? packCode(value) : '');
    case 'time':
      return (value) => (typeof value === 'string' ? packTime(value) : '');
    case 'position':
      return (value) => (value === null ? '' : String(value));
    case 'lines':
      return ofList((lines) => packElements(lines.map(String)));
    case 'events': {
      const packGroups = textOfField(groupsOf(field), depth);
      return ofList((groups) => eventsMark + packGroups(groups));
    }
    case 'list': {
      const fieldsOf = packerOf(field.members, depth + 1);
      return ofList((things) => packRows(things, fieldsOf, separatorsAt(depth)));
    }
    default: {
      const textOf = joinerOf(field.members);
      return (thing) => (thing === null ? '' : textOf(thing));
    }
  }
}

function ofList(packed: (list: readonly unknown[]) => string): ToText {
  return (value) => (Array.isArray(value) && value.length > 0 ? packed(value) : '');
}

/** Events as they stand in a record: a list of groups. */
function groupsOf({ members: { event, ...group } }: ListField): ListField {
  const members = event === undefined || isField(event) ? {} : event;
  return list('', { ...group, events: list('', members) });
}

function separatorsAt(depth: number): ListSeparators {
  const separators = listSeparators[depth];
  if (separators === undefined) throw new Error(`Lists within ${depth} lists can't be packed.`);
  return separators;
}

function putterOf(field: Field, name: string, depth: number): PutPart {
  switch (field.is) {
    case 'lines':
      return putElements;
    case 'list':
      return rowsOf(objectPutter(field.members, depth + 1), separatorsAt(depth));
    case 'events':
      return eventsPutter(putterOf(groupsOf(field), name, depth));
    case 'position':
      return putNumber;
    case 'whole':
    case 'optional':
      return orNull(objectPutter(field.members));
    case 'time':
      return timeAndDay(dayNameOf(name));
    default:
      return putValue;
  }
}

/** @param depth how many lists the object is within */
function objectPutter(fields: AnyFields, depth = 0): PutPart {
  const shown = placesOf(fields, depth).filter((place) => place.isShown);
  return objectOf(membersOf(shown), separatorsAt(Math.max(0, depth - 1)));
}

/** The members of an object, the first with the brace before it. */
export function membersOf(places: readonly PackedField[]): Member[] {
  return places.map(({ path, put }, index) => member(jsonBetween(places[index - 1]?.path ?? [], path), put));
}

/**
 * The JSON between the value at one path and the value at the next: it closes objects and opens others.
 * @param last empty for the beginning of the outermost object
 */
export function jsonBetween(last: readonly string[], next: readonly string[]): string {
  const shared = next.findIndex((name, level) => name !== last[level]);
  const names = next.slice(shared).map((name) => `"${name}":`);
  const closing = '}'.repeat(Math.max(0, last.length - 1 - shared));
  return `${closing}${last.length === 0 ? '{' : ','}${names.join('{')}`;
}
