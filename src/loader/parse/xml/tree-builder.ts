/** Makes a tree (see tree/tree.ts) of one XML record, element by element. */
import type { SaxesTagNS } from 'saxes';
import { limits } from '../../../config.ts';
import { Refusal } from '../refusal.ts';

const extensions = 'http://www.gleif.org/data/schema/golden-copy/extensions/1.0';
const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';

interface Element {
  [member: string]: Element | Element[] | string;
}

interface Open {
  readonly name: string | null;
  readonly element: Element;
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
  closeTag(): Element | null {
    const closed = this.#open.pop();
    if (closed === undefined) return null;
    if (closed.text !== '') closed.element['$'] = closed.text;
    const parent = this.#open.at(-1);
    if (parent === undefined) return closed.element;
    if (closed.name !== null) attach(parent.element, closed.name, closed.element);
    return null;
  }

  /** Null for elements of other namespaces, which hold nothing that is shown. */
  #nameOf(tag: SaxesTagNS): string | null {
    if (tag.uri === this.#namespace) return tag.local;
    return tag.uri === extensions ? `gleif:${tag.local}` : null;
  }
}

function attributesOf(tag: SaxesTagNS): Element {
  // Without a prototype, so that no element name means anything but itself.
  const element: Element = Object.create(null);
  for (const attribute of Object.values(tag.attributes)) {
    if (attribute.uri === '') element[`@${attribute.local}`] = attribute.value;
    else if (attribute.uri === xmlNamespace) element[`@xml:${attribute.local}`] = attribute.value;
  }
  return element;
}

function attach(parent: Element, name: string, element: Element): void {
  const present = parent[name];
  if (present === undefined) parent[name] = element;
  else if (Array.isArray(present)) present.push(element);
  else if (typeof present !== 'string') parent[name] = [present, element];
}
