/** Makes element trees of entries, which XML and JSON write in two ways, as they do at GLEIF. */
import { compileList } from '../../lei/compile-fields.ts';
import { behindInTrees, type FilePlace, inFileOrder, isList, type ListPlace } from './places.ts';

/** An element with its attributes, and with a text or children. What is absent has no element. */
export interface TreeElement {
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly content: string | readonly TreeChild[];
}
/** An element with its name; or the items of a list, all of this name, which JSON writes as an array. */
type TreeChild = readonly [name: string, element: TreeElement | readonly TreeElement[]];

type TreeValue = string | null | readonly TreeElement[];

/** The values of an entry that an element takes, by their indexes. */
interface Shape {
  readonly attributes: [name: string, value: number][];
  /** Its text, or its items if it is repeated; null if it has children. */
  value: number | null;
  readonly children: Map<string, Shape>;
}

/** @returns a function that makes the element of an entry or of an item of a list; null if all of it is absent */
export function treesOf(places: readonly FilePlace[]): (thing: unknown) => TreeElement | null {
  const inTrees = inFileOrder(places, behindInTrees).filter(({ at }) => at !== null);
  const shape = shapeOf(inTrees.map(({ at }) => at ?? ''));
  const valuesOf = compileList<TreeValue>(
    inTrees.map(({ path }) => path),
    inTrees.map((place) => (isList(place) ? itemsOf(place) : place.textOf)),
  );
  return (thing) => elementOf(shape, valuesOf(thing));
}

function itemsOf({ items, listOf }: ListPlace): (value: unknown) => readonly TreeElement[] | null {
  const itemOf = treesOf(items);
  return (value) => {
    const made = listOf(value)
      .map(itemOf)
      .filter((item) => item !== null);
    return made.length === 0 ? null : made;
  };
}

function emptyShape(): Shape {
  return { attributes: [], value: null, children: new Map() };
}

/** The shape of an element with values of these names. */
function shapeOf(names: readonly string[]): Shape {
  const root = emptyShape();
  for (const [index, at] of names.entries()) {
    const [path = '', attribute] = at.split('@');
    let shape = root;
    for (const name of path.split('.').filter(Boolean)) {
      const child = shape.children.get(name) ?? emptyShape();
      shape.children.set(name, child);
      shape = child;
    }
    if (attribute === undefined) shape.value = index;
    else shape.attributes.push([attribute, index]);
  }
  return root;
}

function elementOf(shape: Shape, values: readonly TreeValue[]): TreeElement | null {
  const text = shape.value === null ? null : values[shape.value];
  const content = typeof text === 'string' ? text : childrenOf(shape, values);
  if (content.length === 0 && typeof text !== 'string') return null;
  const attributes = shape.attributes.flatMap(([name, index]) => {
    const value = values[index];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return { attributes, content };
}

function childrenOf({ children }: Shape, values: readonly TreeValue[]): TreeChild[] {
  const made: TreeChild[] = [];
  for (const [name, shape] of children) {
    const value = shape.value === null ? null : values[shape.value];
    const element = typeof value === 'object' && value !== null ? value : elementOf(shape, values);
    if (element !== null) made.push([name, element]);
  }
  return made;
}
