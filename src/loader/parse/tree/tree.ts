/**
 * One record as a tree, in the form of GLEIF's JSON files: an element's text under `$`, its attributes as `@xml:lang`
 * and `@type`, repeated children as lists (a single one may stand without its list). The XML reader builds the same
 * trees, so both formats share the rest. Nothing about a tree is trusted.
 */

import { shownTime } from '../../../lei/dates.ts';
import { type FileFamily, goldenCopy } from '../../../lei/golden-copy.ts';
import { anyNumber, type FieldFormat } from '../record/fields.ts';
import { level1Reader } from '../record/level-1.ts';
import { exceptionReader, relationshipReader } from '../record/level-2.ts';
import type { RecordReport } from '../record/report.ts';
import { holdsAnything, trimmed } from '../record/values.ts';

/** Finds the values of a table of fields in the tree of a record. */
const treeFormat: FieldFormat<unknown> = {
  text(at) {
    const [path = '', name] = at.split('@');
    const elements = elementsOf(path);
    if (name === undefined) return (node) => ownText(descend(node, elements));
    return (node) => attribute(descend(node, elements), name);
  },
  texts: (at) => (node) => texts(node, at),
  lines({ first, additional }) {
    const places = [first, additional].map((at) => parentOf(elementsOf(at)));
    return (node) => places.flatMap(({ parent, name }) => texts(descend(node, parent), name));
  },
  list({ at }, column, itemOf) {
    const { parent: list, name } = parentOf(elementsOf(at));
    const { parent, name: listName } = parentOf(list);
    const read = itemOf(`${column}.${anyNumber}`);
    return (node, report) =>
      listed(descend(node, parent), listName, name, (item, index) => read(item, report, index + 1));
  },
};

function elementsOf(at: string): string[] {
  return at.split('.').filter((name) => name !== '');
}

function parentOf(elements: readonly string[]): { parent: readonly string[]; name: string } {
  return { parent: elements.slice(0, -1), name: elements.at(-1) ?? '' };
}

/** The member of an element; undefined if it is missing or its parent is not an element. */
export function child(node: unknown, name: string): unknown {
  return isElement(node) ? node[name] : undefined;
}

function isElement(node: unknown): node is Readonly<Record<string, unknown>> {
  return typeof node === 'object' && node !== null;
}

/** The member several levels down. */
function descend(node: unknown, names: readonly string[]): unknown {
  let found = node;
  for (const name of names) found = child(found, name);
  return found;
}

const none: readonly unknown[] = [];

/** All children of one name, in order. */
function children(node: unknown, name: string): readonly unknown[] {
  const found = child(node, name);
  if (found === undefined || found === null) return none;
  return Array.isArray(found) ? found : [found];
}

/** The children in a list element, such as `OtherEntityName` in `OtherEntityNames`, however often that occurs. */
function listed<Value>(
  node: unknown,
  list: string,
  name: string,
  read: (item: unknown, index: number) => Value,
): Value[] {
  const items = children(node, list).flatMap((container) => children(container, name));
  return items.map(read).filter(holdsAnything);
}

/** The text of a child, without white space around it; null if it has none. */
export function textOf(node: unknown, name: string): string | null {
  return ownText(child(node, name));
}

/** The text of an element itself. */
function ownText(node: unknown): string | null {
  if (Array.isArray(node)) return ownText(node[0]);
  return scalar(typeof node === 'object' ? child(node, '$') : node);
}

/** The texts of all children of one name, in order. */
function texts(node: unknown, name: string): string[] {
  return children(node, name)
    .map(ownText)
    .filter((text) => text !== null);
}

/** An attribute of an element. */
function attribute(node: unknown, name: string): string | null {
  return scalar(child(node, `@${name}`));
}

function scalar(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return null;
  const text = trimmed(value);
  return text === '' ? null : text;
}

/** One of the three families of common data files, which XML and JSON share. */
export interface RecordFamily extends FileFamily {
  /** Reads one record; what makes it unusable or odd goes to the report. */
  read(node: unknown, report: RecordReport): void;
}

export const families: readonly RecordFamily[] = [
  { ...goldenCopy.lei2, read: level1Reader(treeFormat) },
  { ...goldenCopy.rr, read: relationshipReader(treeFormat, deletedAt) },
  { ...goldenCopy.repex, read: exceptionReader(treeFormat, deletedAt) },
];

/**
 * A deletion is the last state of the record with this mark.
 * @param lastUpdate the time of a deletion whose mark has none
 */
function deletedAt(node: unknown, lastUpdate: string | null, report: RecordReport): string | null {
  const deletion = descend(node, ['Extension', 'gleif:Deletion']);
  // JSON also writes null for what a record does not have.
  if (deletion === undefined || deletion === null) return null;
  const time = report.date(textOf(deletion, 'gleif:DeletedAt'), 'Extension.Deletion.DeletedAt');
  if (time === null)
    report.remark('Extension.Deletion.DeletedAt', 'is missing; the record is deleted anyway');
  return shownTime(time ?? lastUpdate ?? '').time;
}
