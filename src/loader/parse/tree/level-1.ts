/** Reads trees of level 1 records (LEI-CDF 3.1 and 2.1) as legal entity records. */
import { anyNumber, level1Reader } from '../record/level-1.ts';
import { attribute, children, descend, listed, ownText } from './tree.ts';

/** Reads one record; what makes it unusable or odd goes to the report, by the column names of the CSV form. */
export const readLevel1 = level1Reader<unknown>({
  text(at) {
    const [path = '', name] = at.split('@');
    const elements = elementsOf(path);
    if (name === undefined) return (node) => ownText(descend(node, elements));
    return (node) => attribute(descend(node, elements), name);
  },
  lines({ first, additional }) {
    const places = [first, additional].map((at) => parentOf(elementsOf(at)));
    return (node) => places.flatMap(({ parent, name }) => textsOf(descend(node, parent), name));
  },
  list({ at }, column, itemOf) {
    const { parent: list, name } = parentOf(elementsOf(at));
    const { parent, name: listName } = parentOf(list);
    const read = itemOf(`${column}.${anyNumber}`);
    return (node, report) =>
      listed(descend(node, parent), listName, name, (item, index) => read(item, report, index + 1));
  },
});

function elementsOf(at: string): string[] {
  return at.split('.').filter((name) => name !== '');
}

function parentOf(elements: readonly string[]): { parent: readonly string[]; name: string } {
  return { parent: elements.slice(0, -1), name: elements.at(-1) ?? '' };
}

function textsOf(node: unknown, name: string): string[] {
  return children(node, name)
    .map(ownText)
    .filter((text) => text !== null);
}
