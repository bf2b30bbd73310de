/** Builds a tree (see tree/tree.ts) from one XML record, element by element. */
import { FileRefusal, limits } from '../file-reader.ts';
import { isDeclaration, type Name, type XmlNames, xmlNamespace } from './names.ts';

/** Of any version. */
const extensions = 'http://www.gleif.org/data/schema/golden-copy/extensions/';

/** An element with nothing but text becomes that text alone. */
type Tree = XmlMembers | string;

interface XmlMembers {
  [member: string]: Tree | Tree[];
}

interface OpenElement {
  readonly name: string | null;
  /** Null while there is neither an attribute nor a child. */
  element: XmlMembers | null;
  text: string;
}

export class TreeBuilder {
  /** Namespace of the family; its names have no prefix in the tree, those of GLEIF's extensions have `gleif:`. */
  readonly #namespace: string;
  readonly #names: XmlNames;
  readonly #open: OpenElement[] = [];

  /** @param names resolves each tag in its innermost element */
  constructor(namespace: string, names: XmlNames) {
    this.#namespace = namespace;
    this.#names = names;
  }

  openTag(name: Name, attributes: Readonly<Record<string, string>>): void {
    this.#open.push({ name: this.#nameOf(name), element: this.#attributesOf(attributes), text: '' });
  }

  text(text: string): void {
    const top = this.#open.at(-1);
    if (top === undefined) return;
    // Keep the white space between elements too: checking for it took a tenth of the reading.
    top.text += text;
    if (top.text.length > limits.sourceFieldBytesMax) {
      throw new FileRefusal(
        `the value of ${top.name} has more than the ${limits.sourceFieldBytesMax} characters allowed ` +
          '(limit sourceFieldBytesMax)',
      );
    }
  }

  /** @returns the finished tree when the first opened tag closes, otherwise null */
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

  /** Null for elements of other namespaces, which contain nothing that is shown. */
  #nameOf({ uri, local }: Name): string | null {
    if (uri === this.#namespace) return local;
    return uri.startsWith(extensions) ? `gleif:${local}` : null;
  }

  #attributesOf(attributes: Readonly<Record<string, string>>): XmlMembers | null {
    let element: XmlMembers | null = null;
    for (const written in attributes) {
      if (isDeclaration(written)) continue;
      const { uri, local } = this.#names.attribute(written);
      if (uri !== '' && uri !== xmlNamespace) continue;
      element ??= bare();
      element[uri === '' ? `@${local}` : `@xml:${local}`] = attributes[written] ?? '';
    }
    return element;
  }
}

/** Without a prototype, so that every element name is only a name. */
function bare(): XmlMembers {
  return Object.create(null);
}

function closedTree({ element, text }: OpenElement): Tree {
  if (element === null) return text;
  if (text !== '') element['$'] = text;
  return element;
}

function attach(parent: XmlMembers, name: string, tree: Tree): void {
  const present = parent[name];
  if (present === undefined) parent[name] = tree;
  else if (Array.isArray(present)) present.push(tree);
  else parent[name] = [present, tree];
}
