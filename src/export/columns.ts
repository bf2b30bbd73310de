/**
 * Derives the columns of an exported table from the schema of the JSON: every text and number is a column, named by its
 * path as the API's change history names fields (`entity.legalName.name`); every list is a column of JSON.
 */
import type { TSchema } from '@sinclair/typebox';
import type { CellValue } from '../csv-cells.ts';

export type ColumnKind = 'text' | 'time' | 'integer' | 'json';

export interface ExportColumn {
  /** Path from the row, with dots. */
  readonly name: string;
  readonly kind: ColumnKind;
}

/**
 * Links lead to other answers of the API. The lists of a company's relationships reach megabytes for a large parent,
 * and each child's own row names its parents.
 */
const leftOut = [
  'links',
  'relationships.lei',
  'relationships.name',
  'relationships.directChildren.items',
  'relationships.ultimateChildren.items',
  'relationships.others',
];

/** The columns of an object's schema, in its order. */
export function tableColumns(schema: TSchema): readonly ExportColumn[] {
  const columns = new Map<string, ExportColumn>();
  addColumns(schema, '', (column) => {
    const isLeftOut = leftOut.some((name) => column.name === name || column.name.startsWith(`${name}.`));
    // The alternatives of a union may share members.
    if (!isLeftOut && !columns.has(column.name)) columns.set(column.name, column);
  });
  return [...columns.values()];
}

function addColumns(schema: TSchema, name: string, add: (column: ExportColumn) => void): void {
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
  const kind = schema['format'] === 'date-time' ? 'time' : kinds.get(String(schema['type']));
  if (kind !== undefined) add({ name, kind });
}

/** `null` is not listed: a column may contain nulls whatever its kind is. */
const kinds: ReadonlyMap<string, ColumnKind> = new Map([
  ['string', 'text'],
  ['integer', 'integer'],
  ['array', 'json'],
]);

function joined(name: string, member: string): string {
  return name === '' ? member : `${name}.${member}`;
}

/**
 * Reads the cells of columns from rows, in the order of the columns. It reads a row once: searching each column from
 * the top took most of an export's time.
 */
export function cellsReader(columns: readonly ExportColumn[]): (row: unknown) => readonly CellValue[] {
  const tree: Node[] = [];
  for (const [index, { name, kind }] of columns.entries()) addLeaf(tree, name.split('.'), { index, kind });
  return (row) => {
    const cells: CellValue[] = new Array<CellValue>(columns.length).fill(null);
    readInto(cells, row, tree);
    return cells;
  };
}

/** A member of a row's objects: a column, or an object with columns inside, or either in different rows. */
interface Node {
  readonly member: string;
  readonly inner: Node[];
  leaf: Leaf | null;
}

interface Leaf {
  readonly index: number;
  readonly kind: ColumnKind;
}

function addLeaf(nodes: Node[], [member = '', ...below]: readonly string[], leaf: Leaf): void {
  let node = nodes.find((each) => each.member === member);
  if (node === undefined) {
    node = { member, inner: [], leaf: null };
    nodes.push(node);
  }
  if (below.length === 0) node.leaf = leaf;
  else addLeaf(node.inner, below, leaf);
}

function readInto(cells: CellValue[], value: unknown, nodes: readonly Node[]): void {
  if (!isObject(value)) return;
  for (const { member, inner, leaf } of nodes) {
    const found = value[member];
    if (found === undefined || found === null) continue;
    if (leaf !== null) cells[leaf.index] = cellOf(found, leaf.kind);
    if (inner.length > 0) readInto(cells, found, inner);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function cellOf(value: unknown, kind: ColumnKind): CellValue {
  if (kind === 'json') return JSON.stringify(value);
  return kind === 'integer' ? Number(value) : String(value);
}
