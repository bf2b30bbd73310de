/** Packs and renders the fields of a table: values, lists of objects, and objects that are one field. */
import { compileList } from '../lei/compile-fields.ts';
import { type AnyFields, type Field, isField } from '../lei/fields.ts';
import { dayNameOf, shownJson } from '../lei/written-days.ts';
import { type JsonBytes, nullPiece, piece } from '../protocol/json-bytes.ts';
import {
  type Member,
  member,
  objectOf,
  type PutPart,
  putElements,
  putValue,
  rowsOf,
  timeAndDay,
} from './packed-json.ts';
import { fieldSeparator, pack, packCode, packElements, packRows, packTime } from './packing.ts';

/** A field with its own packed text: a slot of a company, or a field of a row. */
interface PackedField {
  /** The member names on the path to the field. */
  readonly path: readonly string[];
  /** The packed text of the value. */
  readonly pack: ToText;
  /** Writes the JSON of the packed field. */
  readonly put: PutPart;
}

/** The places of fields in order. An object that is not one field has the places of its members. */
export function placesOf(fields: AnyFields): PackedField[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    isField(field)
      ? [{ path: [name], pack: textOfField(field), put: putterOf(field, name) }]
      : placesOf(field).map((place) => ({ ...place, path: [name, ...place.path] })),
  );
}

/** @returns a function that packs an object into one text per place, in order */
export function packerOf(fields: AnyFields): (thing: unknown) => string[] {
  const places = placesOf(fields);
  return compileList(
    places.map(({ path }) => path),
    places.map(({ pack }) => pack),
  );
}

type ToText = (value: unknown) => string;

/** The packed text of a field: '' for null and for an empty list. */
function textOfField(field: Field): ToText {
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
    case 'events':
      return ofList(shownJson);
    case 'list': {
      const fieldsOf = packerOf(field.members);
      return ofList((things) => packRows(things, fieldsOf));
    }
    default: {
      const fieldsOf = packerOf(field.members);
      return (thing) => (thing === null ? '' : fieldsOf(thing).join(fieldSeparator));
    }
  }
}

function ofList(packed: (list: readonly unknown[]) => string): ToText {
  return (value) => (Array.isArray(value) && value.length > 0 ? packed(value) : '');
}

function putterOf(field: Field, name: string): PutPart {
  switch (field.is) {
    case 'lines':
      return putElements;
    case 'list':
      return rowsOf(objectPutter(field.members));
    case 'events':
      return putEvents;
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

const emptyList = piece('[]');

/** Renders events, which are stored as JSON. Earlier versions stored them without the days of their times. */
function putEvents(json: JsonBytes, bytes: Uint8Array, from: number, to: number): void {
  const stored = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from);
  if (from === to) json.put(emptyList);
  else if (stored.includes('Day":')) json.copy(bytes, from, to);
  else json.text(shownJson(JSON.parse(stored.toString())));
}

/** Renders a number, which is stored as JSON. */
function putNumber(json: JsonBytes, bytes: Uint8Array, from: number, to: number): void {
  if (from === to) json.put(nullPiece);
  else json.copy(bytes, from, to);
}

function orNull(putObject: PutPart): PutPart {
  return (json, bytes, from, to) => (from === to ? json.put(nullPiece) : putObject(json, bytes, from, to));
}

function objectPutter(fields: AnyFields): PutPart {
  return objectOf(membersOf(placesOf(fields)));
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
