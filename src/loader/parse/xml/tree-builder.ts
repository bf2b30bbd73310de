/** Makes a tree (see tree/tree.ts) of one XML record, element by element. */
import type { SaxesTagNS } from 'saxes';
import { limits } from '../../../config.ts';
import { Refusal } from '../refusal.ts';

/** Of any version. */
const extensions = 'http://www.gleif.org/data/schema/golden-copy/extensions/';
const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';

/** An element with nothing but text is that text alone. */
type Tree = Element | string;

interface Element {
  [member: string]: Tree | Tree[];
}

interface Open {
  readonly name: string | null;
  /** Null while there is neither an attribute nor a child. */
  element: Element | null;
  text: string;
}

export class TreeBuilder {
  /** Namespace of the family; its names stand bare in the tree, those of GLEIF's extensions with `gleif:`. */
  readonly #namespace: string;
  readonly #open: Open[] = [];

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  openTag(tag: SaxesTagNS): void {
    this.#open.push({ name: this.#nameOf(tag), element: attributesOf(tag), text: '' });
  }

  text(text: string): void {
    const top = this.#open.at(-1);
    if (top === undefined) return;
    top.text += text;
    if (top.text.length > limits.sourceFieldBytesMax) {
      throw new Refusal(
        `the value of ${top.name} has more than the ${limits.sourceFieldBytesMax} characters that are taken ` +
          '(limit sourceFieldBytesMax)',
      );
    }
  }

  /** @returns the finished tree when the tag that was opened first closes, else null */
  closeTag(): Tree | null {
    const closed = this.#open.pop();
    if (closed === undefined) return null;
    const tree = closedTree(closed);
    const parent = this.#open.at(-1);
    if (parent === undefined) return tree;
    if (closed.name !== null) {
      parent.element ??= bare();
      attach(parent.element, closed.name, tree);
    }
    return null;
  }

  /** Null for elements of other namespaces, which hold nothing that is shown. */
  #nameOf(tag: SaxesTagNS): string | null {
    if (tag.uri === this.#namespace) return tag.local;
    return tag.uri.startsWith(extensions) ? `gleif:${tag.local}` : null;
  }
}

/** Without a prototype, so that no element name means anything but itself. */
function bare(): Element {
  return Object.create(null);
}

function attributesOf(tag: SaxesTagNS): Element | null {
  let element: Element | null = null;
  for (const name in tag.attributes) {
    const attribute = tag.attributes[name];
    if (attribute === undefined) continue;
    if (attribute.uri === '') {
      element ??= bare();
      element[`@${attribute.local}`] = attribute.value;
    } else if (attribute.uri === xmlNamespace) {
      element ??= bare();
      element[`@xml:${attribute.local}`] = attribute.value;
    }
  }
  return element;
}

function closedTree({ element, text }: Open): Tree {
  if (element === null) return text;
  if (text !== '') element['$'] = text;
  return element;
}

function attach(parent: Element, name: string, tree: Tree): void {
  const present = parent[name];
  if (present === undefined) parent[name] = tree;
  else if (Array.isArray(present)) present.push(tree);
  else parent[name] = [present, tree];
}
