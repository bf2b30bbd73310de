/** Finds the values of a table of fields in the tree of a record. */
import { anyNumber, type Format } from '../record/fields.ts';
import { attribute, descend, listed, ownText, texts } from './tree.ts';

export const treeFormat: Format<unknown> = {
  text(at) {
    const [path = '', name] = at.split('@');
    const elements = elementsOf(path);
    if (name === undefined) return (node) => ownText(descend(node, elements));
    return (node) => attribute(descend(node, elements), name);
  },
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
