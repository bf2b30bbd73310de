/**
 * Lists the values of a golden copy file in the order of the file, with their names there. They follow from the tables of
 * fields in src/lei, which have the order of the JSON.
 */
import type { EventGroup } from '../../lei/company-parts.ts';
import { compileList } from '../../lei/compile-fields.ts';
import { type AnyFields, columnOf, type Field, isField, type PublishedEvent } from '../../lei/fields.ts';
import { level1Fields } from '../../lei/level-1-fields.ts';
import { relationshipFields } from '../../lei/level-2-fields.ts';

interface PlaceInFiles {
  /** Elements and attribute, as in the tables; null for a value that only CSV has. */
  readonly at: string | null;
  /** Name of the column; null for a value that CSV can't express. */
  readonly column: string | null;
  /** Names of the members that lead to the value. */
  readonly path: readonly string[];
}
export interface TextPlace extends PlaceInFiles {
  textOf(value: unknown): string | null;
}
/** A repeated element, which CSV writes a fixed number of times. */
export interface ListPlace extends PlaceInFiles {
  readonly items: readonly FilePlace[];
  /** The most items in CSV. XML and JSON have no such limit. */
  readonly most: number;
  listOf(value: unknown): readonly unknown[];
}
export type FilePlace = TextPlace | ListPlace;

export function isList(place: FilePlace): place is ListPlace {
  return 'items' in place;
}

const itemsMost = 5;
const additionalLinesMost = 3;

export function asText(value: unknown): string | null {
  return value === null ? null : String(value);
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textPlace(at: string, path: readonly string[], textOf: TextPlace['textOf'] = asText): FilePlace {
  return { at, column: columnOf({ at }), path, textOf };
}

/** A list of texts. */
function textsPlace(at: string, column: string, path: readonly string[], most = itemsMost): ListPlace {
  return { at, column, path, most, items: [textPlace('', [])], listOf: asList };
}

/** The places of fields in the order of the table. */
function placesIn(fields: AnyFields, path: readonly string[] = []): FilePlace[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    isField(field) ? placesOfField(field, [...path, name]) : placesIn(field, [...path, name]),
  );
}

function placesOfField(field: Field, path: readonly string[]): FilePlace[] {
  switch (field.is) {
    case 'whole':
      return placesIn(field.members, path);
    case 'optional':
      return [...optionalPlaces(field.members, path), ...unusedPlaces(field.unused)];
    case 'lines': {
      const { first, additional } = field;
      const others = textsPlace(additional, additional, path, additionalLinesMost);
      return [
        textPlace(first, path, (lines) => asText(asList(lines)[0] ?? null)),
        { ...others, listOf: (lines) => asList(lines).slice(1) },
      ];
    }
    case 'list':
    case 'events': {
      const items = inFileOrder(placesIn(field.members));
      const listOf = field.is === 'list' ? asList : publishedEvents;
      return [{ at: field.at, column: columnOf(field), path, items, most: itemsMost, listOf }];
    }
    default:
      return [{ at: field.at, column: columnOf(field), path, textOf: asText }];
  }
}

/** The values of an object that may be null. */
function optionalPlaces(members: AnyFields, path: readonly string[]): FilePlace[] {
  return placesIn(members).map((place) => {
    if (isList(place)) throw new Error('An object that may be null has a list.');
    const textsOf = compileList([place.path], [place.textOf]);
    return { ...place, path, textOf: (thing) => (thing === null ? null : (textsOf(thing)[0] ?? null)) };
  });
}

/** Columns of CSV that are not part of a record, and so empty here. */
function unusedPlaces(columns: readonly string[] = []): FilePlace[] {
  return columns.map((column) => ({ at: null, column, path: [], textOf: () => null }));
}

/** Files list events one by one, each with its group. */
function publishedEvents(groups: unknown): readonly PublishedEvent[] {
  const eventsOf = ({ groupType, groupId, events }: EventGroup) =>
    events.map((event) => ({ groupType, groupId, event }));
  return Array.isArray(groups) ? groups.flatMap(eventsOf) : [];
}

type NamePairs = readonly (readonly [name: string, before: string])[];

/** Where files have another order: the first of each pair comes directly behind the second. */
const behind: NamePairs = [
  ['.AdditionalAddressLine', '.MailRouting'],
  ['@type', '@xml:lang'],
  ['@group_id', '@event_status'],
  ['.LegalEntityEventType', '@group_sequence_no'],
  ['@field_xpath', ''],
  ['.RegistrationStatus', '.LastUpdateDate'],
  ['.PeriodType', '.EndDate'],
];
/** In XML and JSON alone. */
export const behindInTrees: NamePairs = [['.RelationshipStatus', '.RelationshipPeriods.RelationshipPeriod']];

/** @param pairs ends of the names of values in one element */
export function inFileOrder(places: readonly FilePlace[], pairs = behind): readonly FilePlace[] {
  const ordered = [...places];
  for (const [end, endBefore] of pairs) {
    for (const place of places.filter(({ at }) => at?.endsWith(end))) {
      const nameBefore = `${place.at?.slice(0, -end.length)}${endBefore}`;
      const before = places.find(({ at }) => at === nameBefore);
      if (before === undefined) continue;
      ordered.splice(ordered.indexOf(place), 1);
      ordered.splice(ordered.indexOf(before) + 1, 0, place);
    }
  }
  return ordered;
}

/** All places are of an entry: a record, and when it was deleted. */
const deletion: FilePlace = {
  at: 'Extension.gleif:Deletion.gleif:DeletedAt',
  column: null,
  path: ['deletedAt'],
  textOf: asText,
};

/** The elements of LEI-CDF 3.1, with the conformity extension of the golden copy. */
export const level1Places = inFileOrder(placesIn(level1Fields, ['record']));

function endPlaces(name: string, member: string): FilePlace[] {
  return [
    textPlace(`Relationship.${name}.NodeID`, ['record', member]),
    textPlace(`Relationship.${name}.NodeIDType`, [], () => 'LEI'),
  ];
}

const { validation, ...beforeValidation } = relationshipFields;
/** The elements of RR-CDF 2.1. */
export const relationshipPlaces: readonly FilePlace[] = [
  ...endPlaces('StartNode', 'start'),
  ...endPlaces('EndNode', 'end'),
  ...inFileOrder(placesIn({ ...beforeValidation, validation }, ['record', 'relationship'])),
  deletion,
];

const exception = ['record', 'exception'];
/** The elements of the exceptions format 2.1. */
export const exceptionPlaces: readonly FilePlace[] = [
  textPlace('LEI', ['record', 'lei']),
  { ...textPlace('ExceptionCategory', [...exception, 'category']), column: 'Exception.Category' },
  textsPlace('ExceptionReason', 'Exception.Reason', [...exception, 'reasons']),
  textsPlace('ExceptionReference', 'Exception.Reference', [...exception, 'references']),
  deletion,
];
